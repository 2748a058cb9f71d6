// Synchronous access handles of files in the origin private file system.
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
