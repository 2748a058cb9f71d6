// Lock files: the result is the function that unlocks.
import type { ResourceModel } from '../model.ts';

export const mutexProperLockfile: ResourceModel = {
  id: 'mutex.properLockfile',
  modules: ['proper-lockfile'],
  types: ['Release'],
  acquire: [
    { call: 'lock', async: true, receiver: /^lockfile$|[lL]ockfile$/ },
    { call: 'lockSync', receiver: /[lL]ockfile$/ },
  ],
  release: [],
  mustCall: true,
  guards: true,
  doubleRelease: 'rejects ERELEASED',
  useAfterRelease: 'nothing is known of it',
  leak: 'stale lock until timeout',
  evidence: 'probed',
};
