// Clients of a pool. `release(error)` throws a broken one away.
import type { ResourceModel } from '../model.ts';

export const pgPoolClient: ResourceModel = {
  id: 'pg.poolClient',
  modules: ['pg', 'pg-pool'],
  types: ['PoolClient'],
  acquire: [
    {
      call: 'connect',
      unlessCallback: true,
      async: true,
      on: ['Pool'],
      receiver: /[pP]ool(\(\))?$/,
    },
    { call: 'connect', on: ['Pool'], receiver: /[pP]ool(\(\))?$/, callback: 1, releaser: 2 },
    {
      call: 'connect',
      async: true,
      receiver: /./,
      whenReleased: true,
      evenInProject: true,
      unlessCallback: true,
    },
    { call: 'getClient', async: true, receiver: /./, whenReleased: true, evenInProject: true },
    { call: 'acquireClient', async: true, receiver: /./, whenReleased: true, evenInProject: true },
  ],
  release: ['release'],
  doubleRelease: 'throws "already been released"',
  useAfterRelease: 'query runs on a session someone else may hold',
  leak: 'pool exhausted: next connect() times out, pool.end() never resolves',
  evidence: 'probed',
};
