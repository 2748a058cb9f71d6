// Locks that keep the screen on.
import type { Model } from '../model.ts';

export const webWakeLock: Model = {
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
