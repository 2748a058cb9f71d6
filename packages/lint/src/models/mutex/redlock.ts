// Distributed locks.
import type { ResourceModel } from '../model.ts';

export const mutexRedlock: ResourceModel = {
  id: 'mutex.redlock',
  modules: ['redlock'],
  types: ['Lock'],
  acquire: [
    { call: 'acquire', async: true, on: ['Redlock', 'default'], receiver: /[rR]edlock$/ },
    { call: 'lock', async: true, on: ['Redlock'], receiver: /[rR]edlock$/ },
  ],
  release: ['release', 'unlock'],
  guards: true,
  doubleRelease: 'rejects',
  useAfterRelease: 'nothing is known of it',
  leak: 'held until TTL',
  evidence: 'source',
};
