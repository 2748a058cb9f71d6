// Writers of streams. `close` and `abort` end the stream, `releaseLock` only the lock.
import type { ResourceModel } from '../model.ts';

export const webWriter: ResourceModel = {
  id: 'web.writer',
  modules: ['lib', 'node:stream/web'],
  types: ['WritableStreamDefaultWriter'],
  acquire: [{ call: 'getWriter', on: ['WritableStream'], receiver: /./, unlessLocal: true }],
  release: ['releaseLock', 'close', 'abort'],
  idempotent: true,
  releaseWaits: true,
  closedOnReject: ['ready', 'closed'],
  answersAfter: { close: ['closed', 'desiredSize'], abort: ['closed'] },
  doubleRelease: 'no-op',
  useAfterRelease: 'write() rejects TypeError',
  leak: 'stream stays locked',
  evidence: 'probed',
};
