// A call of everything public that takes options, with options of the caller's choice.
import * as poundlock from 'poundlock';
import { arrive, barrier, buffer, cell, kernel, pipeline, pool, role, UNITS } from 'poundlock';
import { check } from 'poundlock/check';
import * as cute from 'poundlock/cute';
import { MODELS } from 'poundlock/simulate';
import * as sm100 from 'poundlock/sm100';

/** Options that a call may refuse. */
export type Wrong = Readonly<Record<string, unknown>>;

/** Performs the call; what a promise is rejected with counts, too. */
export type Call = (wrong: Wrong) => unknown;

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** The function with that name, without its types. */
function named(of: object, name: string): (...args: unknown[]) => unknown {
  return (of as Functions)[name] as (...args: unknown[]) => unknown;
}

/** Arguments before the options, in the order in which a role has them. */
interface Declared {
  readonly bar: poundlock.Barrier;
  readonly tile: poundlock.Buffer;
  readonly flag: poundlock.Cell;
  readonly tmem: poundlock.Pool;
  readonly ab: poundlock.ProducerConsumerPipeline;
}

function declareAll(): Declared {
  return {
    bar: barrier('bar'),
    tile: buffer('tile', { bytes: 128 }),
    flag: cell('flag'),
    tmem: pool('tmem', { capacity: 512 }),
    ab: pipeline('ab', { stages: 2, bytes: 128 }),
  };
}

/** A kernel whose callback makes a call, checked. */
function inKernel(call: () => unknown): Promise<unknown> {
  return check(
    kernel('calls', {}, () => {
      call();
      return [role('idle', function* () {})];
    }),
  );
}

/** A kernel with a role that makes a call, checked. */
export function inRole(call: (declared: Declared) => unknown): Promise<unknown> {
  return check(
    kernel('calls', {}, () => {
      const declared = declareAll();
      poundlock.registers({ perThread: 128, threads: 128 });
      return [
        role('calls', { warps: 4 }, function* () {
          call(declared);
        }),
      ];
    }),
  );
}

const inCallback = (of: object, name: string, ...before: unknown[]): Call => {
  return (wrong) => inKernel(() => named(of, name)(...before, wrong));
};
const construct = (of: object, name: string, ...before: unknown[]): Call => {
  const Class = (of as Readonly<Record<string, unknown>>)[name] as new (
    ...args: unknown[]
  ) => object;
  return (wrong) => inKernel(() => new Class(...before, wrong));
};
const operation = (name: string, before: (declared: Declared) => unknown[]): Call => {
  return (wrong) => inRole((declared) => named(poundlock, name)(...before(declared), wrong));
};
const plain = (module: string, name: string, ...before: unknown[]): Call => {
  return async (wrong) => named((await import(module)) as object, name)(...before, wrong);
};

const none = (): unknown[] => [];
const bar = ({ bar }: Declared): unknown[] => [bar];
const idle = kernel('idle', {}, () => [
  role('a', function* () {
    arrive(barrier('unused'));
  }),
]);
const roles = (): [] => [];

