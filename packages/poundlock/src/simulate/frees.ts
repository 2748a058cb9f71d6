// Which operations can end a wait for anything other than a barrier phase.
import { CATALOGUE, type OpName } from '@poundlock/core/internal/op';

const TABLE = {
  // May complete a named or cluster barrier, or make units of a pool available. Below: the same of
  // split barriers, registers and the launches of grids.
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
  // A group ends when its asynchronous work completes, which is not an operation.
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
  // A join ends when the role ends, which is not an operation.
  spawn: false,
  join: false,
  exit: false,
  own: false,
  use: false,
  disown: false,
  step: false,
  loop: false,
  stage: false,
  arriveCluster: true,
  waitCluster: false,
  giveRegisters: true,
  takeRegisters: false,
  // A grid ends when its roles end and its work completes, which are no operations.
  launchDependents: true,
  waitGrids: false,
} satisfies Record<OpName, boolean>;

/** By kind: 1 for operations that can end such a wait. */
export const FREES = Uint8Array.from(CATALOGUE, ({ name }) => Number(TABLE[name]));
