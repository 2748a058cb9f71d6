// The catalogue: what every operation is called, whether it blocks, and which rule it follows.
import { OpKind, type OpName } from './kind.ts';

/** How an engine treats an operation: `silent` ones touch nothing that another role can see. */
export type OpClass = 'blocking' | 'posted' | 'silent' | 'ghost' | 'control';

/** What the main id of an operation names; `none`: nothing that is declared. */
export type Named =
  | 'barrier'
  | 'buffer'
  | 'cell'
  | 'cluster'
  | 'count'
  | 'named'
  | 'none'
  | 'grid'
  | 'pool'
  | 'registers'
  | 'ring'
  | 'role';

/**
 * Where an answer comes from: there is `none` (it is always 0), the role's `own` history decides,
 * what is free of a `pool` decides, or it is `open`: other roles decide, or nothing does.
 */
export type Answer = 'none' | 'own' | 'pool' | 'open';

export interface OpEntry {
  readonly name: OpName;
  readonly class: OpClass;
  /** Whether programs write `yield*` before it. */
  readonly yields: boolean;
  readonly names: Named;
  readonly answer: Answer;
  /** The PTX counterpart, or `–` where there is none. */
  readonly ptx: string;
  /** The rule of docs/reference/semantics.md that defines its effect. */
  readonly rule: string;
  /** The cost hook that a machine model prices it with. */
  readonly cost: 'issue' | 'wait' | 'arrive' | 'copy' | 'use' | 'compute' | 'none';
}

type Row = readonly [OpClass, boolean, Named, Answer, string, string, OpEntry['cost']];

const ROWS = {
  init: ['posted', false, 'barrier', 'none', 'mbarrier.init', 'M01', 'issue'],
  invalidate: ['posted', false, 'barrier', 'none', 'mbarrier.inval', 'M02', 'issue'],
  wait: ['blocking', true, 'barrier', 'none', 'mbarrier.try_wait.parity loop', 'M07', 'wait'],
  waitParity: ['blocking', true, 'barrier', 'none', 'mbarrier.try_wait.parity loop', 'M07', 'wait'],
  waitStage: ['blocking', true, 'ring', 'own', 'mbarrier.try_wait.parity loop', 'R02', 'wait'],
  tryWait: ['blocking', true, 'barrier', 'open', 'mbarrier.try_wait.parity', 'M08', 'wait'],
  tryWaitStage: ['blocking', true, 'ring', 'open', 'mbarrier.try_wait.parity', 'M08', 'wait'],
  arrive: ['posted', false, 'barrier', 'none', 'mbarrier.arrive[.expect_tx]', 'M03', 'arrive'],
  expectTx: ['posted', false, 'barrier', 'none', 'mbarrier.expect_tx', 'M04', 'issue'],
  completeTx: ['posted', false, 'barrier', 'none', 'mbarrier.complete_tx', 'M04', 'issue'],
  arriveDrop: ['posted', false, 'barrier', 'none', 'mbarrier.arrive_drop', 'M05', 'arrive'],
  asyncCopy: ['posted', false, 'barrier', 'none', 'cp.async.bulk[.tensor]', 'U01', 'copy'],
  asyncUse: ['posted', false, 'none', 'none', 'wgmma.mma_async, tcgen05.mma', 'U02', 'use'],
  commit: ['posted', false, 'barrier', 'none', 'tcgen05.commit, wgmma.commit_group', 'U03', 'none'],
  waitGroup: [
    'blocking',
    true,
    'none',
    'none',
    'wgmma.wait_group, cp.async.bulk.wait_group',
    'U04',
    'none',
  ],
  syncNamed: ['blocking', true, 'named', 'none', 'barrier.sync', 'N01', 'wait'],
  arriveNamed: ['posted', false, 'named', 'none', 'barrier.arrive', 'N01', 'arrive'],
  syncCluster: ['blocking', true, 'cluster', 'none', 'barrier.cluster', 'N02', 'wait'],
  read: ['posted', false, 'buffer', 'none', 'ld.shared', 'S01', 'none'],
  write: ['posted', false, 'buffer', 'none', 'st.shared', 'S01', 'none'],
  fence: ['silent', false, 'none', 'none', 'fence', 'S03', 'none'],
  store: ['posted', false, 'cell', 'none', 'st.release', 'C01', 'issue'],
  load: ['blocking', true, 'cell', 'open', 'ld.acquire', 'C01', 'issue'],
  fetchAdd: ['blocking', true, 'cell', 'open', 'atom.add', 'C01', 'issue'],
  tryClaim: ['blocking', true, 'ring', 'open', 'mbarrier.try_wait + atom.cas', 'R05', 'wait'],
  compute: ['silent', true, 'none', 'none', 'instructions', 'S04', 'compute'],
  alloc: ['blocking', true, 'pool', 'pool', 'tcgen05.alloc', 'A01', 'issue'],
  free: ['posted', false, 'pool', 'none', 'tcgen05.dealloc', 'A02', 'issue'],
  relinquish: ['posted', false, 'pool', 'none', 'tcgen05.relinquish_alloc_permit', 'A03', 'issue'],
  choose: ['blocking', true, 'none', 'open', '–', 'P04', 'none'],
  more: ['silent', true, 'count', 'own', '–', 'P05', 'none'],
  spawn: ['posted', false, 'role', 'none', 'launch', 'L01', 'none'],
  join: ['blocking', true, 'role', 'none', '–', 'L01', 'wait'],
  exit: ['posted', false, 'none', 'none', 'exit', 'L02', 'none'],
  own: ['ghost', false, 'none', 'none', '–', 'O01', 'none'],
  use: ['ghost', false, 'none', 'none', '–', 'O01', 'none'],
  disown: ['ghost', false, 'none', 'none', '–', 'O01', 'none'],
  step: ['silent', false, 'ring', 'none', '–', 'R03', 'none'],
  loop: ['control', true, 'none', 'none', '–', 'P06', 'none'],
  stage: ['silent', true, 'ring', 'own', '–', 'R07', 'none'],
  arriveCluster: ['posted', false, 'cluster', 'none', 'barrier.cluster.arrive', 'N07', 'arrive'],
  waitCluster: ['blocking', true, 'cluster', 'none', 'barrier.cluster.wait', 'N07', 'wait'],
  giveRegisters: ['posted', false, 'registers', 'none', 'setmaxnreg.dec', 'Q02', 'issue'],
  takeRegisters: ['blocking', true, 'registers', 'none', 'setmaxnreg.inc', 'Q02', 'wait'],
  launchDependents: [
    'posted',
    false,
    'grid',
    'none',
    'griddepcontrol.launch_dependents',
    'D01',
    'issue',
  ],
  waitGrids: ['blocking', true, 'grid', 'none', 'griddepcontrol.wait', 'D02', 'wait'],
} as const satisfies Readonly<Record<OpName, Row>>;

