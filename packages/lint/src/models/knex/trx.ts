// Transactions without a callback.
import type { Model } from '../model.ts';

export const knexTrx: Model = {
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
      evenOwn: true,
    },
  ],
  release: ['commit', 'rollback'],
  doubleRelease: 'rejects "already complete"',
  useAfterRelease: '"Transaction query already complete"',
  leak: 'connection held in open tx',
  evidence: 'source',
};
