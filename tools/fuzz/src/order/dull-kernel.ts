// Makes a real kernel of a random program: the text that `check` runs, interpreted from data.
import {
  UNITS,
  alloc,
  arrive,
  arriveDrop,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
} from '@poundlock/core';
import {
  buffer,
  cell,
  choose,
  commit,
  commitGroup,
  completeTx,
  compute,
  count,
} from '@poundlock/core';
import {
  end,
  exit,
  expectTx,
  fence,
  fetchAdd,
  free,
  init,
  invalidate,
  join,
} from '@poundlock/core';
import {
  kernel,
  load,
  loop,
  mma,
  pipeline,
  pool,
  read,
  relinquish,
  role,
  spawn,
} from '@poundlock/core';
import { store, syncCluster, syncNamed, tma, tryWait, wait, waitGroup } from '@poundlock/core';
import { ConsumerStage, ProducerStage, waitParity, write } from '@poundlock/core';
import type { Barrier, Buffer, Cell, Count, Kernel, Op, Pool, Role } from '@poundlock/core';
import type {
  ConsumeContext,
  Operation,
  ProducerConsumerPipeline,
  ProduceContext,
} from '@poundlock/core';
import type { Body, DullProgram, Statement } from './dull-program.ts';

type Run<T = void> = Generator<Op, T, number>;
type Linear = ProducerStage | ConsumerStage;
type Handle = Linear | ProduceContext;
/** The variables of one loop's round, by slot. */
interface Slots {
  readonly handles: Map<number, Handle>;
  readonly memory: Map<number, Buffer>;
}

const noSlots = (): Slots => ({ handles: new Map(), memory: new Map() });

interface World {
  readonly program: DullProgram;
  readonly barriers: readonly Barrier[];
  readonly buffers: readonly Buffer[];
  readonly cells: readonly Cell[];
  readonly counts: readonly Count[];
  readonly pools: readonly Pool[];
  readonly rings: readonly ProducerConsumerPipeline[];
}

/** The kernel that does what `program` says. */
export function toKernel(program: DullProgram, name = 'dull'): Kernel {
  return kernel(name, {}, () => rolesOf(program));
}

/** The same, with the total of the first count as the parameter `n`. */
export function toCountingKernel(program: DullProgram): Kernel {
  return kernel('dull', { n: program.counts[0]! }, ({ n }) => {
    return rolesOf({ ...program, counts: program.counts.with(0, n) });
  });
}

function rolesOf(program: DullProgram): Role[] {
  const world = declare(program);
  return program.roles.map(({ cta, lanes, spawned, body }, index) =>
    role(`r${index}`, { cta, lanes, spawned }, function* () {
      yield* runAll(world, body, noSlots());
    }),
  );
}

function declare(program: DullProgram): World {
  const own = program.barriers.map((options, index) => barrier(`b${index}`, options));
  const rings: ProducerConsumerPipeline[] = [];
  for (const [index, { copyOf, ...options }] of program.rings.entries()) {
    const name = `q${index}`;
    rings.push(copyOf === undefined ? pipeline(name, options) : rings[copyOf]!.copy(name));
  }
  const originals = rings.filter((_, index) => program.rings[index]!.copyOf === undefined);
  const ofRings = originals.flatMap((ring) => {
    const stages = Array.from({ length: ring.stages }, (_, stage) => stage);
    return [
      ...stages.map((stage) => ring.producerMbar(stage)),
      ...stages.map((stage) => ring.consumerMbar(stage)),
    ];
  });
  return {
    program,
    barriers: [...own, ...ofRings],
    buffers: Array.from({ length: program.buffers }, (_, index) => buffer(`m${index}`)),
    cells: program.cells.map((initial, index) => cell(`c${index}`, initial)),
    counts: program.counts.map((total, index) => count(total, `n${index}`)),
    pools: program.pools.map((options, index) => pool(`p${index}`, options)),
    rings,
  };
}

function* runAll(world: World, body: Body, slots: Slots): Run {
  for (const statement of body) {
    if (!post(world, statement, slots) && !postOnStage(statement, slots)) {
      if (!(yield* waitFor(world, statement, slots))) yield* runBlocks(world, statement, slots);
    }
  }
}

const ofCta = (cta: number | undefined) => (cta === undefined ? {} : { cta });

function post(world: World, one: Statement, slots: Slots): boolean {
  if (postOnBarrier(world, one) || postOnUnit(world, one, slots)) return true;
  if (one.do === 'read') read(world.buffers[one.buffer]!, ofCta(one.cta));
  else if (one.do === 'write') write(world.buffers[one.buffer]!, ofCta(one.cta));
  else if (one.do === 'store') store(world.cells[one.cell]!, one.value);
  else if (one.do === 'arriveNamed') arriveNamed(one.id, one.threads);
  else if (one.do === 'exit') exit();
  else if (one.do === 'spawn') spawn(one.role);
  else if (one.do === 'relinquish') relinquish(world.pools[one.pool]!);
  else if (one.do === 'free' || one.do === 'touchMemory') postOnMemory(one, slots);
  else if (one.do === 'pause' && one.how === 'fence') fence();
  else return false;
  return true;
}

