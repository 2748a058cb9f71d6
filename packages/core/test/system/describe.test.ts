// The texts of operations and flights, and the names in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { CATALOGUE, OpKind } from '#src/op/index';
import {
  alloc,
  arrive,
  arriveCluster,
  arriveDrop,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  choose,
  commit,
  commitGroup,
  completeTx,
  compute,
  exit,
  expectTx,
  fence,
  fetchAdd,
  free,
  init,
  invalidate,
  join,
  kernel,
  launchDependents,
  load,
  pipeline,
  pool,
  read,
  registers,
  relinquish,
  role,
  setMaxRegisters,
  spawn,
  store,
  syncCluster,
  syncNamed,
  tryWait,
  UNITS,
  wait,
  waitCluster,
  waitGrids,
  waitGroup,
  waitParity,
  write,
  type Kernel,
  type Op,
} from '#src/public';
import { READING_UNITS } from '#src/program/index';
import { describe, describeFlight, formatNumber } from '#src/system/index';
import { list, plural } from '#src/system/names';
import { systemOf } from './explore.ts';

/** One role that makes every operation, in an order in which each can be described. */
const everything: Kernel = kernel('everything', {}, () => {
  const ab = pipeline('ab', { stages: 1, advance: 'acquire' });
  const bar = barrier('bar', { count: 9 });
  const [tile, out] = [buffer('tile'), buffer('out')];
  const flag = cell('flag', 1);
  registers({ perThread: 168, threads: 32 });
  const tmem = pool('tmem', { capacity: 2_048 });
  return [
    role('work', { lanes: 32 }, function* () {
      yield* everyOperation();
    }),
    role('spare', { spawned: true }, function* () {}),
  ];
  function* everyOperation(): Generator<Op, void, number> {
    init(bar, 3);
    invalidate(bar);
    yield* wait(bar, 4);
    yield* waitParity(bar, 1);
    yield* ab.waitProducer();
    yield* ab.waitProducerIfNeeded(true);
    yield* tryWait(bar, 2);
    yield* ab.tryWaitConsumer();
    yield* ab.tryClaim();
    arrive(bar, { everyLane: true, bytes: 32_768 });
    arrive(bar);
    expectTx(bar, 16);
    completeTx(bar, 8);
    arriveDrop(bar);
    asyncCopy(UNITS.tma, { into: [tile], bar, bytes: 1_024 });
    asyncCopy(UNITS.clc, { into: [], cell: flag, value: 1 });
    asyncUse(UNITS.mma, { reads: [tile], writes: [out] });
    asyncUse(UNITS.mma, {});
    commit(UNITS.mma, bar);
    commitGroup(UNITS.mma);
    yield* waitGroup(UNITS.mma, 0);
    yield* waitGroup(UNITS.mma, 1);
    yield* waitGroup(UNITS.mma, 2);
    yield* syncNamed(3, 96);
    arriveNamed(3, 1);
    yield* syncCluster();
    read(tile);
    write(tile);
    fence();
    store(flag, -4);
    yield* load(flag);
    yield* fetchAdd(flag, 2);
    yield* compute(10);
    const got = yield* alloc(tmem, 2_048);
    free(got);
    relinquish(tmem);
    yield* choose(3);
    spawn(1);
    yield* join(1);
    yield* ab.producerStage();
    ab.producerStep();
    arriveCluster();
    yield* waitCluster();
    yield* setMaxRegisters('dec', 24);
    yield* setMaxRegisters('inc', 240);
    launchDependents();
    yield* waitGrids();
    exit();
  }
});

const TEXTS = `
  initialize bar for 3 arrivals
  invalidate bar
  wait for bar phase 4
  wait for bar parity 1
  wait for the next stage of ab to be full
  skip the wait for the next stage of ab to be full
  try bar phase 2
  try the next stage of ab for empty
  try to claim the next stage of ab
  arrive 32 times on bar, expecting 32,768 B
  arrive on bar
  expect 16 B on bar
  complete 8 B on bar
  arrive on bar and drop
  start a copy of 1,024 B into tile
  start a copy into a cell
  start asynchronous work that reads tile and writes out
  start asynchronous work that accesses no buffer
  commit to bar
  commit a group
  wait until no group is pending
  wait until at most 1 group is pending
  wait until at most 2 groups are pending
  sync at named barrier 3 with 96 threads
  arrive at named barrier 3 of 1 thread
  sync with the cluster
  read tile
  write tile
  fence
  store -4 in flag
  load flag
  add 2 to flag
  compute
  allocate 2,048 of tmem
  free tmem[0]
  relinquish the permit to allocate from tmem
  choose one of 3
  start spare
  wait until spare has ended
  stage
  step
  arrive at the barrier of the cluster
  wait for the cluster
  give registers back and keep 24 in each thread
  take registers, for 240 in each thread
  allow the next grid to begin
  wait until the grid before has ended
  exit
`
  .trim()
  .split('\n')
  .map((line) => line.trim());

