// Readers of streams: a lock on the stream, and its unread rest.
// After a read that returns `done` or is rejected, there is nothing to release.
import type { ResourceModel } from '../model.ts';

export const webReader: ResourceModel = {
  id: 'web.reader',
  modules: ['lib', 'node:stream/web'],
  types: ['ReadableStreamDefaultReader'],
  acquire: [{ call: 'getReader', on: ['ReadableStream'], receiver: /./ }],
  release: ['releaseLock', 'cancel'],
  idempotent: true,
  closedOnReject: ['closed'],
  drains: 'read',
  // After `cancel`, `read` answers `done`.
  answersAfter: { cancel: ['read', 'closed'] },
  doubleRelease: 'no-op',
  useAfterRelease: 'read() rejects TypeError',
  leak: 'stream stays locked; next getReader() throws',
  evidence: 'probed',
};
