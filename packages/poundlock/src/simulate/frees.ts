// Which operations can end waits that are not for a phase of a barrier.
import { CATALOGUE, type OpName } from '@poundlock/core/internal/op';

const TABLE = {
  // A named or a cluster barrier may be complete, or units of a pool are free.
  syncNamed: true,
  arriveNamed: true,
  syncCluster: true,
  free: true,
  init: false,
  invalidate: false,
  wait: false,
  waitParity: false,
  waitStage: false,
  tryWait: false,
  tryWaitStage: false,
  arrive: false,
  expectTx: false,
  completeTx: false,
  arriveDrop: false,
  // Groups end as work completes, and that is no operation.
  asyncCopy: false,
  asyncUse: false,
  commit: false,
  waitGroup: false,
  read: false,
  write: false,
  fence: false,
  store: false,
  load: false,
  fetchAdd: false,
  tryClaim: false,
  compute: false,
  alloc: false,
  relinquish: false,
  choose: false,
  more: false,
  // The end of a role ends a join, and that is no operation.
  spawn: false,
  join: false,
  exit: false,
  own: false,
  use: false,
  disown: false,
  step: false,
  loop: false,
  stage: false,
} satisfies Record<OpName, boolean>;

/** By kind: 1 for operations that can end such a wait. */
export const FREES = Uint8Array.from(CATALOGUE, ({ name }) => Number(TABLE[name]));