/** By subpath and name: functions and constructors, and members of objects of functions. */
export const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  poundlock: {
    barrier: inCallback(poundlock, 'barrier', 'x'),
    buffer: inCallback(poundlock, 'buffer', 'x'),
    cell: inCallback(poundlock, 'cell', 'x', 0),
    pool: inCallback(poundlock, 'pool', 'x'),
    grid: inCallback(poundlock, 'grid', 'x'),
    launch: inCallback(poundlock, 'launch'),
    registers: inCallback(poundlock, 'registers'),
    count: inCallback(poundlock, 'count', 1, 'x'),
    pipeline: inCallback(poundlock, 'pipeline', 'x'),
    namedBarrier: inCallback(poundlock, 'namedBarrier', 'x'),
    kernel: plain('poundlock', 'kernel', 'x', {}, roles),
    integer: plain('poundlock', 'integer', 1),
    role: (wrong) => role('x', wrong as never, function* () {}),
    init: operation('init', ({ bar }) => [bar, 1]),
    invalidate: operation('invalidate', bar),
    wait: operation('wait', ({ bar }) => [bar, 0]),
    waitParity: operation('waitParity', ({ bar }) => [bar, 0]),
    tryWait: operation('tryWait', ({ bar }) => [bar, 0]),
    tryWaitParity: operation('tryWaitParity', ({ bar }) => [bar, 0]),
    arrive: operation('arrive', bar),
    arriveDrop: operation('arriveDrop', ({ bar }) => [bar, 1]),
    expectTx: operation('expectTx', ({ bar }) => [bar, 8]),
    completeTx: operation('completeTx', ({ bar }) => [bar, 8]),
    asyncCopy: operation('asyncCopy', () => [UNITS.tma]),
    asyncUse: operation('asyncUse', () => [UNITS.mma]),
    commit: operation('commit', ({ bar }) => [UNITS.mma, bar]),
    commitGroup: operation('commitGroup', () => [UNITS.mma]),
    waitGroup: operation('waitGroup', () => [UNITS.mma, 0]),
    signalWhenDone: operation('signalWhenDone', ({ bar }) => [UNITS.cpAsync, bar]),
    read: operation('read', ({ tile }) => [tile]),
    write: operation('write', ({ tile }) => [tile]),
    fence: operation('fence', () => ['proxy.async']),
    store: operation('store', ({ flag }) => [flag, 1]),
    load: operation('load', ({ flag }) => [flag]),
    fetchAdd: operation('fetchAdd', ({ flag }) => [flag, 1]),
    alloc: operation('alloc', ({ tmem }) => [tmem, 32]),
    free: operation('free', ({ tmem }) => [tmem.buffers[0]]),
    relinquish: operation('relinquish', ({ tmem }) => [tmem]),
    syncNamed: operation('syncNamed', () => [1, 128]),
    arriveNamed: operation('arriveNamed', () => [1, 128]),
    syncWarp: operation('syncWarp', none),
    syncCluster: operation('syncCluster', none),
    arriveCluster: operation('arriveCluster', none),
    waitCluster: operation('waitCluster', none),
    setMaxRegisters: operation('setMaxRegisters', () => ['dec', 24]),
    launchDependents: operation('launchDependents', none),
    waitGrids: operation('waitGrids', none),
    compute: operation('compute', () => [1, () => {}]),
    choose: operation('choose', () => [2]),
    spawn: operation('spawn', () => [0]),
    join: operation('join', () => [0]),
    exit: operation('exit', none),
    loop: operation('loop', () => [0, function* () {}]),
    end: operation('end', () => [0]),
    adopt: operation('adopt', () => [{}]),
    'tma.copy': (wrong) => inRole(({ ab }) => named(poundlock.tma, 'copy')(slotOf(ab), 0, wrong)),
    'mma.issue': (wrong) => inRole(() => named(poundlock.mma, 'issue')([], [], wrong)),
    'mma.commit': (wrong) => inRole(({ bar }) => named(poundlock.mma, 'commit')(bar, wrong)),
    'mma.commitGroup': (wrong) => inRole(() => named(poundlock.mma, 'commitGroup')(wrong)),
    'mma.waitGroup': (wrong) => inRole(() => named(poundlock.mma, 'waitGroup')(0, wrong)),
    'ab.producerStep': (wrong) => inRole(({ ab }) => ab.producerStep(wrong)),
    'ab.consumerStep': (wrong) => inRole(({ ab }) => ab.consumerStep(wrong)),
    'a unit': (wrong) =>
      inRole(() => poundlock.commitGroup({ name: 'x', order: 'in-order', ...wrong })),
  },
  'poundlock/check': { check: plain('poundlock/check', 'check', idle) },
  'poundlock/simulate': {
    simulate: (wrong) =>
      plain('poundlock/simulate', 'simulate', idle)({ model: MODELS.h200, ...wrong }),
  },
  'poundlock/advise': { advise: plain('poundlock/advise', 'advise', idle) },
  'poundlock/export': { exportKernel: plain('poundlock/export', 'exportKernel', idle, 'dot') },
  'poundlock/run': { run: plain('poundlock/run', 'run', idle, {}) },
  'poundlock/test': { certify: plain('poundlock/test', 'certify', idle, {}) },
  'poundlock/ptx': {
    ptxKernel: plain('poundlock/ptx', 'ptxKernel'),
    stepsKernel: plain('poundlock/ptx', 'stepsKernel'),
  },
  'poundlock/cute': {
    makeProducerStartState: plain('poundlock/cute', 'makeProducerStartState', { stages: 2 }),
    makeConsumerStartState: plain('poundlock/cute', 'makeConsumerStartState', { stages: 2 }),
    'PipelineOrder.create': inCallback(cute.PipelineOrder, 'create', 'x'),
    'PipelineTmaStore.create': inCallback(cute.PipelineTmaStore, 'create'),
    ...kindsOf(cute, ''),
    ...kindsOf(cute.cutlass, 'cutlass.'),
  },
  'poundlock/sm100': {
    clusterOf: plain('poundlock/sm100', 'clusterOf'),
    tileArray: inCallback(sm100, 'tileArray', 'x'),
    KernelContext: (wrong) => new sm100.KernelContext(wrong as never, 0),
    TileScheduler: construct(sm100, 'TileScheduler'),
    TileSchedulerSplitK: construct(sm100, 'TileSchedulerSplitK'),
    GroupedTileScheduler: construct(sm100, 'GroupedTileScheduler'),
    GroupedClcScheduler: construct(sm100, 'GroupedClcScheduler'),
    InputTilePipeline: construct(sm100, 'InputTilePipeline', 'x', { bytes: 1 }),
    StandardTilePayload: construct(sm100, 'StandardTilePayload'),
    BlockScaledTilePayload: construct(sm100, 'BlockScaledTilePayload'),
    BlockwiseFP8TilePayload: construct(sm100, 'BlockwiseFP8TilePayload'),
    SmemPipelineBundle: construct(sm100, 'SmemPipelineBundle'),
    AccumBarriers: construct(sm100, 'AccumBarriers', 'x'),
    TmemStorage: construct(sm100, 'TmemStorage', 'x'),
    WarpContextTypes: construct(sm100, 'WarpContextTypes'),
  },
  'poundlock/ring': {
    createRing: plain('poundlock/ring', 'createRing'),
    pipe: plain('poundlock/ring', 'pipe', [], [], () => {}),
  },
  'poundlock/lint': { lintProgram: plain('poundlock/lint', 'lintProgram', {}) },
};

/** The `create` of each kind of pipeline. */
function kindsOf(of: object, before: string): Record<string, Call> {
  const kinds = Object.entries(of).filter(([name]) => /^Pipeline.*(?:Async|Umma)$/.test(name));
  return Object.fromEntries(
    kinds.map(([name, kind]) => [
      `${before}${name}.create`,
      inCallback(kind as object, 'create', 'x'),
    ]),
  );
}

/** A handle of a stage that the role does not own: options are looked at first. */
function slotOf(ab: poundlock.ProducerConsumerPipeline): unknown {
  return { owner: ab };
}

/** Functions and constructors without options: they take data, or what others made. */
export const WITHOUT_OPTIONS: ReadonlySet<string> = new Set([
  'poundlock/cute advance',
  'poundlock/lint applyEdits',
  'poundlock/lint classicProgram',
  'poundlock/lint editsTogether',
  'poundlock/lint findConfig',
  'poundlock/lint readConfig',
  'poundlock/lint rulePageUrl',
  'poundlock/lint titleOf',
  'poundlock/ptx parsePtx',
  'poundlock/ring attachRing',
  'poundlock/ring wholeLines',
  'poundlock/run reportAtExit',
  'poundlock/sm100 leaderOf',
]);
