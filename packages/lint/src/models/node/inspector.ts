// Sessions of the inspector: the obligation starts with `connect`.
import type { ResourceModel } from '../model.ts';

export const nodeInspector: ResourceModel = {
  id: 'node.inspector',
  modules: ['node:inspector', 'node:inspector/promises'],
  types: ['Session'],
  acquire: [{ call: 'Session', construct: true }],
  release: ['disconnect'],
  idempotent: true,
  starts: ['connect'],
  doubleRelease: 'no-op',
  useAfterRelease: 'ERR_INSPECTOR_NOT_CONNECTED',
  leak: 'session',
  evidence: 'probed',
};