test('every operation says what it does, with the names of its kernel', () => {
  const { system, names } = systemOf(everything);
  const kinds = new Set<OpKind>();
  const texts: string[] = [];
  let step = system.steps.entry(0);
  for (;;) {
    const instruction = system.instruction(step);
    if (instruction === null) break;
    kinds.add(instruction.kind);
    texts.push(describe(names, instruction));
    // The first buffer of a pool is what an allocation answers; all else is answered 0.
    const { buffers } = system.program.declarations.pools[0]!;
    step = system.steps.follow(step, instruction.kind === OpKind.alloc ? buffers[0]! : 0);
  }
  assert.deepEqual(texts, TEXTS);
  const missing = CATALOGUE.filter(({ name, class: kind }, at) => {
    const isDone = kinds.has(at as OpKind);
    return !isDone && kind !== 'ghost' && kind !== 'control' && name !== 'more';
  });
  assert.deepEqual(missing, []);
});

test('flights say what they do as they complete', () => {
  const { system, names } = systemOf(everything);
  let step = system.steps.entry(0);
  for (let count = 0; count < 20; count++) step = system.steps.follow(step, 0);
  const texts = system.machine.flights.flights
    .filter(({ kind }) => kind !== 3)
    .map((flight) => describeFlight(names, flight));
  const expected = [
    /the copy into tile.* 1,024 B on bar$/,
    /the copy into a cell$/,
    /work that reads tile and writes out$/,
    /work that accesses no buffer$/,
    /^arrive on bar$/,
  ];
  assert.equal(texts.length, expected.length);
  for (const [at, text] of texts.entries()) assert.match(text, expected[at]!);
});

test('in a cluster, names say which CTA they are of', () => {
  const target = kernel('cluster', {}, () => {
    const [bar, tile, flag] = [barrier('bar'), buffer('tile'), cell('flag')];
    const tmem = pool('tmem', { capacity: 1 });
    void [bar, tile, flag, tmem];
    return [role('a', function* () {}), role('b', { cta: 1 }, function* () {})];
  });
  const { names } = systemOf(target);
  assert.equal(names.barrier(1), 'bar of CTA 1');
  assert.equal(names.buffer(0), 'tile of CTA 0');
  assert.equal(names.cell(1), 'flag of CTA 1');
  assert.equal(names.pool(0), 'tmem of CTA 0');
});

test('agents have the names and letters of roles and units, also of units of the program', () => {
  const { system, names } = systemOf(everything);
  assert.deepEqual(
    [0, 1, 2].map((agent) => names.agent(agent)),
    ['work', 'spare', 'tma'],
  );
  assert.equal(new Set(names.agents.map(({ letter }) => letter)).size, names.agents.length);
  const units = Object.keys(UNITS).length + READING_UNITS.length;
  assert.equal(names.agent(system.roles + units), `unit ${units}`);
  assert.equal(names.letter(system.roles + units), `[u${units}]`);
});

test('property: numbers are grouped by thousands, and read back', () => {
  fc.assert(
    fc.property(fc.integer(), (number) => {
      const text = formatNumber(number);
      assert.equal(Number(text.replaceAll(',', '')), number);
      assert.match(text, /^-?\d{1,3}(,\d{3})*$/);
    }),
  );
});

test('lists and plurals', () => {
  assert.equal(list([]), '');
  assert.equal(list(['a']), 'a');
  assert.equal(list(['a', 'b']), 'a and b');
  assert.equal(list(['a', 'b', 'c']), 'a, b and c');
  assert.equal(plural(1, 'arrival'), '1 arrival');
  assert.equal(plural(0, 'arrival'), '0 arrivals');
  assert.equal(plural(1_000, 'arrival'), '1,000 arrivals');
});
