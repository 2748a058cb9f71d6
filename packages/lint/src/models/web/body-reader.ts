// Readers of the bodies of responses. Letting go of the lock leaves the rest of the body where it
// is, and the connection with it: what is not read to its end has to be cancelled.
import type { ResourceModel } from '../model.ts';

export const webBodyReader: ResourceModel = {
  id: 'web.bodyReader',
  modules: ['lib', 'node:stream/web'],
  types: [],
  acquire: [
    {
      call: 'getReader',
      on: ['ReadableStream'],
      receiver: /./,
      written: /(^|\.)body$/,
      type: 'body',
    },
  ],
  release: ['cancel'],
  lets: ['releaseLock'],
  endedBy: ['abort', 'destroy', 'cancel'],
  fates: ['closed'],
  idempotent: true,
  drains: 'read',
  doubleRelease: 'no-op',
  useAfterRelease: 'read() rejects TypeError',
  leak: 'what is unread keeps its connection, also after releaseLock()',
  evidence: 'probed',
};
