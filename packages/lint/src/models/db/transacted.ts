// Connections on which functions of the project begin and end transactions.
import type { AcquireCall, ResourceModel } from '../model.ts';

const ENDS = ['commit', 'commitTransaction', 'rollback', 'rollbackTransaction', 'rollBack'];

/** Only a connection is passed to all three. */
const passedTo = [/^(start|begin)_?[tT]rans/, /^commit/, /^roll_?[bB]ack/];

const acquire = ['getConnection', 'getClient', 'acquireConnection', 'openConnection'].map(
  (call): AcquireCall => ({ call, passedTo, async: true }),
);

export const dbTransacted: ResourceModel = {
  id: 'db.transacted',
  modules: [],
  types: ['Connection'],
  acquire,
  release: ['release', 'end', 'close', 'destroy'],
  // The function that ends the transaction may also release the connection.
  via: ENDS.map((call) => ({ call, argument: 0, bare: true, onlyIts: true })),
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'nothing is known of it',
  leak: 'its transaction stays open and its connection is not returned',
  evidence: 'unverified',
};
