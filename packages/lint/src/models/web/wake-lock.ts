// Screen wake locks.
import type { ResourceModel } from '../model.ts';

export const webWakeLock: ResourceModel = {
  id: 'web.wakeLock',
  modules: ['lib'],
  types: ['WakeLockSentinel'],
  acquire: [{ call: 'request', async: true, on: ['WakeLock'], receiver: /wakeLock$/ }],
  release: ['release'],
  idempotent: true,
  safe: ['released'],
  doubleRelease: 'does nothing',
  useAfterRelease: 'the screen may turn off',
  leak: 'screen stays on',
  evidence: 'probed',
};
