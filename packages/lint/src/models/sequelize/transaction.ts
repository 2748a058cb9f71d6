// Transactions without a callback, which must be ended explicitly.
import type { ResourceModel } from '../model.ts';

export const sequelizeTransaction: ResourceModel = {
  id: 'sequelize.transaction',
  modules: ['sequelize', 'sequelize-typescript', '@sequelize/core'],
  types: ['Transaction'],
  acquire: [
    {
      call: 'transaction',
      unlessCallback: true,
      async: true,
      on: ['Sequelize'],
      receiver: /[sS]equelize$/,
    },
    { call: 'startUnmanagedTransaction', async: true, receiver: /./ },
  ],
  release: ['commit', 'rollback'],
  doubleRelease: 'throws "Transaction cannot be committed because it has been finished"',
  useAfterRelease: 'throws',
  leak: 'connection held in an open transaction',
  evidence: 'source',
};
