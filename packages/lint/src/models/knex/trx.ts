// Transactions without a callback.
import type { ResourceModel } from '../model.ts';

export const knexTrx: ResourceModel = {
  id: 'knex.trx',
  modules: ['knex'],
  types: ['Transaction'],
  acquire: [
    {
      call: 'transaction',
      unlessCallback: true,
      async: true,
      on: ['Knex'],
      receiver: /[kK]nex(\(\))?$/,
    },
    {
      call: 'transaction',
      unlessCallback: true,
      async: true,
      receiver: /./,
      whenReleased: true,
      evenInProject: true,
    },
  ],
  release: ['commit', 'rollback'],
  doubleRelease: 'rejects "already complete"',
  useAfterRelease: '"Transaction query already complete"',
  leak: 'connection held in open tx',
  evidence: 'source',
};