/** The catalogue by operation number: `CATALOGUE[op.kind].name`. */
export const CATALOGUE: readonly OpEntry[] = Object.entries<Row>(ROWS).map(([name, row]) => ({
  name: name as OpName,
  class: row[0],
  yields: row[1],
  names: row[2],
  answer: row[3],
  ptx: row[4],
  rule: row[5],
  cost: row[6],
}));
CATALOGUE.forEach((entry, kind) => {
  if (OpKind[entry.name] !== kind) throw new Error(`catalogue: ${entry.name} is out of order`);
});

/** The kinds whose rows begin like `Columns`. */
type KindsOf<Columns extends readonly unknown[]> = {
  [N in OpName]: (typeof ROWS)[N] extends readonly [...Columns, ...unknown[]]
    ? (typeof OpKind)[N]
    : never;
}[OpName];

export type PostedKind = KindsOf<['posted']>;
export type SilentKind = KindsOf<['silent']>;
/** Operations about handles alone. */
export type GhostKind = KindsOf<['ghost']>;
/** What the steps of a role are made of: ghosts that are no misuse, and loops, make none. */
export type InstructionKind = Exclude<OpKind, GhostKind | KindsOf<['control']>>;
/** Operations that test whether a phase of a barrier has completed. */
export type TestKind = KindsOf<['blocking', boolean, 'barrier' | 'ring']>;
/** Posted operations on a barrier. */
export type SignalKind = KindsOf<['posted', boolean, 'barrier']>;
/** Operations that block until others have come, too. */
export type MeetingKind = KindsOf<['blocking', boolean, 'named' | 'cluster']>;
/** Operations on a pool, and on a cell. */
export type PoolKind = KindsOf<[OpClass, boolean, 'pool']>;
export type CellKind = KindsOf<[OpClass, boolean, 'cell']>;
/** Operations whose accesses to a buffer are the role's own, at once. */
export type AccessKind = KindsOf<['posted', boolean, 'buffer']>;
/** Tests of the stage that a register stands at. */
export type StageTestKind = KindsOf<['blocking', boolean, 'ring']>;
/** Tests that block until the phase has completed. */
export type WaitKind = KindsOf<['blocking', boolean, 'barrier' | 'ring', 'none' | 'own']>;
/** Tests that never block: their answer says whether the phase has completed. */
export type TryKind = KindsOf<['blocking', boolean, 'barrier' | 'ring', 'open']>;

