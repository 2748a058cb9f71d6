// Speed of the searches, and the number of states that each stores, on fixed work.
//
//   node bench/search.mjs            writes tables of bench/results/performance.md, medians of 3
//   node bench/search.mjs --large    ten million states without reduction, once: time and memory
//
// Times are processor time of the process (user), which other load on the machine affects less than
// elapsed time.
import { kernelOf } from './kernel-of.mjs';
import { writeSection } from './section.mjs';
import { Packing, Search } from '../packages/poundlock/dist/check/index.js';
import { ReducedSearch } from '../packages/poundlock/dist/check/reduce/index.js';
import { sampleRun } from '../packages/poundlock/dist/check/sample-run.js';
import { Program, Unfolding } from '../packages/core/dist/program/index.js';
import { System } from '../packages/core/dist/system/index.js';

const UNREDUCED = [
  ['three-roles', { stages: 4, accumStages: 2, kSteps: 8, tiles: 8 }],
  ['bench/counted-ring', { S: 4, T: 10_000 }],
  ['models/m3', { S: 3, T: 6, P: 2, C: 3 }],
];
/** With the number of states that SPIN stores with its own reduction, partly from conformance/data. */
const REDUCED = [
  ['bench/counted-ring', { S: 4, T: 10_000 }, '560,001'],
  ['models/m1a', { S: 4, T: 16 }, '11,191,914'],
  ['models/m1a', { S: 5, T: 16 }, 'out of 8 GB at 47 million'],
  ['models/m2', { S1: 4, S2: 2, T: 4, K: 8 }, '566,488'],
  ['models/m2', { S1: 7, S2: 2, T: 4, K: 8 }, 'out of 8 GB at 37 million'],
  ['models/m2', { S1: 6, S2: 2, T: 16, K: 32 }, 'over 26 million in 60 s'],
  ['models/m3', { S: 4, T: 8, P: 1, C: 4 }, '1,145,971'],
  ['models/m3', { S: 4, T: 8, P: 1, C: 6 }, 'out of 8 GB at 71 million'],
  ['models/m3', { S: 3, T: 6, P: 4, C: 4 }, 'over 26 million in 60 s'],
  ['models/m4', { S: 6, T: 8, C: 3 }, '1,828,976'],
  ['models/m4', { S: 6, T: 8, C: 4 }, '30,706,857'],
  ['models/m4', { S: 6, T: 8, C: 5 }, 'out of 8 GB at 62 million'],
  ['models/m4', { S: 6, T: 8, C: 6 }, 'not tried'],
  ['three-roles', { stages: 4, accumStages: 2, kSteps: 8, tiles: 8 }, '–'],
];

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const grouped = (number) => Math.round(number).toLocaleString('en');

/** A system of a kernel, with the values of a sample run. */
function prepare(kernel, params) {
  const program = new Program(kernel, params);
  let unfolding;
  const system = new System(program, (_, machine) => (unfolding = new Unfolding(program, machine)));
  const packing = new Packing(system.machine, system.initial());
  sampleRun(program, unfolding, system, packing);
  return { system, packing };
}

/** Searches one kernel to the end, or until `most` states are stored. */
function search(Engine, kernel, params, most = 1e8) {
  const before = process.cpuUsage();
  const { system, packing } = prepare(kernel, params);
  const run = new Engine(system, packing, most);
  while (run.run(1_000_000) === 'running');
  return { run, ms: process.cpuUsage(before).user / 1000 };
}

async function unreduced() {
  say('| kernel | states | transitions | states/s | bytes/state |\n|---|---|---|---|---|');
  for (const [name, params] of UNREDUCED) {
    const kernel = await kernelOf(name);
    const runs = [1, 2, 3].map(() => search(Search, kernel, params));
    const ms = median(runs.map((one) => one.ms));
    const { states, transitions, bytes } = runs[0].run;
    row(name, params, [states, transitions, states / (ms / 1000), bytes / states].map(grouped));
  }
}

async function reduced() {
  say('| kernel | stored states | moves | ms | SPIN stores |\n|---|---|---|---|---|');
  for (const [name, params, spin] of REDUCED) {
    const kernel = await kernelOf(name);
    const runs = [1, 2, 3].map(() => search(ReducedSearch, kernel, params));
    const { states, transitions, status } = runs[0].run;
    if (status !== 'exhausted') throw new Error(`${name} is not certified: ${status}`);
    const ms = median(runs.map((one) => one.ms));
    row(name, params, [grouped(states), grouped(transitions), grouped(ms), spin]);
  }
}

async function large() {
  const kernel = await kernelOf('three-roles');
  const params = { stages: 4, accumStages: 2, kSteps: 8, tiles: 1000 };
  const { run, ms } = search(Search, kernel, params, 10_000_000);
  const gib = (bytes) => (bytes / 2 ** 30).toFixed(2);
  const { rss } = process.memoryUsage();
  console.log(
    `${grouped(run.states)} states in ${(ms / 1000).toFixed(1)} s, ` +
      `process ${gib(rss)} GiB, of which the store has ${gib(run.bytes)} GiB`,
  );
}

/** The lines of the current table. */
let lines = [];

function say(line) {
  console.log(line);
  lines.push(line);
}

function row(name, params, cells) {
  const values = Object.entries(params).map(([key, value]) => `${key}=${value}`);
  say(`| ${name} ${values.join(' ')} | ${cells.join(' | ')} |`);
}

if (process.argv.includes('--large')) await large();
else {
  for (const table of [unreduced, reduced]) {
    lines = [];
    await table();
    writeSection('performance.md', `bench/search.mjs ${table.name}`, lines.join('\n'));
  }
}
