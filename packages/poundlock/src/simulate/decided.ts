// Which operations a simulation decides, and which ones the machine performs.
import {
  CATALOGUE,
  type OpKind,
  type OpName,
  type SilentKind,
  type TryKind,
} from '@poundlock/core/internal/op';

/** Operations whose results the machine does not compute. */
export type DecidedKind =
  | TryKind
  | typeof OpKind.waitStage
  | typeof OpKind.choose
  | typeof OpKind.spawn
  | typeof OpKind.join;

const MACHINE = 0;
const DECIDED = 1;
/** Silent operations are passed, and ghosts and loops are no steps. */
const NEVER = 2;

const TABLE = {
  init: MACHINE,
  invalidate: MACHINE,
  wait: MACHINE,
  waitParity: MACHINE,
  waitStage: DECIDED,
  tryWait: DECIDED,
  tryWaitStage: DECIDED,
  arrive: MACHINE,
  expectTx: MACHINE,
  completeTx: MACHINE,
  arriveDrop: MACHINE,
  asyncCopy: MACHINE,
  asyncUse: MACHINE,
  commit: MACHINE,
  waitGroup: MACHINE,
  syncNamed: MACHINE,
  arriveNamed: MACHINE,
  syncCluster: MACHINE,
  read: MACHINE,
  write: MACHINE,
  fence: NEVER,
  store: MACHINE,
  load: MACHINE,
  fetchAdd: MACHINE,
  tryClaim: DECIDED,
  compute: NEVER,
  alloc: MACHINE,
  free: MACHINE,
  relinquish: MACHINE,
  choose: DECIDED,
  more: NEVER,
  spawn: DECIDED,
  join: DECIDED,
  exit: MACHINE,
  own: NEVER,
  use: NEVER,
  disown: NEVER,
  step: NEVER,
  loop: NEVER,
  stage: NEVER,
  arriveCluster: MACHINE,
  waitCluster: MACHINE,
  giveRegisters: MACHINE,
  takeRegisters: MACHINE,
  launchDependents: MACHINE,
  waitGrids: MACHINE,
} satisfies Record<OpName, typeof MACHINE | typeof DECIDED | typeof NEVER>;

const DECIDES = Uint8Array.from(CATALOGUE, ({ name }) => TABLE[name]);

/** Whether registers, chance or other roles decide what an operation answers. */
export function isDecided(kind: OpKind): kind is DecidedKind {
  return DECIDES[kind] === DECIDED;
}

/** Whether an operation is no move of a role. */
export function isNeverPerformed(kind: OpKind): kind is SilentKind {
  return DECIDES[kind] === NEVER;
}
