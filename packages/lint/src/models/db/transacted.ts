// Connections that functions of a project's own begin and end transactions on.
import type { Acquire, ResourceModel } from '../model.ts';

const ENDS = ['commit', 'commitTransaction', 'rollback', 'rollbackTransaction', 'rollBack'];

/** Nothing but a connection has all three done to it. */
const givenTo = [/^(start|begin)_?[tT]rans/, /^commit/, /^roll_?[bB]ack/];

const acquire = ['getConnection', 'getClient', 'acquireConnection', 'openConnection'].map(
  (call): Acquire => ({ call, givenTo, async: true }),
);

export const dbTransacted: ResourceModel = {
  id: 'db.transacted',
  modules: [],
  types: ['Connection'],
  acquire,
  release: ['release', 'end', 'close', 'destroy'],
  // What ends the transaction may well give the connection back.
  via: ENDS.map((call) => ({ call, argument: 0, bare: true, onlyIts: true })),
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'nothing is known of it',
  leak: 'its transaction stays open, and nobody else gets it',
  evidence: 'unverified',
};
