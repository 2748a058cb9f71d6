// Times poundlock and SPIN on the same programs: tables of bench/results/performance.md.
//
//   node bench/spin.mjs [--seconds 40] [--megabytes 8192] [--only proof,queue,every,growth] [--all]
//
// Times are without the start of a process and without SPIN's compiler: SPIN's are CPU seconds,
// ours are on the wall, since the CPU clock of a thread has steps of milliseconds, so that the
// machine must be quiet. Ours are of a process of its own: *cold* is the first check in it, where
// nothing is compiled yet; *warm* is the first check of that program after 20 checks of each of the
// other models, small ones, which is what an editor or a sweep has, and what is fair beside a SPIN
// that gcc has compiled before. The fastest of five, because what else the machine does only ever
// adds to it. Rows that SPIN can not finish in the time below are tried with --all only.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import process from 'node:process';
import { kernelUrl } from './kernel-of.mjs';
import { writeSection } from './section.mjs';
import { missingTool, searchDeep } from './spin/spin.mjs';

const run = promisify(execFile);
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    megabytes: { type: 'string', default: '8192' },
    only: { type: 'string', default: 'proof,queue,every,growth' },
    all: { type: 'boolean', default: false },
  },
});
const limits = { seconds: Number(options.seconds), megabytes: Number(options.megabytes) };
const RUNS = 5;
/** What is checked before a warm check, but for the model itself, and how often. */
const WARMERS = {
  m1: { S: 2, T: 4 },
  m1a: { S: 2, T: 4 },
  m2: { T: 2, K: 2 },
  m3: { S: 2, T: 4 },
  m4: { S: 2, T: 2, C: 2 },
};
const WARM_ROUNDS = 20;

/** Instances that SPIN finishes, and those that it does not; optionally with another kernel. */
const PROOFS = [
  ['m1', { S: 4, T: 32_000 }],
  ['m1', { S: 4, T: 32_000 }, 'bench/counted-ring'],
  ['m1', { S: 128, T: 256 }],
  ['m1a', { S: 3, T: 16, NOP: 2 }],
  ['m1a', { S: 4, T: 16, NOP: 2 }],
  ['m2', { S1: 4, S2: 2, T: 4, K: 8 }],
  ['m2', { S1: 5, S2: 2, T: 4, K: 8 }],
  ['m2', { S1: 6, S2: 2, T: 4, K: 8 }],
  ['m3', { S: 4, T: 8, P: 1, C: 4 }],
  ['m3', { S: 4, T: 8, P: 1, C: 5 }],
  ['m1a', { S: 5, T: 16, NOP: 2 }],
  ['m2', { S1: 7, S2: 2, T: 4, K: 8 }],
  ['m3', { S: 4, T: 8, P: 1, C: 6 }],
  ['m2', { S1: 6, S2: 2, T: 16, K: 32 }],
  ['m3', { S: 3, T: 6, P: 4, C: 4 }],
];
/** Rows of which it is known that SPIN needs more than 60 s: the last ones. */
const HOPELESS = 2;
const QUEUES = [
  { S: 6, T: 8, C: 3 },
  { S: 6, T: 8, C: 4 },
  { S: 6, T: 8, C: 5 },
  { S: 6, T: 8, C: 6 },
];
const EVERY = [
  ['models/m2', 'T', { S1: 8, S2: 2, K: 64 }],
  ['models/m2', 'T', { S1: 7, S2: 2, K: 16 }],
  ['gemm', 'tiles', {}],
  ['gemm-linear', 'tiles', {}],
  ['hand-over-hand', 'tiles', {}],
  ['multicast', 'tiles', {}],
  ['three-roles', 'tiles', {}],
  ['three-roles', 'tiles', { stages: 8, accumStages: 2, kSteps: 64 }],
];
const TILES = [1e3, 1e4, 1e5, 1e6];

