// Worker threads.
// Off by default: a worker ends by itself when its work is done.
import type { ResourceModel } from '../model.ts';

export const nodeWorker: ResourceModel = {
  id: 'node.worker',
  modules: ['node:worker_threads'],
  types: ['Worker'],
  acquire: [{ call: 'Worker', construct: true }],
  release: ['terminate', '[Symbol.asyncDispose]'],
  carriers: ['wrap'],
  idempotent: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'ignored',
  leak: 'thread',
  optIn: true,
  evidence: 'probed',
};
