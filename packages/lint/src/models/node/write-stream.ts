// Write streams of files, in functions that end them: an exception before that leaves the file
// open. A stream that another stream is piped into is ended by that stream.
import type { ResourceModel } from '../model.ts';

export const nodeWriteStream: ResourceModel = {
  id: 'node.writeStream',
  modules: ['node:fs', 'fs-extra', 'graceful-fs'],
  types: ['WriteStream'],
  acquire: [
    { call: 'createWriteStream', receiver: /^fs(e|Extra)?$/, bare: true, whenReleased: true },
  ],
  release: ['end', 'destroy', 'close', '[Symbol.asyncDispose]'],
  mayRelease: ['pipe', 'pipeline', 'finished', 'toWeb'],
  idempotent: true,
  releaseWaits: true,
  usableAfter: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'write after end error',
  leak: 'the file stays open, and is never finished',
  evidence: 'source',
};
