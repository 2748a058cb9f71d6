// What operations are called in the text that a kernel was written in: a program, or PTX as built.
import { UNITS } from '../../op/index.ts';
import type { System } from '../system.ts';

/** The words of hints in one language. */
interface Words {
  /** `fence('proxy.async')`. */
  readonly proxyFence: string;
  readonly initFence: string;
  readonly wgmmaFence: string;
  readonly strongArrival: string;
  readonly strongWait: string;
  readonly releaseFence: string;
  /** How the arrival, the wait or both get the scope of the cluster. */
  readonly clusterScope: (what: string) => string;
  readonly tensorFences: string;
  readonly mapFences: string;
  /** A meeting of the CTAs of a cluster. */
  readonly meetCluster: string;
  /** A meeting of all roles of a CTA, or of all CTAs of a cluster. */
  readonly meetAll: string;
  /** A meeting of the strands of a role. */
  readonly joinStrands: (family: string, when: string) => string;
  readonly clusterPair: string;
  /** A wait for the work of a unit. */
  readonly waitForWork: (unit: string) => string;
  /** What else there is, for work that may have a commit. */
  readonly orCommit: string;
  /** The same, before a signal that releases what the work uses. */
  readonly waitFirst: (unit: string, isRaii: boolean) => string;
  readonly expectBytes: string;
  readonly expectOthers: string;
  readonly declareCount: (barrier: string, count: string) => string;
  readonly gridWait: string;
  readonly waitBetween: (grid: string) => string;
  readonly waitForGrid: (role: string) => string;
  readonly drain: (keeper: string, name: string) => string;
  readonly namedCount: string;
  readonly wholeWarpgroup: string;
  readonly changeRegisters: (word: string, count: number) => string;
}

/** The names of units in programs. */
const UNIT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(UNITS).map(([key, { name }]) => [name, `UNITS.${key}`]),
);

const OF_PROGRAMS: Words = {
  proxyFence: "fence('proxy.async')",
  initFence: "fence('mbarrier.init')",
  wgmmaFence: "fence('wgmma')",
  strongArrival: "leave out sem: 'relaxed' of the arrival",
  releaseFence: "fence('release')",
  strongWait: "leave out sem: 'relaxed' of the wait, or execute fence('acquire') after it",
  clusterScope: (what) => `give ${what} scope: 'cluster'`,
  tensorFences:
    "execute fence('tcgen05.before') before the signal, unless it is a commit, and " +
    "fence('tcgen05.after') after the wait",
  mapFences:
    "execute fence('proxy.tensormap', { direction: 'release' }) after the change, and with " +
    "direction: 'acquire' and the map before the copy",
  meetCluster: 'yield* syncCluster()',
  meetAll: 'yield* syncCluster(), or a named barrier',
  joinStrands: (family, when) =>
    `join the strands of ${family} ${when}: yield* syncWarp() or a named barrier`,
  clusterPair: 'every arriveCluster() needs one waitCluster() after it',
  waitForWork: (unit) => `yield* waitGroup(${UNIT_NAMES.get(unit) ?? 'unit'}, 0)`,
  orCommit: ', or a commit and a wait for its barrier',
  waitFirst: (_, isRaii) =>
    isRaii
      ? 'release it explicitly after waitGroup(0), or signal with a commit'
      : 'wait for the work with waitGroup(0) first, or signal with a commit',
  expectBytes: 'expect the bytes that are copied: use tma.load, or tma.expect before tma.copy',
  expectOthers:
    'expecting bytes is an arrival of its own: expect all bytes in one arrival, ' +
    'or use expectTx for the others',
  declareCount: (barrier, count) => `declare ${barrier} with the count ${count}`,
  gridWait: 'waitGrids()',
  waitBetween: (grid) => `let a role of grid ${grid} perform yield* waitGrids(), too`,
  waitForGrid: (role) =>
    `let ${role} perform yield* waitGrids() before it, or wait for a role that has done so; ` +
    'no fence before launchDependents() replaces it',
  drain: (keeper, name) => `let ${keeper} wait for ${name} before it ends`,
  namedCount:
    'use one count in every role: the sum of the threads of all that arrive and sync; ' +
    'with { lanes: 32 } one warp of a role comes alone',
  wholeWarpgroup: 'let all four warps of the warpgroup perform it, without `by`',
  changeRegisters: (word, count) => `setMaxRegisters('${word}', ${count})`,
};

