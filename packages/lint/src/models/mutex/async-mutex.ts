// Locks of async-mutex: the releaser is a function.
import type { ResourceModel } from '../model.ts';

export const mutexAsyncMutex: ResourceModel = {
  id: 'mutex.asyncMutex',
  modules: ['async-mutex'],
  types: ['MutexInterface'],
  acquire: [
    {
      call: 'acquire',
      async: true,
      on: ['Mutex', 'MutexInterface'],
      receiver: /(mutex|lock)(s|er)?_?(\.get\(\)|\.\[\]|\(\))?$/i,
    },
    {
      call: 'lock',
      async: true,
      on: ['Mutex', 'Lock'],
      receiver: /mutex_?(\.get\(\)|\.\[\]|\(\))?$/i,
    },
  ],
  release: [],
  mustCall: true,
  idempotent: true,
  guards: true,
  receiverRelease: ['release', 'unlock'],
  handedOff: /./,
  doubleRelease: 'releaser: no-op; mutex.release(): unlocks the NEXT holder',
  useAfterRelease: 'nothing is known of it',
  leak: 'everyone waits forever',
  evidence: 'probed',
};
