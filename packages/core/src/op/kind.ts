// The instruction set's names: one small integer per operation, so that engines can switch on it.

/**
 * Every operation a program can make. `waitStage` and `tryWaitStage` are `wait` and `tryWait` of a
 * ring's register: the system resolves them to a barrier and answers the stage; `stage` answers it
 * without a wait.
 */
export const OpKind = {
  init: 0,
  invalidate: 1,
  wait: 2,
  waitParity: 3,
  waitStage: 4,
  tryWait: 5,
  tryWaitStage: 6,
  arrive: 7,
  expectTx: 8,
  completeTx: 9,
  arriveDrop: 10,
  asyncCopy: 11,
  asyncUse: 12,
  commit: 13,
  waitGroup: 14,
  syncNamed: 15,
  arriveNamed: 16,
  syncCluster: 17,
  read: 18,
  write: 19,
  fence: 20,
  store: 21,
  load: 22,
  fetchAdd: 23,
  tryClaim: 24,
  compute: 25,
  alloc: 26,
  free: 27,
  relinquish: 28,
  choose: 29,
  more: 30,
  spawn: 31,
  join: 32,
  exit: 33,
  own: 34,
  use: 35,
  disown: 36,
  step: 37,
  loop: 38,
  stage: 39,
  arriveCluster: 40,
  waitCluster: 41,
  giveRegisters: 42,
  takeRegisters: 43,
  launchDependents: 44,
  waitGrids: 45,
} as const;

export type OpName = keyof typeof OpKind;
export type OpKind = (typeof OpKind)[OpName];

/** The side of a ring: producing waits for `empty` barriers, consuming for `full` ones. */
export const Side = { produce: 0, consume: 1 } as const;
/** One of the two sides of a ring: see the constant. */
export type Side = (typeof Side)[keyof typeof Side];
