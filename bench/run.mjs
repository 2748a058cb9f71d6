// Measures the throughput of tiles between threads: the ring and its peers, in rounds.
//
//   node bench/run.mjs                    all sizes and peers: tables of bench/results/run-performance.md
//   node bench/run.mjs --write            the same, and rewrites that page
//   node bench/run.mjs --rounds 3 --ms 50 --bytes 64,4096 --peers ring,ringbuf
//   taskset -c 0 node bench/run.mjs       with one CPU
//
// Work is fixed for each peer and size before the first round (so that one pass takes about --ms),
// the peers take turns within a round, and a ratio is the median of the ratios of the rounds.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { MessageChannel, Worker } from 'node:worker_threads';
import { RingBuffer } from 'ringbuf.js';
import { createRing } from '../packages/ring/dist/ring/src/public.js';
import { deathsMs } from './run/death.mjs';
import { measureEnds } from './run/ends.mjs';
import { measureKernels } from './run/kernels.mjs';
import { measureNative } from './run/native.mjs';
import { targetsTable } from './run/targets.mjs';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '64,4096,65536,1048576' },
    peers: { type: 'string', default: 'ring,ringbuf,clone,transfer,threadStream' },
    rounds: { type: 'string', default: '7' },
    ms: { type: 'string', default: '120' },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: 'all' },
    tries: { type: 'string', default: '3' },
  },
});
const ROUNDS = Number(values.rounds);
const PASS_MS = Number(values.ms);

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

class Thread {
  #worker = new Worker(new URL('./run/thread.mjs', import.meta.url));
  run(job, transferred = []) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#worker.once('error', reject);
    this.#worker.once('message', (answer) => {
      this.#worker.off('error', reject);
      resolve(answer);
    });
    this.#worker.postMessage(job, transferred);
    return promise;
  }
  end() {
    return this.#worker.terminate();
  }
}

const stagesOf = (bytes) => (bytes >= 1 << 20 ? 4 : 8);

/** The initial state of a variant for both threads, and whether it needs both. */
function setUp(variant, bytes, items) {
  const stages = variant.stages ?? stagesOf(bytes);
  const common = { peer: variant.peer, bytes, items, stages, size: variant.size };
  if (['ring', 'handle', 'batch'].includes(variant.peer)) {
    const options = { stages, bytes, scratch: bytes, threads: 2, ...variant.options };
    const ring = createRing(options);
    return [
      { ...common, ring: ring.transfer() },
      { ...common, ring: ring.transfer() },
    ];
  }
  if (variant.peer === 'chain') {
    const options = { stages, bytes, threads: 3, ...variant.options };
    const [first, second] = [createRing(options), createRing(options)];
    return [
      { ...common, to: first.transfer() },
      { ...common, from: first.transfer(), to: second.transfer() },
      { ...common, from: second.transfer() },
    ];
  }
  if (variant.peer === 'chainTransfer') {
    const [first, second] = [new MessageChannel(), new MessageChannel()];
    return [
      { ...common, port: first.port1 },
      { ...common, port: first.port2, next: second.port1 },
      { ...common, port: second.port2 },
    ];
  }
  if (variant.peer === 'raw') {
    const { memory } = createRing({ stages, bytes: 4096 }).transfer();
    return [
      { ...common, memory },
      { ...common, memory },
    ];
  }
  if (variant.peer === 'ringbuf') {
    const buffer = RingBuffer.getStorageForCapacity(stages * bytes, Uint8Array);
    return [
      { ...common, buffer },
      { ...common, buffer },
    ];
  }
  if (variant.peer === 'threadStream') return [common];
  const { port1, port2 } = new MessageChannel();
  return [
    { ...common, port: port1 },
    { ...common, port: port2 },
  ];
}

let threads = [];

/** Milliseconds that all CPUs of the machine were busy, or `null` if the system does not report it. */
function busyMs() {
  try {
    const [, user, nice, system, , , irq, soft, steal] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]
      .split(/\s+/)
      .map(Number);
    return (user + nice + system + irq + soft + steal) * 10;
  } catch {
    return null;
  }
}

/** How much of one CPU other processes may use during a pass, and how often a pass is repeated. */
const MOST_FOREIGN = 0.15;
const TRIES = Number(values.tries);
const disturbed = { passes: 0, of: 0 };

