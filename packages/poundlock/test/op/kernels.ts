// A small kernel for each operation, whose outcome depends on whether the operation is made.
import {
  alloc,
  arrive,
  arriveDrop,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  choose,
  commit,
  completeTx,
  compute,
  count,
  end,
  exit,
  expectTx,
  fence,
  fetchAdd,
  free,
  init,
  invalidate,
  join,
  kernel,
  load,
  loop,
  pipeline,
  pool,
  read,
  relinquish,
  role,
  spawn,
  store,
  syncCluster,
  syncNamed,
  tryWait,
  UNITS,
  wait,
  waitGroup,
  waitParity,
  write,
  type Buffer,
  type Op,
  type ProducerStage,
  type Role,
} from 'poundlock';
import { makeOp, OpKind, Side, type OpName } from '@poundlock/core/internal/op';
import { grid } from '../../../core/src/program/grids.ts';
import { Operation, operation, post } from '@poundlock/core/internal/program';
import {
  arriveCluster,
  launchDependents,
  registers,
  setMaxRegisters,
  waitCluster,
  waitGrids,
} from '../../../core/src/program/operations.ts';

/** Longer than all that operations cost by themselves. */
export const LONG_CYCLES = 100_000;

type Make = (makes: boolean) => readonly Role[];
type Body = () => Generator<Op, void, number>;

/** A kernel of one role. */
function only(body: Body, lanes = 1): readonly Role[] {
  return [role('only', { lanes }, body)];
}

/** A role that waits forever if `value` is what the operation answers. */
function stuckIf(makes: boolean, ask: () => Generator<Op, boolean, number>): readonly Role[] {
  const never = barrier('never');
  return only(function* () {
    if (makes && (yield* ask())) yield* wait(never, 0);
  });
}

const CONSUMING = { ring: 0, side: Side.consume } as const;
const WAITING = { ...CONSUMING, isAssumed: false, isDraining: false } as const;

/** What a role of its own answers, at a ring of one stage that is full. */
function ofFullRing(make: () => Op, isIt: (answer: number) => boolean): Make {
  return (makes) => {
    const ring = pipeline('ring', { stages: 1 });
    return stuckIf(makes, function* () {
      arrive(ring.producerMbar(0));
      return yield* new Operation(make(), isIt, 'an operation');
    });
  };
}

/** A buffer that is accessed after it was freed, if `makes`. */
function afterFree(makes: boolean, access: (target: Buffer) => void): readonly Role[] {
  const memory = pool('memory', { capacity: 32 });
  return only(function* () {
    const tile = yield* alloc(memory, 32);
    relinquish(memory);
    free(tile);
    if (makes) access(tile);
  });
}

/** A producer's handle, which was released. */
function misused(misuse: (stage: ProducerStage) => Generator<Op, void, number>): readonly Role[] {
  const ring = pipeline('ring', { stages: 1, bytes: 16 });
  return only(function* () {
    const stage = yield* ring.acquireProducer();
    yield* misuse(stage);
  });
}

