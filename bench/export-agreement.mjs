// Compares our search with SPIN on exports of random small programs that use every operation.
//
//   node bench/export-agreement.mjs [--cases 100] [--seed 1]
//
// Needs SPIN and a C compiler: apt-get install spin gcc. Prints every program on which the verdicts
// differ, and exits with 1 if there is one. Unlike spin-agreement, which takes models written by
// hand, this one tests what `poundlock export` writes.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import * as p from 'poundlock';
import { check } from 'poundlock/check';
import { exportKernel } from 'poundlock/export';
import { generator } from './spin/draw.mjs';
import { missingTool } from './spin/spin.mjs';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const run = promisify(execFile);
const MAX_STATES = 200_000;
const MAX_OUTPUT_BYTES = 1 << 26;

/** The next operation of a role: each draws its arguments and returns a function. */
const OPERATIONS = [
  ({ bar, phase }) => [`wait ${bar} ${phase}`, (x) => p.wait(x.bars[bar], phase)],
  ({ bar, bit }) => [`waitParity ${bar} ${bit}`, (x) => p.waitParity(x.bars[bar], bit)],
  ({ bar, bit }) => [`tryWait ${bar} ${bit}`, (x) => p.tryWait(x.bars[bar], bit)],
  ({ bar, reach }) => [`arrive ${bar}`, (x) => p.arrive(x.bars[bar], reach)],
  ({ bar, reach }) => [`arrive ${bar}`, (x) => p.arrive(x.bars[bar], reach)],
  ({ bar }) => [`lanes ${bar}`, (x) => p.arrive(x.bars[bar], { everyLane: true })],
  ({ bar }) => [`expect ${bar}`, (x) => p.arrive(x.bars[bar], { bytes: 8 })],
  ({ bar }) => [`expectTx ${bar}`, (x) => p.expectTx(x.bars[bar], 8)],
  ({ bar }) => [`completeTx ${bar}`, (x) => p.completeTx(x.bars[bar], 8)],
  ({ bar }) => [`drop ${bar}`, (x) => p.arriveDrop(x.bars[bar])],
  ({ bar, bit }) => [`init ${bar}`, (x) => p.init(x.bars[bar], 1 + bit)],
  ({ bar }) => [`invalidate ${bar}`, (x) => p.invalidate(x.bars[bar])],
  ({ bar, buf, unit, reach }) => [
    `copy ${unit.name} ${buf} ${bar}`,
    (x) => p.asyncCopy(unit, { into: [x.bufs[buf]], bar: x.bars[bar], bytes: 8, ...reach }),
  ],
  ({ bit, unit }) => [
    `copy ${unit.name} into the cell`,
    (x) => p.asyncCopy(unit, { into: [], cell: x.cell, value: bit }),
  ],
  ({ buf, unit }) => [
    `use ${unit.name} ${buf}`,
    (x) => p.asyncUse(unit, { reads: [x.bufs[buf]], group: buf === 0 }),
  ],
  ({ buf, unit }) => [
    `fill ${unit.name} ${buf}`,
    (x) => p.asyncUse(unit, { writes: [x.bufs[buf]] }),
  ],
  ({ bar, unit }) => [`commit ${unit.name} ${bar}`, (x) => p.commit(unit, x.bars[bar])],
  ({ unit }) => [`commitGroup ${unit.name}`, () => p.commitGroup(unit)],
  ({ bit, unit }) => [`waitGroup ${unit.name} ${bit}`, () => p.waitGroup(unit, bit)],
  ({ bit }) => [`syncNamed 1 of ${2 + 2 * bit}`, () => p.syncNamed(1, 2 + 2 * bit)],
  () => ['arriveNamed 1 of 4', () => p.arriveNamed(1, 4)],
  () => ['syncCluster', () => p.syncCluster()],
  ({ buf }) => [`read ${buf}`, (x) => p.read(x.bufs[buf])],
  ({ buf }) => [`write ${buf}`, (x) => p.write(x.bufs[buf])],
  ({ bit }) => [`store ${bit}`, (x) => p.store(x.cell, bit)],
  () => ['branch on the cell', (x) => p.load(x.cell), 'branch'],
  () => ['branch on adding', (x) => p.fetchAdd(x.cell, 1), 'branch'],
  () => ['branch on a choice', () => p.choose(2), 'branch'],
  () => ['alloc 1', (x) => p.alloc(x.pool, 1), 'alloc'],
  () => ['alloc 2', (x) => p.alloc(x.pool, 2), 'alloc'],
  () => ['free', (x) => p.free(x.allocated ?? x.pool.buffers[0])],
  () => ['read the pool', (x) => p.read(x.allocated ?? x.pool.buffers[0])],
  () => ['relinquish', (x) => p.relinquish(x.pool)],
  () => ['spawn', () => p.spawn(2)],
  () => ['join', () => p.join(2)],
  () => ['exit', () => p.exit()],
  () => ['wait for an empty stage', (x) => x.ring.waitProducer()],
  () => ['wait for a full stage', (x) => x.ring.waitConsumer()],
  () => ['try for a full stage', (x) => x.ring.tryWaitConsumer(), 'ready'],
  () => ['wait if needed', (x) => x.ring.waitConsumerIfNeeded(x.ready ?? false)],
  () => ['step as a producer', (x) => x.ring.producerStep()],
  () => ['step as a consumer', (x) => x.ring.consumerStep()],
  ({ bit }) => [`signal full ${bit}`, (x) => p.arrive(x.ring.producerMbar(bit))],
  ({ bit }) => [`signal empty ${bit}`, (x) => p.arrive(x.ring.consumerMbar(bit))],
  () => ['wait in the copy', (x) => x.copy.waitConsumer()],
  () => ['claim', (x) => x.ring.tryClaim(), 'claim'],
];
const MOST_OPERATIONS = 6;

