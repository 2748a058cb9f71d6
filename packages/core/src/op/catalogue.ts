// The catalogue: what every operation is called, whether it blocks, and which rule it follows.
import { OpKind } from './kind.ts';

/** How an engine treats an operation: `silent` ones touch nothing that another role can see. */
export type OpClass = 'blocking' | 'posted' | 'silent' | 'ghost' | 'control';

export interface OpEntry {
  readonly name: keyof typeof OpKind;
  readonly class: OpClass;
  /** Whether programs write `yield*` before it. */
  readonly yields: boolean;
  /** The PTX counterpart, or `–` where there is none. */
  readonly ptx: string;
  /** The rule of docs/reference/semantics.md that defines its effect. */
  readonly rule: string;
  /** The cost hook that a machine model prices it with. */
  readonly cost: 'issue' | 'wait' | 'arrive' | 'copy' | 'use' | 'compute' | 'none';
}

type Row = readonly [OpClass, boolean, string, string, OpEntry['cost']];

const ROWS: Readonly<Record<keyof typeof OpKind, Row>> = {
  init: ['posted', false, 'mbarrier.init', 'M01', 'issue'],
  invalidate: ['posted', false, 'mbarrier.inval', 'M02', 'issue'],
  wait: ['blocking', true, 'mbarrier.try_wait.parity loop', 'M07', 'wait'],
  waitParity: ['blocking', true, 'mbarrier.try_wait.parity loop', 'M07', 'wait'],
  waitStage: ['blocking', true, 'mbarrier.try_wait.parity loop', 'R02', 'wait'],
  tryWait: ['blocking', true, 'mbarrier.try_wait.parity', 'M08', 'wait'],
  tryWaitStage: ['blocking', true, 'mbarrier.try_wait.parity', 'M08', 'wait'],
  arrive: ['posted', false, 'mbarrier.arrive[.expect_tx]', 'M03', 'arrive'],
  expectTx: ['posted', false, 'mbarrier.expect_tx', 'M04', 'issue'],
  completeTx: ['posted', false, 'mbarrier.complete_tx', 'M04', 'issue'],
  arriveDrop: ['posted', false, 'mbarrier.arrive_drop', 'M05', 'arrive'],
  asyncCopy: ['posted', false, 'cp.async.bulk[.tensor]', 'U01', 'copy'],
  asyncUse: ['posted', false, 'wgmma.mma_async, tcgen05.mma', 'U02', 'use'],
  commit: ['posted', false, 'tcgen05.commit, wgmma.commit_group', 'U03', 'issue'],
  waitGroup: ['blocking', true, 'wgmma.wait_group, cp.async.bulk.wait_group', 'U04', 'wait'],
  syncNamed: ['blocking', true, 'barrier.sync', 'N01', 'wait'],
  arriveNamed: ['posted', false, 'barrier.arrive', 'N01', 'arrive'],
  syncCluster: ['blocking', true, 'barrier.cluster', 'N02', 'wait'],
  read: ['posted', false, 'ld.shared', 'S01', 'issue'],
  write: ['posted', false, 'st.shared', 'S01', 'issue'],
  fence: ['silent', false, 'fence.proxy.async', 'S03', 'issue'],
  store: ['posted', false, 'st.release', 'C01', 'issue'],
  load: ['blocking', true, 'ld.acquire', 'C01', 'issue'],
  fetchAdd: ['blocking', true, 'atom.add', 'C01', 'issue'],
  tryClaim: ['blocking', true, 'mbarrier.try_wait + atom.cas', 'R05', 'wait'],
  compute: ['silent', true, 'instructions', 'S04', 'compute'],
  alloc: ['blocking', true, 'tcgen05.alloc', 'A01', 'issue'],
  free: ['posted', false, 'tcgen05.dealloc', 'A02', 'issue'],
  relinquish: ['posted', false, 'tcgen05.relinquish_alloc_permit', 'A03', 'issue'],
  choose: ['blocking', true, '–', 'P04', 'none'],
  more: ['silent', true, '–', 'P05', 'none'],
  spawn: ['posted', false, 'launch', 'L01', 'none'],
  join: ['blocking', true, '–', 'L01', 'wait'],
  exit: ['posted', false, 'exit', 'L02', 'none'],
  own: ['ghost', false, '–', 'O01', 'none'],
  use: ['ghost', false, '–', 'O01', 'none'],
  disown: ['ghost', false, '–', 'O01', 'none'],
  step: ['silent', false, '–', 'R03', 'none'],
  loop: ['control', true, '–', 'P06', 'none'],
  stage: ['silent', true, '–', 'R07', 'none'],
};

/** The catalogue by operation number: `CATALOGUE[op.kind].name`. */
export const CATALOGUE: readonly OpEntry[] = Object.entries(ROWS).map(([name, row]) => ({
  name: name as keyof typeof OpKind,
  class: row[0],
  yields: row[1],
  ptx: row[2],
  rule: row[3],
  cost: row[4],
}));
CATALOGUE.forEach((entry, kind) => {
  if (OpKind[entry.name] !== kind) throw new Error(`catalogue: ${entry.name} is out of order`);
});