/** By operation: the kernel with it, and without it. */
export const KERNELS = {
  init: (makes) => {
    const bar = barrier('bar', { count: 0 });
    return only(function* () {
      if (makes) init(bar, 1);
      arrive(bar);
    });
  },
  invalidate: (makes) => {
    const bar = barrier('bar');
    return only(function* () {
      if (makes) invalidate(bar);
      arrive(bar);
    });
  },
  wait: (makes) => {
    const never = barrier('never');
    return only(function* () {
      if (makes) yield* wait(never, 0);
    });
  },
  waitParity: (makes) => {
    const never = barrier('never');
    return only(function* () {
      if (makes) yield* waitParity(never, 0);
    });
  },
  waitStage: (makes) => {
    pipeline('ring', { stages: 1 });
    return only(function* () {
      if (makes) yield* operation(makeOp(OpKind.waitStage, WAITING), 'waitProducer()');
    });
  },
  tryWait: (makes) => {
    const bar = barrier('bar');
    return stuckIf(makes, function* () {
      arrive(bar);
      return yield* tryWait(bar, 0);
    });
  },
  tryWaitStage: ofFullRing(
    () => makeOp(OpKind.tryWaitStage, CONSUMING),
    (answer) => answer === 1,
  ),
  arrive: (makes) => {
    const bar = barrier('bar');
    return only(function* () {
      if (makes) arrive(bar);
      yield* wait(bar, 0);
    });
  },
  expectTx: (makes) => {
    const bar = barrier('bar');
    return only(function* () {
      if (makes) expectTx(bar, 16);
      arrive(bar);
      yield* wait(bar, 0);
    });
  },
  completeTx: (makes) => {
    const bar = barrier('bar');
    return only(function* () {
      arrive(bar, { bytes: 16 });
      if (makes) completeTx(bar, 16);
      yield* wait(bar, 0);
    });
  },
  arriveDrop: (makes) => {
    const bar = barrier('bar', { count: 2 });
    return only(function* () {
      if (makes) arriveDrop(bar);
      arrive(bar);
      yield* wait(bar, 0);
    });
  },
  asyncCopy: (makes) => {
    const [bar, tile] = [barrier('bar'), buffer('tile')];
    return only(function* () {
      arrive(bar, { bytes: 16 });
      if (makes) asyncCopy(UNITS.tma, { into: [tile], bar, bytes: 16 });
      yield* wait(bar, 0);
    });
  },
  asyncUse: (makes) => {
    const [bar, tile] = [barrier('bar'), buffer('tile')];
    return only(function* () {
      if (makes) asyncUse(UNITS.mma, { reads: [tile], cycles: LONG_CYCLES });
      write(tile);
      commit(UNITS.mma, bar);
      yield* wait(bar, 0);
    });
  },
  commit: (makes) => {
    const bar = barrier('bar');
    return only(function* () {
      if (makes) commit(UNITS.mma, bar);
      yield* wait(bar, 0);
    });
  },
  waitGroup: (makes) => {
    const tile = buffer('tile');
    return only(function* () {
      asyncUse(UNITS.mma, { reads: [tile], cycles: LONG_CYCLES, group: true });
      if (makes) yield* waitGroup(UNITS.mma, 0);
      write(tile);
    });
  },
  syncNamed: (makes) =>
    only(function* () {
      if (makes) yield* syncNamed(1, 64);
    }, 32),
  arriveNamed: (makes) => [
    role('one', { lanes: 32 }, function* () {
      if (makes) arriveNamed(1, 96);
    }),
    role('other', { lanes: 64 }, function* () {
      yield* syncNamed(1, 96);
    }),
  ],
  syncCluster: (makes) => [
    role('one', function* () {
      if (makes) yield* syncCluster();
    }),
    role('other', function* () {
      yield* syncCluster();
    }),
  ],
  read: (makes) => afterFree(makes, read),
  write: (makes) => afterFree(makes, write),
  fence: (makes) =>
    only(function* () {
      if (makes) fence();
    }),
  store: (makes) => {
    const flag = cell('flag');
    return stuckIf(true, function* () {
      if (makes) store(flag, 1);
      return (yield* load(flag)) === 1;
    });
  },
  load: (makes) => {
    const flag = cell('flag', 1);
    return stuckIf(makes, function* () {
      return (yield* load(flag)) === 1;
    });
  },
  fetchAdd: (makes) => {
    const flag = cell('flag');
    return stuckIf(true, function* () {
      if (makes) yield* fetchAdd(flag, 1);
      return (yield* load(flag)) === 1;
    });
  },
  tryClaim: ofFullRing(
    () => makeOp(OpKind.tryClaim, CONSUMING),
    (stage) => stage === 0,
  ),
  compute: (makes) =>
    only(function* () {
      if (makes) yield* compute(LONG_CYCLES, fails);
    }),
  alloc: (makes) => {
    const memory = pool('memory', { capacity: 32 });
    return only(function* () {
      if (makes) yield* alloc(memory, 32);
      yield* alloc(memory, 32);
    });
  },
  free: (makes) => {
    const memory = pool('memory', { capacity: 32 });
    return only(function* () {
      const tile = yield* alloc(memory, 32);
      if (makes) free(tile);
      yield* alloc(memory, 32);
    });
  },
  relinquish: (makes) => {
    const memory = pool('memory', { capacity: 32 });
    return only(function* () {
      if (makes) relinquish(memory);
      yield* alloc(memory, 32);
    });
  },
  choose: (makes) =>
    stuckIf(makes, function* () {
      return (yield* choose(512)) > 0;
    }),
  more: (makes) => {
    const items = count(1);
    return stuckIf(makes, function* () {
      return yield* items.more();
    });
  },
  spawn: (makes) => {
    const bar = barrier('bar');
    return [
      role('starter', function* () {
        if (makes) spawn(1);
        yield* wait(bar, 0);
      }),
      role('started', { spawned: true }, function* () {
        arrive(bar);
      }),
    ];
  },
  join: (makes) => {
    const bar = barrier('bar');
    return [
      role('one', function* () {
        if (makes) yield* join(1);
        arrive(bar);
      }),
      role('other', function* () {
        yield* wait(bar, 0);
      }),
    ];
  },
  exit: (makes) => {
    const bar = barrier('bar');
    return only(function* () {
      if (makes) exit();
      arrive(bar);
    });
  },
  own: (makes) => {
    const ring = pipeline('ring', { stages: 1, bytes: 16 });
    return only(function* () {
      const stage = yield* ring.acquireProducer();
      if (makes) yield* ring.acquireProducer();
      stage.release();
    });
  },
  use: (makes) =>
    misused(function* (stage) {
      stage.release();
      if (makes) stage.buffer();
    }),
  disown: (makes) =>
    misused(function* (stage) {
      stage.release();
      if (makes) stage.release();
    }),
  step: (makes) => {
    pipeline('ring', { stages: 1 });
    const producing = { ...WAITING, side: Side.produce };
    return only(function* () {
      if (makes) post(makeOp(OpKind.step, { ring: 0, side: Side.produce, past: null }));
      yield* operation(makeOp(OpKind.waitStage, producing), 'waitConsumer()');
    });
  },
  loop: (makes) => {
    const never = barrier('never');
    return only(function* () {
      if (!makes) return;
      yield* loop<number, number>(0, function* () {
        yield* wait(never, 0);
        return end(0);
      });
    });
  },
  stage: (makes) => {
    pipeline('ring', { stages: 1 });
    return stuckIf(makes, function* () {
      const op = makeOp(OpKind.stage, CONSUMING);
      return yield* new Operation(op, (stage) => stage === 0, 'consumerStage()');
    });
  },
  arriveCluster: (makes) => {
    const bar = barrier('bar');
    return [
      role('one', function* () {
        if (makes) arriveCluster();
        yield* wait(bar, 0);
        yield* waitCluster();
      }),
      role('other', function* () {
        arriveCluster();
        yield* waitCluster();
        arrive(bar);
      }),
    ];
  },
  waitCluster: (makes) => {
    const bar = barrier('bar');
    return [
      role('one', function* () {
        arriveCluster();
        if (makes) yield* waitCluster();
        arrive(bar);
      }),
      role('other', function* () {
        yield* wait(bar, 0);
      }),
    ];
  },
  giveRegisters: (makes) => {
    registers({ perThread: 168, threads: 256 });
    return [
      role('one', { warps: 4 }, function* () {
        if (makes) yield* setMaxRegisters('dec', 24);
      }),
      role('other', { warps: 4 }, function* () {
        yield* setMaxRegisters('inc', 240);
      }),
    ];
  },
  takeRegisters: (makes) => {
    registers({ perThread: 168, threads: 128 });
    return only(function* () {
      if (makes) yield* setMaxRegisters('inc', 240);
    }, 128);
  },
  launchDependents: (makes) => {
    const [first, out] = [grid('first'), buffer('out', { space: 'global' })];
    return [
      role('one', { grid: first }, function* () {
        if (makes) launchDependents();
        yield* compute(LONG_CYCLES);
        write(out);
      }),
      role('other', { grid: grid('second', { after: first }) }, function* () {
        yield* compute(LONG_CYCLES);
        write(out);
      }),
    ];
  },
  waitGrids: (makes) => {
    const [first, out] = [grid('first'), buffer('out', { space: 'global' })];
    return [
      role('one', { grid: first }, function* () {
        launchDependents();
        yield* compute(LONG_CYCLES);
        write(out);
      }),
      role('other', { grid: grid('second', { after: first }) }, function* () {
        if (makes) yield* waitGrids();
        yield* compute(LONG_CYCLES);
        write(out);
      }),
    ];
  },
} satisfies Record<OpName, Make>;

/** Work that only an engine notices which does it. */
function fails(): never {
  throw new Error('the work is done');
}

const defaults: { operation: OpName; makes: boolean } = { operation: 'init', makes: true };

export default kernel('operations', defaults, ({ operation: name, makes }) => {
  return KERNELS[name as OpName](makes);
});
