// Writers of streams. `close` and `abort` end the stream, `releaseLock` only the lock.
import type { ResourceModel } from '../model.ts';

export const webWriter: ResourceModel = {
  id: 'web.writer',
  modules: ['lib', 'node:stream/web'],
  types: ['WritableStreamDefaultWriter'],
  acquire: [{ call: 'getWriter', on: ['WritableStream'], receiver: /./, unlessOwn: true }],
  release: ['releaseLock', 'close', 'abort'],
  idempotent: true,
  finishes: true,
  fates: ['ready', 'closed'],
  doubleRelease: 'no-op',
  useAfterRelease: 'write() rejects TypeError',
  leak: 'stream stays locked',
  evidence: 'probed',
};
