// BYOB readers, which fill a buffer of the caller.
import type { ResourceModel } from '../model.ts';

export const webByobReader: ResourceModel = {
  id: 'web.byobReader',
  modules: ['lib'],
  types: ['ReadableStreamBYOBReader'],
  acquire: [
    {
      call: 'getReader',
      on: ['ReadableByteStreamController'],
      receiver: /stream|body/,
      withText: /byob/,
    },
  ],
  release: ['releaseLock', 'cancel'],
  idempotent: true,
  closedOnReject: ['closed'],
  drains: 'read',
  answersAfter: { cancel: ['read', 'closed'] },
  doubleRelease: 'no-op',
  useAfterRelease: 'rejects TypeError',
  leak: 'as above',
  evidence: 'probed',
};
