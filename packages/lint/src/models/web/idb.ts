// Databases of the browser.
// Off by default: most programs leave their database open.
import type { ResourceModel } from '../model.ts';

export const webIdb: ResourceModel = {
  id: 'web.idb',
  modules: ['lib'],
  types: ['IDBDatabase'],
  acquire: [{ call: 'openDB', async: true }],
  release: ['close'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'transaction() throws InvalidStateError',
  leak: 'blocks version upgrade',
  optIn: true,
  evidence: 'probed',
};
