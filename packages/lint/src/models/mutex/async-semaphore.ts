// Semaphores of async-mutex: the second of a pair is the releaser.
import type { ResourceModel } from '../model.ts';

export const mutexAsyncSemaphore: ResourceModel = {
  id: 'mutex.asyncSemaphore',
  modules: ['async-mutex'],
  types: ['SemaphoreInterface'],
  acquire: [
    {
      call: 'acquire',
      async: true,
      on: ['Semaphore', 'SemaphoreInterface'],
      receiver: /[sS]emaphore$/,
      path: ['1'],
    },
  ],
  release: [],
  mustCall: true,
  idempotent: true,
  receiverRelease: ['release'],
  guards: true,
  handedOff: /./,
  doubleRelease: 'no-op',
  useAfterRelease: 'nothing is known of it',
  leak: 'capacity lost',
  evidence: 'probed',
};
