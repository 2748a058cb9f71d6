// Child processes.
// Off by default: a child ends by itself, which no path of a function shows.
import type { ResourceModel } from '../model.ts';

export const nodeChild: ResourceModel = {
  id: 'node.child',
  modules: ['node:child_process'],
  types: ['ChildProcess'],
  acquire: [{ call: 'spawn' }, { call: 'fork' }],
  release: ['kill', '[Symbol.dispose]'],
  idempotent: true,
  outlivesProcess: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'nothing is known of it',
  leak: 'zombie/orphan process',
  optIn: true,
  evidence: 'source',
};
