// Synchronous access to a file of the origin.
import type { ResourceModel } from '../model.ts';

export const webSyncAccess: ResourceModel = {
  id: 'web.syncAccess',
  modules: ['lib'],
  types: ['FileSystemSyncAccessHandle'],
  acquire: [
    {
      call: 'createSyncAccessHandle',
      async: true,
      on: ['FileSystemFileHandle'],
      receiver: /[hH]andle$/,
    },
  ],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'throws InvalidStateError',
  leak: 'exclusive OPFS lock kept',
  evidence: 'probed',
};
