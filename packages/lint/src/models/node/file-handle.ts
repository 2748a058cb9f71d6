// Open files of `fs.promises`.
import type { ResourceModel } from '../model.ts';

export const nodeFileHandle: ResourceModel = {
  id: 'node.fileHandle',
  modules: ['node:fs/promises', 'node:fs'],
  types: ['FileHandle'],
  acquire: [
    {
      call: 'open',
      unlessCallback: true,
      async: true,
      on: ['promises'],
      receiver: /^(fsp|fsPromises|fsAsync|promises|fs|(\w+\.)*_?fs\.promises)$/,
    },
    { call: 'open', async: true, receiver: /./, whenReleased: true, unlessCallback: true },
  ],
  release: ['close', '[Symbol.asyncDispose]'],
  idempotent: true,
  alsoReleasedBy: ['createReadStream', 'createWriteStream', 'readLines', 'readableWebStream'],
  doubleRelease: 'no error',
  useAfterRelease: 'EBADF',
  leak: 'closed by GC with warning (DEP0137); an error in newer Node',
  evidence: 'probed',
};
