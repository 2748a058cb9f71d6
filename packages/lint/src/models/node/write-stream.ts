// Streams into files, of functions that end them: what fails on the way leaves the file open.
// What somebody else's stream is piped into is ended, or not, by that.
import type { ResourceModel } from '../model.ts';

export const nodeWriteStream: ResourceModel = {
  id: 'node.writeStream',
  modules: ['node:fs', 'fs-extra', 'graceful-fs'],
  types: ['WriteStream'],
  acquire: [
    { call: 'createWriteStream', receiver: /^fs(e|Extra)?$/, bare: true, whenReleased: true },
  ],
  release: ['end', 'destroy', 'close', '[Symbol.asyncDispose]'],
  enders: ['pipe', 'pipeline', 'finished'],
  idempotent: true,
  finishes: true,
  usableAfter: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'write after end error',
  leak: 'the file stays open, and is never finished',
  evidence: 'source',
};
