// Semaphores of async-sema: `acquire` returns nothing; the semaphore itself is released.
import type { ResourceModel } from '../model.ts';

export const mutexAsyncSema: ResourceModel = {
  id: 'mutex.asyncSema',
  modules: ['async-sema'],
  types: ['Sema'],
  acquire: [{ call: 'acquire', async: true, on: ['Sema'], receiver: /[sS]ema$/ }],
  release: [],
  usableAfter: true,
  receiverRelease: ['release'],
  guards: true,
  handedOff: /./,
  doubleRelease: 'over-admits',
  useAfterRelease: 'nothing is known of it',
  leak: 'capacity lost',
  evidence: 'probed',
};
