// Speed of `check` when it certifies: events per second, on fixed work (searches: bench/search.mjs).
//
//   node bench/check.mjs    writes the table of bench/results/performance.md, medians of three
import process from 'node:process';
import { kernelOf } from './kernel-of.mjs';
import { writeSection } from './section.mjs';
import { Program } from '../packages/core/dist/program/index.js';
import { CertifyingRun, noTraits } from '../packages/poundlock/dist/check/certify/index.js';

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Certifies a kernel from one run; the time is CPU time of the thread, so that it can be compared. */
function certify(kernel, params) {
  const cpu = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
  const start = cpu();
  const learned = noTraits();
  for (;;) {
    const run = new CertifyingRun(new Program(kernel, params), learned);
    const undecided = run.run(Number.POSITIVE_INFINITY);
    if (undecided === null) return { run, ms: (cpu() - start) / 1000 };
    if (undecided.condition !== 'again') throw new Error(`${kernel.name}: ${undecided.why}`);
  }
}

const CERTIFICATES = [
  ['bench/counted-ring', { S: 4, T: 1_000_000 }],
  ['models/m1a', { S: 4, T: 500_000 }],
  ['models/m1a', { S: 32, T: 500_000 }],
  ['models/m2', { S1: 8, S2: 2, K: 64, T: 6_000 }],
  ['models/m3', { S: 8, T: 100_000, P: 4, C: 4 }],
  ['models/m3', { S: 8, T: 100_000, P: 2, C: 16 }],
  ['three-roles', { stages: 4, accumStages: 2, kSteps: 8, tiles: 10_000 }],
];

async function table() {
  const lines = ['| certificate from one run | events | events/s |', '|---|---:|---:|'];
  for (const [name, params] of CERTIFICATES) {
    const kernel = await kernelOf(name);
    const runs = [1, 2, 3].map(() => certify(kernel, params));
    const ms = median(runs.map((one) => one.ms));
    const { events } = runs[0].run;
    // Three digits are significant.
    const rate = Number((events / (ms / 1000)).toPrecision(3));
    const cells = [events, rate].map((number) => number.toLocaleString('en'));
    lines.push(`| ${name} ${text(params)} | ${cells.join(' | ')} |`);
    console.log(lines.at(-1));
  }
  writeSection('performance.md', 'bench/check.mjs', lines.join('\n'));
}

const text = (params) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
await table();
