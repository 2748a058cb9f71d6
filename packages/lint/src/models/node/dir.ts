// Open directories. `for await` over one closes it.
import type { ResourceModel } from '../model.ts';

export const nodeDir: ResourceModel = {
  id: 'node.dir',
  modules: ['node:fs', 'node:fs/promises'],
  types: ['Dir'],
  acquire: [
    {
      call: 'opendir',
      unlessCallback: true,
      async: true,
      receiver: /^(fs|fsp|promises|fs\.promises)$/,
      bare: true,
    },
    { call: 'opendirSync', receiver: /^(fs|fse|nodeFs|fsExtra)$/, bare: true },
  ],
  release: ['close', 'closeSync', '[Symbol.dispose]', '[Symbol.asyncDispose]'],
  iterates: true,
  doubleRelease: 'throws ERR_DIR_CLOSED (also after for-await)',
  useAfterRelease: 'ERR_DIR_CLOSED',
  leak: 'fd leak',
  evidence: 'probed',
};