/** The instructions that wait for the work of a unit; `null` for units that only commits report. */
const WAITS: Readonly<Record<string, string>> = {
  bulk: 'cp.async.bulk.wait_group 0',
  'bulk.read': 'cp.async.bulk.wait_group.read 0',
  'cp.async': 'cp.async.wait_all',
  wgmma: 'wgmma.wait_group.sync.aligned 0',
  'tcgen05.ld': 'tcgen05.wait::ld.sync.aligned',
  'tcgen05.st': 'tcgen05.wait::st.sync.aligned',
};

const OF_PTX: Words = {
  proxyFence: 'fence.proxy.async',
  initFence: 'fence.mbarrier_init.release.cluster',
  wgmmaFence: 'wgmma.fence.sync.aligned',
  strongArrival: 'let the arrival be .release instead of .relaxed',
  releaseFence: 'fence.acq_rel',
  strongWait: 'let the wait be .acquire instead of .relaxed, or execute fence.acq_rel after it',
  clusterScope: (what) => `give ${what} the scope .cluster instead of .cta`,
  tensorFences:
    'execute tcgen05.fence::before_thread_sync before the signal, unless it is a commit, and ' +
    'tcgen05.fence::after_thread_sync after the wait',
  mapFences:
    'execute fence.proxy.tensormap::generic.release after the change, and ' +
    'fence.proxy.tensormap::generic.acquire with the map before the copy',
  meetCluster: 'barrier.cluster.arrive and barrier.cluster.wait',
  meetAll: '__syncthreads(), or in a cluster barrier.cluster.arrive and barrier.cluster.wait',
  joinStrands: (_, when) => `put __syncwarp() ${when}`,
  clusterPair: 'every barrier.cluster.arrive needs one barrier.cluster.wait after it',
  waitForWork: (unit) => WAITS[unit] ?? 'tcgen05.commit and a wait for its mbarrier',
  orCommit: '',
  waitFirst: (unit) => `wait for the work first: ${OF_PTX.waitForWork(unit)}`,
  expectBytes: 'expect the bytes that are copied: mbarrier.arrive.expect_tx before the copy',
  expectOthers:
    'mbarrier.arrive.expect_tx is an arrival: expect all bytes in one, ' +
    'or use mbarrier.expect_tx for the others',
  declareCount: (barrier, count) => `initialize ${barrier} with the count ${count}`,
  gridWait: 'griddepcontrol.wait',
  waitBetween: (grid) => `let a warp of grid ${grid} execute griddepcontrol.wait, too`,
  waitForGrid: (role) =>
    `let ${role} execute griddepcontrol.wait before it, or wait for a warp that has done so; ` +
    'no fence before griddepcontrol.launch_dependents replaces it',
  drain: () => 'let the CTAs meet before they end: barrier.cluster.arrive and barrier.cluster.wait',
  namedCount: 'use one count in every warp: the sum of the threads of all that arrive and sync',
  wholeWarpgroup: 'let all four warps of the warpgroup execute it together',
  changeRegisters: (word, count) => `setmaxnreg.${word} with ${count}`,
};

const BY_DIALECT = { program: OF_PROGRAMS, ptx: OF_PTX } as const;

/** The words of the text that the kernel of a system was written in. */
export function wordsOf({ program }: Pick<System, 'program'>): Words {
  return BY_DIALECT[program.kernel.dialect ?? 'program'];
}