/** One check in a fresh process: its result, and the milliseconds and megabytes that it took. */
async function checkOnce(example, options, warmers) {
  const script = `
    const { check } = await import('${new URL('../packages/poundlock/dist/check/index.js', import.meta.url)}');
    const { default: kernel } = await import('${kernelUrl(example)}');
    for (const [url, params] of ${JSON.stringify(warmers)}) {
      const { default: other } = await import(url);
      for (let i = 0; i < ${WARM_ROUNDS}; i++) await check(other, { params });
    }
    const started = performance.now();
    const { verdict, stats } = await check(kernel, ${JSON.stringify(options)});
    const ms = performance.now() - started;
    console.log(JSON.stringify({ verdict, stats, ms, megabytes: process.resourceUsage().maxRSS / 1024 }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}

/** The fastest of several, cold; or warmed up by every other model. */
async function ours(example, options, isWarm = false) {
  const others = Object.entries(WARMERS)
    .filter(([model]) => example !== `models/${model}`)
    .map(([model, params]) => [kernelUrl(`models/${model}`), params]);
  const results = [];
  for (let i = 0; i < RUNS; i++) {
    results.push(await checkOnce(example, options, isWarm ? others : []));
  }
  return results.toSorted((one, other) => one.ms - other.ms)[0];
}

const text = (params) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
const grouped = (value) => Math.round(value).toLocaleString('en');
const short = (value) => (value < 10 ? value.toFixed(1) : grouped(value));

/** The lines of the current table. */
let lines = [];

function say(line) {
  console.log(line);
  lines.push(line);
}

function row(cells) {
  say(`| ${cells.join(' | ')} |`);
}

function head(...titles) {
  row(titles);
  row(titles.map((title, index) => (index === 0 ? '---' : '---:')));
}

/** SPIN's states and time, or that it ran out of them or was skipped. */
function spinColumns(spin) {
  if (spin === null) return ['–', 'not run'];
  return [grouped(spin.states), spin.isOver ? `${spin.seconds.toFixed(2)} s` : 'runs out'];
}

/** SPIN's time as a multiple of ours, or its lower bound. */
function times(spin, ms) {
  if (spin === null) return '–';
  return `${spin.isOver ? '' : '> '}${grouped((spin.seconds * 1000) / ms)}×`;
}

async function beside(model, params, isHopeless, countOf, kernelName = `models/${model}`) {
  const spin = isHopeless && !options.all ? null : await searchDeep(model, params, limits);
  const cold = await ours(kernelName, { params });
  const warm = await ours(kernelName, { params }, true);
  if (spin !== null) mustAgree(model, params, spin, cold.verdict);
  row([
    `${kernelName.replace('models/', '')} ${text(params)}`,
    ...spinColumns(spin),
    grouped(countOf(cold.stats)),
    short(cold.ms),
    times(spin, cold.ms),
    short(warm.ms),
    times(spin, warm.ms),
  ]);
}

const TIMES = ['ms cold', 'SPIN : cold', 'ms warm', 'SPIN : warm'];

async function proofs() {
  head('program', 'SPIN states', 'SPIN', 'our events', ...TIMES);
  for (const [index, [model, params, kernelName]] of PROOFS.entries()) {
    const isHopeless = index >= PROOFS.length - HOPELESS;
    await beside(model, params, isHopeless, ({ events }) => events, kernelName);
  }
}

async function queues() {
  head('program', 'SPIN states', 'SPIN', 'our states', ...TIMES);
  for (const params of QUEUES) {
    await beside('m4', params, params.C > 5, ({ states }) => states);
  }
}

async function everyNumber() {
  head('program', 'every', 'states', 'events', 'ms');
  for (const [example, every, params] of EVERY) {
    const { verdict, stats, ms } = await ours(example, { params, every });
    if (verdict !== 'certified') throw new Error(`${example} is ${verdict}`);
    row([`${example} ${text(params)}`, every, stats.states, grouped(stats.events), short(ms)]);
  }
}

async function growth() {
  head('tiles, S=4', 'events', 'ms', 'million events/s', 'MB of the process');
  const bars = [];
  for (const tiles of TILES) {
    const { stats, ms, megabytes } = await ours('bench/counted-ring', {
      params: { S: 4, T: tiles },
    });
    row([
      grouped(tiles),
      grouped(stats.events),
      short(ms),
      short(stats.events / ms / 1000),
      grouped(megabytes),
    ]);
    bars.push(
      `${grouped(tiles).padStart(9)} │${'█'.repeat(Math.round(Math.log10(ms) * 12))} ${short(ms)} ms`,
    );
  }
  say(
    `\n\`\`\`\n${bars.join('\n')}\n          each █ is a factor of ${(10 ** (1 / 12)).toFixed(2)}\n\`\`\``,
  );
}

function mustAgree(model, params, spin, verdict) {
  const isRight = spin.verdict === 'PASS';
  if (spin.isOver && isRight !== (verdict === 'certified')) {
    throw new Error(`${model} ${text(params)}: SPIN says ${spin.verdict}, we say ${verdict}`);
  }
}

const missing = await missingTool();
if (missing !== '') console.error(`${missing}: the rows beside SPIN are left out`);
const TABLES = { proof: proofs, queue: queues, every: everyNumber, growth };
for (const name of options.only.split(',')) {
  if (missing !== '' && (name === 'proof' || name === 'queue')) continue;
  lines = [];
  console.log();
  await TABLES[name]();
  writeSection('performance.md', `bench/spin.mjs ${name}`, lines.join('\n'));
}
