// What performs an operation: the machine, or the simulation with registers, chance and roles.
import { CATALOGUE, type OpKind, type OpName, type TryKind } from '@poundlock/core/internal/op';

/** Operations whose results the machine does not compute. */
export type DecidedKind =
  | TryKind
  | typeof OpKind.waitStage
  | typeof OpKind.choose
  | typeof OpKind.join;

/** What performs an operation. The most frequent ones of the machine have a number of their own. */
export const Effect = {
  machine: 0,
  decided: 1,
  /** Silent operations are passed, and ghosts and loops are no steps. */
  never: 2,
  arrive: 3,
  launch: 4,
  touch: 5,
  spawn: 6,
} as const;
export type Effect = (typeof Effect)[keyof typeof Effect];
const { machine: MACHINE, decided: DECIDED, never: NEVER } = Effect;
const { arrive: ARRIVE, launch: LAUNCH, touch: TOUCH, spawn: SPAWN } = Effect;

const TABLE = {
  init: MACHINE,
  invalidate: MACHINE,
  wait: MACHINE,
  waitParity: MACHINE,
  waitStage: DECIDED,
  tryWait: DECIDED,
  tryWaitStage: DECIDED,
  arrive: ARRIVE,
  expectTx: MACHINE,
  completeTx: MACHINE,
  arriveDrop: MACHINE,
  asyncCopy: LAUNCH,
  asyncUse: LAUNCH,
  commit: LAUNCH,
  waitGroup: MACHINE,
  syncNamed: MACHINE,
  arriveNamed: MACHINE,
  syncCluster: MACHINE,
  read: TOUCH,
  write: TOUCH,
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
  spawn: SPAWN,
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
} satisfies Record<OpName, Effect>;

/** By kind: what performs it. */
export const EFFECTS: readonly Effect[] = CATALOGUE.map(({ name }) => TABLE[name]);
