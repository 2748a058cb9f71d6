// How fast `check` is: states and events per second, bytes per state, on fixed work.
//
//   node bench/check.mjs            the table of docs/performance.md, medians of three
//   node bench/check.mjs --large    ten million states, once: time and memory
import process from 'node:process';
import { Program, Unfolding } from '../packages/poundlock/dist/program/index.js';
import { System } from '../packages/poundlock/dist/system/index.js';
import { Packing, Search } from '../packages/poundlock/dist/check/index.js';
import { walk } from '../packages/poundlock/dist/check/walk.js';
import { CertifyingRun, nothingLearned } from '../packages/poundlock/dist/check/certify/index.js';

const example = async (name) => (await import(`../examples/${name}.ts`)).default;
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Searches one kernel to the end, or until `most` states are stored. */
function search(kernel, params, most) {
  const program = new Program(kernel, params);
  const start = performance.now();
  let unfolding;
  const system = new System(program, (_, machine) => (unfolding = new Unfolding(program, machine)));
  const packing = new Packing(system.machine, system.initial());
  walk(program, unfolding, system, packing);
  const run = new Search(system, packing, most);
  while (run.run(1_000_000) === 'running');
  return { run, ms: performance.now() - start };
}

/** Certifies a kernel from one run; the time is CPU time of the thread, so that it can be compared. */
function certify(kernel, params) {
  const cpu = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
  const start = cpu();
  const learned = nothingLearned();
  for (;;) {
    const run = new CertifyingRun(new Program(kernel, params), learned);
    const undecided = run.run(Number.POSITIVE_INFINITY);
    if (undecided === null) return { run, ms: (cpu() - start) / 1000 };
    if (undecided.condition !== 'again') throw new Error(`${kernel.name}: ${undecided.why}`);
  }
}

const SEARCHES = [
  ['three-roles', { stages: 4, accumStages: 2, kSteps: 8, tiles: 8 }],
  ['models/m1', { S: 4, T: 10_000 }],
  ['models/m3', { S: 3, T: 6, P: 2, C: 3 }],
];
const CERTIFICATES = [
  ['models/m1', { S: 4, T: 1_000_000 }],
  ['models/m1a', { S: 4, T: 500_000 }],
  ['models/m1a', { S: 32, T: 500_000 }],
  ['models/m2', { S1: 8, S2: 2, K: 64, T: 6_000 }],
  ['models/m3', { S: 8, T: 100_000, P: 4, C: 4 }],
  ['models/m3', { S: 8, T: 100_000, P: 2, C: 16 }],
  ['three-roles', { stages: 4, accumStages: 2, kSteps: 8, tiles: 10_000 }],
];

async function table() {
  console.log('| search | states | transitions | states/s | bytes/state |\n|---|---|---|---|---|');
  for (const [name, params] of SEARCHES) {
    const kernel = await example(name);
    const runs = [1, 2, 3].map(() => search(kernel, params, 1e8));
    const ms = median(runs.map((one) => one.ms));
    const { states, transitions, bytes } = runs[0].run;
    const cells = [
      states,
      transitions,
      Math.round(states / (ms / 1000)),
      Math.round(bytes / states),
    ];
    console.log(
      `| ${name} ${text(params)} | ${cells.map((n) => n.toLocaleString('en')).join(' | ')} |`,
    );
  }
  console.log('\n| certificate | events | events/s |\n|---|---|---|');
  for (const [name, params] of CERTIFICATES) {
    const kernel = await example(name);
    const runs = [1, 2, 3].map(() => certify(kernel, params));
    const ms = median(runs.map((one) => one.ms));
    const { events } = runs[0].run;
    const cells = [events, Math.round(events / (ms / 1000))];
    console.log(
      `| ${name} ${text(params)} | ${cells.map((n) => n.toLocaleString('en')).join(' | ')} |`,
    );
  }
}

async function large() {
  const kernel = await example('three-roles');
  const params = { stages: 4, accumStages: 2, kSteps: 8, tiles: 1000 };
  const { run, ms } = search(kernel, params, 10_000_000);
  const gib = (bytes) => (bytes / 2 ** 30).toFixed(2);
  const { rss } = process.memoryUsage();
  console.log(
    `${run.states.toLocaleString('en')} states in ${(ms / 1000).toFixed(1)} s, ` +
      `process ${gib(rss)} GiB, of which the store has ${gib(run.bytes)} GiB`,
  );
}

const text = (params) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
await (process.argv.includes('--large') ? large() : table());