/** Operations whose answers are always 0, and those whose answers are open. */
export type UnansweredKind = KindsOf<[OpClass, boolean, Named, 'none']>;
export type OpenKind = KindsOf<[OpClass, boolean, Named, 'open']>;

const flags = (isSet: (entry: OpEntry) => boolean): Uint8Array =>
  Uint8Array.from(CATALOGUE, (entry) => Number(isSet(entry)));
const GHOSTS = flags((entry) => entry.class === 'ghost');
const SILENT = flags((entry) => entry.class === 'silent');
const OPEN = flags((entry) => entry.answer === 'open');
const tests = ({ class: kind, names }: OpEntry): boolean =>
  kind === 'blocking' && (names === 'barrier' || names === 'ring');
const TESTS = flags(tests);
const MEETINGS = flags(({ class: kind, names }) => {
  return kind === 'blocking' && (names === 'named' || names === 'cluster');
});
const ON_POOL = flags((entry) => entry.names === 'pool');
const ON_CELL = flags((entry) => entry.names === 'cell');
const ACCESSES = flags((entry) => entry.names === 'buffer');
const SIGNALS = flags((entry) => entry.class === 'posted' && entry.names === 'barrier');
const WAITS = flags((entry) => tests(entry) && entry.answer !== 'open');
const STAGE_TESTS = flags((entry) => tests(entry) && entry.names === 'ring');
const TRIES = flags((entry) => tests(entry) && entry.answer === 'open');

/** Whether an operation is about handles alone. */
export function isGhost(kind: OpKind): kind is GhostKind {
  return GHOSTS[kind] === 1;
}

/** Whether an operation touches nothing that another role can see. */
export function isSilent(kind: OpKind): kind is SilentKind {
  return SILENT[kind] === 1;
}

/** Whether other roles decide an operation's answer, or nothing does. */
export function isOpen(kind: OpKind): kind is OpenKind {
  return OPEN[kind] === 1;
}

/** Whether an operation blocks until others have come, too (N01, N02). */
export function isMeeting(kind: OpKind): kind is MeetingKind {
  return MEETINGS[kind] === 1;
}

/** Whether an operation is one on a pool. */
export function isOnPool(kind: OpKind): kind is PoolKind {
  return ON_POOL[kind] === 1;
}

/** Whether an operation is one on a cell. */
export function isOnCell(kind: OpKind): kind is CellKind {
  return ON_CELL[kind] === 1;
}

/** Whether an operation accesses a buffer itself, at once. */
export function isAccess(kind: OpKind): kind is AccessKind {
  return ACCESSES[kind] === 1;
}

/** Whether an operation is posted, and one on a barrier. */
export function isSignal(kind: OpKind): kind is SignalKind {
  return SIGNALS[kind] === 1;
}

/** Whether each signal arrives on its barrier: others are about bytes, or its life. */
const ARRIVES: Readonly<Record<SignalKind, boolean>> = {
  [OpKind.arrive]: true,
  [OpKind.arriveDrop]: true,
  [OpKind.commit]: true,
  [OpKind.expectTx]: false,
  [OpKind.completeTx]: false,
  [OpKind.asyncCopy]: false,
  [OpKind.init]: false,
  [OpKind.invalidate]: false,
};

/** Whether an operation arrives on a barrier, at once or as work completes. */
export function mayArrive(kind: OpKind): boolean {
  return isSignal(kind) && ARRIVES[kind];
}

/** Whether an operation tests a phase of a barrier. */
export function isTest(kind: OpKind): kind is TestKind {
  return TESTS[kind] === 1;
}

/** Whether an operation blocks until a phase of a barrier has completed. */
export function isWait(kind: OpKind): kind is WaitKind {
  return WAITS[kind] === 1;
}

/** Whether an operation tests the stage that a register stands at. */
export function isStageTest(kind: OpKind): kind is StageTestKind {
  return STAGE_TESTS[kind] === 1;
}

/** Whether an operation tests a phase of a barrier, and never blocks. */
export function isTry(kind: OpKind): kind is TryKind {
  return TRIES[kind] === 1;
}