function postOnBarrier({ barriers }: World, one: Statement): boolean {
  if (one.do === 'arrive') {
    const { count, bytes, everyLane, ctas } = one;
    arrive(barriers[one.bar]!, { count, bytes, everyLane, ctas });
  } else if (one.do === 'expectTx') expectTx(barriers[one.bar]!, one.bytes, { ctas: one.ctas });
  else if (one.do === 'completeTx') completeTx(barriers[one.bar]!, one.bytes, { ctas: one.ctas });
  else if (one.do === 'arriveDrop') arriveDrop(barriers[one.bar]!, one.count);
  else if (one.do === 'init') init(barriers[one.bar]!, one.count);
  else if (one.do === 'invalidate') invalidate(barriers[one.bar]!);
  else return false;
  return true;
}

function postOnUnit({ barriers, buffers, cells }: World, one: Statement, slots: Slots): boolean {
  if (one.do === 'commit') commit(UNITS[one.unit], barriers[one.bar]!, { ctas: one.ctas });
  else if (one.do === 'commitGroup') commitGroup(UNITS[one.unit]);
  else if (one.do === 'asyncCopy') {
    const { bytes, ctas, value } = one;
    const bar = barriers[one.bar];
    asyncCopy(UNITS[one.unit], {
      bytes,
      ctas,
      bar,
      into: one.into.map((at) => buffers[at]!),
      ...(bar !== undefined && one.pair === true && { ctaGroup: 2 }),
      ...(one.cell !== undefined && { cell: cells[one.cell], value }),
    });
  } else if (one.do === 'asyncUse') {
    const reads = one.reads.map((at) => buffers[at]!);
    const writes = one.writes.map((at) => buffers[at]!);
    asyncUse(UNITS[one.unit], { reads, writes, group: one.group, ctas: one.ctas });
  } else if (one.do === 'issue') {
    const handle = slots.handles.get(one.slot);
    if (handle !== undefined) mma.issue(handle, one.into < 0 ? [] : [buffers[one.into]!]);
  } else return false;
  return true;
}

function postOnMemory(one: Statement & { do: 'free' | 'touchMemory' }, slots: Slots): void {
  const target = slots.memory.get(one.memory);
  if (target === undefined) return;
  if (one.do === 'free') free(target);
  else if (one.how === 'read') read(target);
  else if (one.how === 'write') write(target);
  else asyncUse(UNITS.mma, { writes: [target] });
}

function postOnStage(one: Statement, slots: Slots): boolean {
  if (!('slot' in one) || 'ring' in one) return false;
  const handle = slots.handles.get(one.slot);
  if (handle === undefined) return true;
  if (one.do === 'release') release(handle, one.signal);
  else if (one.do === 'expect') tma.expect(handle as ProducerStage, one.bytes);
  else if (one.do === 'copy') tma.copy(handle as ProducerStage, 0, { ctas: one.ctas });
  else if (one.do === 'signal') handle.arrive();
  else if (one.do === 'arriveStage') arrive(handle.mbar(), { ctas: one.ctas });
  else if (one.do === 'commitStage') mma.commit(handle.mbar(), { ctas: one.ctas });
  else if (one.do === 'readStage') read(handle.buffer());
  else if (one.do === 'writeStage') write(handle.buffer());
  return true;
}

/** Scoped handles have no release. */
function release(handle: Handle, signal: boolean): void {
  if (handle instanceof ProducerStage) handle.release();
  else if (handle instanceof ConsumerStage) {
    if (signal) handle.release();
    else handle.releaseWithoutSignal();
  }
}

function* waitFor(world: World, one: Statement, slots: Slots): Run<boolean> {
  const { barriers, rings } = world;
  if (one.do === 'wait') yield* wait(barriers[one.bar]!, one.phase);
  else if (one.do === 'waitParity') yield* waitParity(barriers[one.bar]!, one.bit);
  else if (one.do === 'waitGroup') yield* waitGroup(UNITS[one.unit], one.most);
  else if (one.do === 'syncNamed') yield* syncNamed(one.id, one.threads);
  else if (one.do === 'syncCluster') yield* syncCluster();
  else if (one.do === 'join') yield* join(one.role);
  else if (one.do === 'pause') yield* compute(1);
  else if (one.do === 'alloc') {
    slots.memory.set(one.memory, yield* alloc(world.pools[one.pool]!, one.units));
  } else if (one.do === 'drain') yield* rings[one.ring]!.drain();
  else return yield* waitOnRing(rings, one);
  return true;
}