/** One pass, repeated while other processes are busy. */
async function pass(variant, bytes, items) {
  disturbed.of++;
  for (let tried = 1; ; tried++) {
    const [before, own, start] = [busyMs(), process.cpuUsage(), performance.now()];
    const found = await onePass(variant, bytes, items);
    const { user, system } = process.cpuUsage(own);
    const all = before === null ? 0 : busyMs() - before;
    const foreign = (all - (user + system) / 1000) / (performance.now() - start);
    if (foreign <= MOST_FOREIGN) return found;
    if (tried < TRIES) continue;
    disturbed.passes++;
    return found;
  }
}

/** Items per second of one pass. */
async function onePass(variant, bytes, items) {
  const jobs = setUp(variant, bytes, items);
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const sides = jobs.length === 3 ? ['produce', 'relay', 'consume'] : ['produce', 'consume'];
  const answers = await Promise.all(
    jobs.map((job, at) => {
      const ports = [job.port, job.next].filter((port) => port !== undefined);
      return threads[at].run({ ...job, side: sides[at], gate, parties: jobs.length }, ports);
    }),
  );
  const start = Math.max(...answers.map((answer) => answer.start));
  const end = Math.max(...answers.map((answer) => answer.end));
  const cpuMs = answers.reduce((sum, answer) => sum + answer.cpuMs, 0);
  return { rate: items / ((end - start) / 1000), cpu: cpuMs / (end - start) };
}

/** The number of items that takes about PASS_MS. */
async function fixedWork(variant, bytes) {
  let items = 200;
  for (;;) {
    const { rate } = await pass(variant, bytes, items);
    if (items / rate > PASS_MS / 4000) return Math.max(100, Math.round((rate * PASS_MS) / 1000));
    items *= 4;
  }
}

/** Measures variants alternately; returns rates by variant and round. */
async function measure(variants, bytes) {
  threads = [new Thread(), new Thread(), new Thread()];
  const items = [];
  for (const variant of variants) {
    items.push(await fixedWork(variant, bytes));
    await pass(variant, bytes, items.at(-1));
  }
  const rates = variants.map(() => []);
  const cpu = variants.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, variant] of variants.entries()) {
      const found = await pass(variant, bytes, items[at]);
      rates[at].push(found.rate);
      cpu[at].push(found.cpu);
    }
  }
  await Promise.all(threads.map((thread) => thread.end()));
  return variants.map((variant, at) => ({
    name: variant.name ?? variant.peer,
    rates: rates[at],
    cpu: median(cpu[at]),
  }));
}

/** Calls `work` with a function that runs one pass on two threads. */
async function withThreads(work) {
  threads = [new Thread(), new Thread()];
  await work(async (variant, bytes, items) => (await pass(variant, bytes, items)).rate);
  await Promise.all(threads.map((thread) => thread.end()));
}

const ratio = (ours, theirs) => median(ours.rates.map((rate, at) => rate / theirs.rates[at]));
const short = (rate) =>
  rate >= 1e6 ? `${(rate / 1e6).toFixed(2)} M` : `${(rate / 1e3).toFixed(rate < 1e4 ? 2 : 1)} k`;
const size = (bytes) =>
  bytes >= 1 << 20 ? `${bytes >> 20} MiB` : bytes >= 1024 ? `${bytes >> 10} KiB` : `${bytes} B`;
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function cell(found, ours, bytes) {
  const rate = median(found.rates);
  const bandwidth = bytes >= 4096 ? ` = ${((rate * bytes) / 1e9).toFixed(1)} GB/s` : '';
  const times = found === ours ? '' : ` (${ratio(ours, found).toFixed(1)}×)`;
  return `${short(rate)}${bandwidth}${times}`;
}

async function touched() {
  const sizes = values.bytes.split(',').map(Number);
  const names = values.peers.split(',');
  const rows = [];
  for (const bytes of sizes) {
    const variants = names.map((peer) => ({ peer }));
    if (names.includes('ring'))
      variants.splice(1, 0, { peer: 'ring', name: 'wait-only', options: { policy: 'wait' } });
    const found = await measure(variants, bytes);
    rows.push([size(bytes), ...found.map((one) => cell(one, found[0], bytes))]);
    for (const one of found) figures[`${one.name}${bytes}`] = ratio(found[0], one);
    console.error(rows.at(-1).join('  '));
  }
  const head = [
    'tile',
    ...names.flatMap((name) => (name === 'ring' ? ['ring', 'ring, wait-only'] : [name])),
  ];
  return table(head, rows);
}

