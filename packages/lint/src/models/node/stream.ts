// Streams of files.
// Off by default: a stream closes itself at its end, which no path of a function shows.
import type { ResourceModel } from '../model.ts';

export const nodeStream: ResourceModel = {
  id: 'node.stream',
  modules: ['node:fs'],
  types: ['ReadStream', 'WriteStream'],
  acquire: [
    { call: 'createReadStream', receiver: /^fs$/ },
    { call: 'createWriteStream', receiver: /^fs$/ },
  ],
  release: ['destroy', 'end', 'close', 'pipe', '[Symbol.asyncDispose]'],
  idempotent: true,
  iterates: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'write after end error',
  leak: 'fd/socket',
  optIn: true,
  evidence: 'source',
};
