// Transactions that are controlled by hand.
import type { ResourceModel } from '../model.ts';

export const kyselyTx: ResourceModel = {
  id: 'kysely.tx',
  modules: ['kysely'],
  types: ['ControlledTransaction'],
  acquire: [
    {
      call: 'execute',
      async: true,
      on: ['ControlledTransactionBuilder'],
      receiver: /startTransaction\(\)$/,
    },
  ],
  release: ['commit', 'rollback'],
  doubleRelease: 'throws "Transaction is already committed"',
  useAfterRelease: 'throws',
  leak: 'connection held',
  evidence: 'probed',
};
