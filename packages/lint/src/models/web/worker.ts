// Workers of a page.
import type { ResourceModel } from '../model.ts';

export const webWorker: ResourceModel = {
  id: 'web.worker',
  modules: ['lib'],
  types: ['Worker'],
  acquire: [{ call: 'Worker', construct: true }],
  release: ['terminate'],
  // Releasing a proxy of a worker leaves the worker running.
  carriers: ['wrap'],
  idempotent: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'ignored',
  leak: 'thread',
  evidence: 'probed',
};