/** A program: a list of operations for each role, on few objects so that the roles interact. */
function draw(random) {
  const below = (n) => Math.floor(random() * n);
  // A program with few kinds of operations runs longer before it fails.
  const some = Array.from({ length: 5 }, () => OPERATIONS[below(OPERATIONS.length)]);
  const ctas = random() < 0.3 ? 2 : 1;
  const operation = () => {
    const reach = ctas === 2 && random() < 0.5 ? { cta: below(2) } : {};
    const unit = [p.UNITS.tma, p.UNITS.mma][below(2)];
    return some[below(some.length)]({
      bar: below(3),
      buf: below(2),
      bit: below(2),
      phase: below(3) - 1,
      unit,
      reach,
    });
  };
  const bodies = [0, 1, 2].map(() => Array.from({ length: 1 + below(MOST_OPERATIONS) }, operation));
  const isSpawned = bodies.some((body) => body.some(([name]) => name === 'spawn'));
  const counts = [1 + below(2), 1 + below(2), random() < 0.2 ? 0 : 1];
  const mode = random() < 0.2 ? 'counter' : 'parity';
  return { bodies, ctas, isSpawned, counts, mode, lanes: 2 };
}

function kernelOf({ bodies, ctas, isSpawned, counts, mode, lanes }) {
  return p.kernel('random', {}, () => {
    const ring = p.pipeline('ring', { stages: 2, advance: 'acquire' });
    const context = {
      bars: counts.map((count, id) => p.barrier(`bar${id}`, { count, mode })),
      bufs: [p.buffer('buf0'), p.buffer('buf1')],
      cell: p.cell('cell'),
      pool: p.pool('pool', { capacity: 2, buffers: 2 }),
      ring,
      copy: ring.copy(),
    };
    return bodies.map((body, index) => {
      const cta = ctas === 2 ? index % 2 : 0;
      const options = { cta, lanes, spawned: isSpawned && index === 2 };
      return p.role(`role${index}`, options, function* () {
        yield* perform(body, { ...context });
      });
    });
  });
}

function* perform(body, x) {
  for (const [, make, use] of body) {
    const operation = make(x);
    const answer = operation === undefined ? 0 : yield* operation;
    if (use === 'branch' && answer === 1) return;
    if (use === 'alloc') x.allocated = answer;
    if (use === 'ready') x.ready = answer;
    if (use === 'claim') answer?.release();
  }
}

async function spinVerdict(text) {
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES };
  try {
    await writeFile(join(folder, 'kernel.pml'), text);
    await run('spin', ['-a', 'kernel.pml'], options);
    await run('gcc', ['-w', '-O0', '-DSAFETY', '-DVECTORSZ=8192', '-o', 'pan', 'pan.c'], options);
    const { stdout } = await run('./pan', ['-m1000000', '-w18'], options);
    const failed = /^pan:\d+: assertion violated \(*(\w+)/m.exec(stdout)?.[1];
    if (failed !== undefined) return failed;
    if (/^pan:\d+: invalid end state/m.test(stdout)) return 'deadlock';
    return /errors: 0/.test(stdout) ? 'certified' : stdout;
  } catch (error) {
    return `${error.stdout}${error.stderr}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compareAll() {
  const random = generator(Number(values.seed));
  const tally = { same: 0, different: 0, skipped: 0 };
  const rules = new Map();
  let left = Number(values.cases);
  const work = async () => {
    while (left-- > 0) {
      const drawn = draw(random);
      const kernel = kernelOf(drawn);
      const { outcome, text, rule } = await compare(kernel).catch((error) => {
        return { outcome: 'skipped', text: error.message, rule: error.message };
      });
      tally[outcome]++;
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
      if (outcome !== 'different') continue;
      const bodies = drawn.bodies.map((body) => body.map(([name]) => name).join('; '));
      console.log(`${text}\n  ${JSON.stringify({ ...drawn, bodies }, null, 1)}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(
    [...rules]
      .toSorted((a, b) => b[1] - a[1])
      .map(([rule, n]) => `${n} ${rule}`)
      .join('\n'),
  );
  console.log(JSON.stringify(tally));
  process.exitCode = tally.different > 0 ? 1 : 0;
}

async function compare(kernel) {
  const { verdict, findings } = await check(kernel, { engine: 'search', maxStates: MAX_STATES });
  const rule = findings.find(({ severity }) => severity === 'error')?.rule ?? verdict;
  if (verdict === 'inconclusive') return { outcome: 'skipped', text: '', rule };
  const theirs = await spinVerdict(exportKernel(kernel, 'promela'));
  const agrees = theirs === 'certified' ? verdict === 'certified' : verdict !== 'certified';
  const isVerdict = /^[a-z_]+$/.test(theirs) && theirs !== 'export_bound';
  const text = `we say ${rule}, SPIN says ${theirs}`;
  return { outcome: agrees && isVerdict ? 'same' : 'different', text, rule };
}

const problem = await missingTool();
if (problem === '') await compareAll();
else {
  console.error(`export-agreement: ${problem}`);
  process.exitCode = 2;
}
