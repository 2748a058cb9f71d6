// Readers of streams: a lock on the stream, and the rest of what it has to say.
// A read that answers `done`, or is rejected, leaves nothing to release.
import type { ResourceModel } from '../model.ts';

export const webReader: ResourceModel = {
  id: 'web.reader',
  modules: ['lib', 'node:stream/web'],
  types: ['ReadableStreamDefaultReader'],
  acquire: [{ call: 'getReader', on: ['ReadableStream'], receiver: /./ }],
  release: ['releaseLock', 'cancel'],
  idempotent: true,
  fates: ['closed'],
  drains: 'read',
  doubleRelease: 'no-op',
  useAfterRelease: 'read() rejects TypeError',
  leak: 'stream stays locked; next getReader() throws',
  evidence: 'probed',
};