/** What a role does without handles. */
function* waitOnRing(rings: readonly ProducerConsumerPipeline[], one: Statement): Run<boolean> {
  if (!('ring' in one) || 'slot' in one || one.do === 'tryStage') return false;
  const ring = rings[one.ring]!;
  const produces = one.do === 'drain' || one.side === 'produce';
  if (one.do === 'waitSide') {
    const isReady = one.ready === 'try' ? yield* tryOf(ring, produces) : one.ready === 'yes';
    yield* produces ? ring.waitConsumerIfNeeded(isReady) : ring.waitProducerIfNeeded(isReady);
  } else if (one.do === 'stepSide') {
    if (produces) ring.producerStep({ lanes: one.lanes });
    else ring.consumerStep({ lanes: one.lanes });
  } else if (one.do === 'signalStep') {
    yield* produces ? ring.producerSignalAndStep() : ring.consumerSignalAndStep();
  } else if (one.do === 'touchSide') {
    const stage = yield* produces ? ring.producerStage() : ring.consumerStage();
    const mbar = produces ? ring.producerMbar(stage) : ring.consumerMbar(stage);
    if (one.what === 'read') read(ring.buffers(stage)[0]!);
    else if (one.what === 'write') write(ring.buffers(stage)[0]!);
    else arrive(mbar);
  }
  return true;
}

function tryOf(ring: ProducerConsumerPipeline, produces: boolean) {
  return produces ? ring.tryWaitConsumer() : ring.tryWaitProducer();
}

function* runBlocks(world: World, one: Statement, slots: Slots): Run {
  const { barriers, cells, rings } = world;
  if (one.do === 'tryWait') {
    const passed = yield* tryWait(barriers[one.bar]!, one.phase);
    yield* runAll(world, passed ? one.then : one.else, slots);
  } else if (one.do === 'tryStage') {
    const isReady = yield* tryOf(rings[one.ring]!, one.side === 'produce');
    yield* runAll(world, isReady ? one.then : one.else, slots);
  } else if (one.do === 'choose') {
    yield* runAll(world, one.branches[yield* choose(one.branches.length)]!, slots);
  } else if (one.do === 'load') {
    const target = cells[one.cell]!;
    const operation = one.amount === undefined ? load(target) : fetchAdd(target, one.amount);
    yield* runAll(world, (yield* operation) === one.equals ? one.then : one.else, slots);
  } else if (one.do === 'claim') {
    const handle = yield* rings[one.ring]!.tryClaim();
    if (handle !== null) slots.handles.set(one.slot, handle);
    yield* runAll(world, handle === null ? one.else : one.then, slots);
  } else if (one.do === 'acquire') {
    const ring = rings[one.ring]!;
    const operation = one.side === 'produce' ? ring.acquireProducer() : ring.acquireConsumer();
    slots.handles.set(one.slot, yield* operation);
  } else if (one.do === 'scoped') {
    yield* runScoped(world, one, slots);
  } else if (one.do === 'repeat') {
    for (let round = 0; round < one.times; round++) yield* runAll(world, one.body, slots);
  } else {
    yield* runLoop(world, one, slots);
  }
}

function scopeOf(
  ring: World['rings'][number],
  one: Extract<Statement, { do: 'scoped' }>,
): Operation<ProduceContext | ConsumeContext> {
  if (one.side === 'produce') return ring.produce();
  return one.explicit ? ring.consumeExplicit() : ring.consume();
}

function* runScoped(world: World, one: Statement, slots: Slots): Run {
  if (one.do !== 'scoped') return;
  const ring = world.rings[one.ring]!;
  using handle = (yield* scopeOf(ring, one)) as ProduceContext;
  slots.handles.set(one.slot, handle);
  yield* runAll(world, one.body, slots);
  slots.handles.delete(one.slot);
}

function* runLoop(world: World, one: Statement, slots: Slots): Run {
  if (one.do === 'poll' && one.isPlain === true && one.body.length === 0) {
    // A poll by its text (P07).
    while (!(yield* tryWait(world.barriers[one.bar]!, one.phase)));
  } else if (one.do === 'poll' && one.isPlain === true) {
    while (!(yield* tryWait(world.barriers[one.bar]!, one.phase))) {
      yield* runAll(world, one.body, slots);
    }
  } else if (one.do === 'poll') {
    const target = world.barriers[one.bar]!;
    yield* loop(null, function* () {
      if (yield* tryWait(target, one.phase)) return end(null);
      yield* runAll(world, one.body, noSlots());
      return null;
    });
  }
  if (one.do === 'spin') {
    const target = world.cells[one.cell]!;
    yield* loop(null, function* () {
      if ((yield* load(target)) === one.equals) return end(null);
      yield* runAll(world, one.body, noSlots());
      return null;
    });
  }
  if (one.do !== 'loop' && one.do !== 'until') return;
  const carry = one.carry ?? -1;
  const first = linear(slots.handles.get(carry));
  if (first !== null) slots.handles.delete(carry);
  const last = yield* loop<Linear | null, Linear | null>(first, function* (handle) {
    const round = noSlots();
    if (handle !== null) round.handles.set(carry, handle);
    const more = one.do === 'loop' ? yield* world.counts[one.count]!.more() : yield* goOn();
    if (!more) return end(handle);
    yield* runAll(world, one.body, round);
    return linear(round.handles.get(carry));
  });
  if (last !== null) slots.handles.set(carry, last);
}

function* goOn(): Run<boolean> {
  return (yield* choose(2)) === 1;
}

/** Only linear handles travel through a loop's state. */
function linear(handle: Handle | undefined): Linear | null {
  return handle instanceof ProducerStage || handle instanceof ConsumerStage ? handle : null;
}