async function handOver() {
  const variants = [
    { peer: 'handle', name: 'tile by tile, 8 stages' },
    { peer: 'handle', name: 'the same, debug', options: { debug: true } },
    { peer: 'handle', name: 'the same, 64 stages', stages: 64 },
    { peer: 'batch', name: 'batches of 4, 64 stages', stages: 64, size: 4 },
    { peer: 'batch', name: 'batches of 32, 1024 stages', stages: 1024, size: 32 },
    { peer: 'ringbuf', name: 'ringbuf.js' },
    { peer: 'clone', name: 'postMessage' },
  ];
  const found = await measure(variants, 64);
  figures.handleOfRingbuf = ratio(found[0], found.at(-2));
  figures.handleOfClone = ratio(found[0], found.at(-1));
  return table(
    ['64 B, first and last word', 'items/s', 'of ringbuf.js', 'of postMessage', 'CPUs used'],
    found.map((one) => [
      one.name,
      short(median(one.rates)),
      `${ratio(one, found.at(-2)).toFixed(1)}×`,
      `${ratio(one, found.at(-1)).toFixed(1)}×`,
      one.cpu.toFixed(1),
    ]),
  );
}

/** Three roles with almost no work: the cost of two rings in a row. */
async function chain() {
  const variants = [
    { peer: 'chain', name: 'rings' },
    { peer: 'chain', name: 'rings, wait-only', options: { policy: 'wait' } },
    { peer: 'chain', name: 'rings of 64 stages', stages: 64 },
    { peer: 'chainTransfer', name: 'postMessage, transferred' },
  ];
  const found = await measure(variants, 64);
  figures.chainOfWait = ratio(found[0], found[1]);
  figures.chainOfTransfer = ratio(found[0], found.at(-1));
  return table(
    ['64 B, 3 roles', 'items/s', 'of wait-only', 'of transfer', 'CPUs used'],
    found.map((one) => [
      one.name,
      short(median(one.rates)),
      `${ratio(one, found[1]).toFixed(1)}×`,
      `${ratio(one, found.at(-1)).toFixed(1)}×`,
      one.cpu.toFixed(1),
    ]),
  );
}

/** The cost of handles compared with a hand-written protocol on the same words. */
async function overhead() {
  const found = await measure([{ peer: 'handle' }, { peer: 'raw', name: 'bare words' }], 64);
  const nanoseconds = found.map(({ rates }) => 1e9 / median(rates));
  figures.overheadNs = nanoseconds[0] - nanoseconds[1];
  return table(
    ['64 B, first and last word', 'ns a tile'],
    found.map(({ name }, at) => [name, nanoseconds[at].toFixed(1)]),
  );
}

/** How long a blocked call lasts after its peer has died. */
async function death() {
  const all = await deathsMs();
  figures.deathMs = Math.max(...all);
  const rows = [[all.length, median(all).toFixed(1), figures.deathMs.toFixed(1)]];
  return table(['terminated', 'median ms', 'longest ms'], rows);
}

/** Figures of the parts that ran, by name: the input of `targets`. */
const figures = {};

const parts = {
  touched,
  handOver,
  overhead,
  chain,
  death,
  kernels: () =>
    measureKernels({ median, table, short, rounds: ROUNDS, ms: PASS_MS, withThreads, figures }),
  ends: () => measureEnds({ median, table, rounds: ROUNDS }),
  native: () =>
    measureNative({
      median,
      table,
      short,
      size,
      rounds: ROUNDS,
      ms: PASS_MS,
      withThreads,
      stagesOf,
      figures,
    }),
  targets: () => targetsTable(figures, table),
};

const machine = `${availableParallelism()} CPU${availableParallelism() === 1 ? '' : 's'}, ${cpus()[0].model.trim()}, Node ${process.versions.node}`;
console.log(`<!-- ${machine}; ${ROUNDS} rounds of ${PASS_MS} ms -->\n`);
const PAGE = new URL('results/run-performance.md', import.meta.url);
const key = availableParallelism() === 1 ? 'one-cpu' : 'all';
for (const [name, part] of Object.entries(parts)) {
  if (values.only !== 'all' && !values.only.split(',').includes(name)) continue;
  const text = await part();
  console.log(`${text}\n`);
  if (!values.write) continue;
  const mark = (word) => `<!-- ${word} ${name} ${key} -->`;
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(mark('begin')), page.indexOf(mark('end'))];
  if (from < 0 || to < 0) continue;
  const quiet = `${disturbed.passes} of ${disturbed.of} passes were disturbed by other programs`;
  const section = `${mark('begin')}\n${text}\n\n${machine}; ${ROUNDS} rounds of ${PASS_MS} ms; ${quiet}.\n`;
  Object.assign(disturbed, { passes: 0, of: 0 });
  writeFileSync(PAGE, page.slice(0, from) + section + page.slice(to));
}
