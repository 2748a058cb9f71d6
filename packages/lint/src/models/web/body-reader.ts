// Readers of response bodies. Releasing the lock leaves the body unread and its connection open: a
// body that is not read to its end has to be canceled.
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
  detaches: ['releaseLock'],
  endedBy: ['abort', 'destroy', 'cancel'],
  closedOnReject: ['closed'],
  idempotent: true,
  drains: 'read',
  // After `cancel`, `read` answers `done`.
  answersAfter: { cancel: ['read', 'closed'] },
  doubleRelease: 'no-op',
  useAfterRelease: 'read() rejects TypeError',
  leak: 'what is unread keeps its connection, also after releaseLock()',
  evidence: 'probed',
};
