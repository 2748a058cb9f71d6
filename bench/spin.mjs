// poundlock beside SPIN on the same programs, in one run: the tables of docs/performance.md.
//
//   node bench/spin.mjs [--seconds 60] [--megabytes 8192] [--only proof,queue,every,growth]
//
// Times are CPU seconds, without the start of a process and without SPIN's compiler. Ours are of the
// thread that checks, for the first check in a process of its own, where nothing is warm; the
// fastest of five, because what else the machine does only ever adds to it.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import process from 'node:process';
import { missingTool, searchDeep } from './spin/spin.mjs';

const run = promisify(execFile);
const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    megabytes: { type: 'string', default: '8192' },
    only: { type: 'string', default: 'proof,queue,every,growth' },
  },
});
const limits = { seconds: Number(given.seconds), megabytes: Number(given.megabytes) };
const RUNS = 5;

/** Instances that SPIN finishes, and those that it does not. */
const PROOFS = [
  ['m1', { S: 4, T: 32_000 }],
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
  ['m2', { S1: 6, S2: 2, T: 16, K: 32 }],
  ['m3', { S: 4, T: 8, P: 1, C: 6 }],
  ['m3', { S: 3, T: 6, P: 4, C: 4 }],
];
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
async function checkOnce(example, options) {
  const script = `
    const { check } = await import('${new URL('../packages/poundlock/dist/check/index.js', import.meta.url)}');
    const { default: kernel } = await import('${new URL(`../examples/${example}.ts`, import.meta.url)}');
    const cpu = () => { const { user, system } = process.threadCpuUsage(); return user + system; };
    const started = cpu();
    const { verdict, stats } = await check(kernel, ${JSON.stringify(options)});
    const ms = (cpu() - started) / 1000;
    console.log(JSON.stringify({ verdict, stats, ms, megabytes: process.resourceUsage().maxRSS / 1024 }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}

/** The fastest of several. */
async function ours(example, options, runs = RUNS) {
  const results = [];
  for (let i = 0; i < runs; i++) results.push(await checkOnce(example, options));
  return results.toSorted((one, other) => one.ms - other.ms)[0];
}

const text = (params) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
const grouped = (value) => Math.round(value).toLocaleString('en');
const short = (value) => (value < 10 ? value.toFixed(1) : grouped(value));

function row(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

function head(...titles) {
  console.log();
  row(titles);
  row(titles.map((title, index) => (index === 0 ? '---' : '---:')));
}

/** What SPIN took, or that it ran out; and how many times as long it took as we did. */
function beside({ isOver, states, seconds }, ms) {
  const times = `${isOver ? '' : '> '}${grouped((seconds * 1000) / ms)}×`;
  return [grouped(states), isOver ? `${seconds.toFixed(2)} s` : 'runs out', times];
}

async function proofs() {
  head('program', 'SPIN states', 'SPIN', 'our events', 'ms', 'SPIN : ours');
  for (const [model, params] of PROOFS) {
    const spin = await searchDeep(model, params, limits);
    const { verdict, stats, ms } = await ours(`models/${model}`, { params });
    mustAgree(model, params, spin, verdict);
    const [states, seconds, times] = beside(spin, ms);
    row([`${model} ${text(params)}`, states, seconds, grouped(stats.events), short(ms), times]);
  }
}

async function queues() {
  head('m4', 'SPIN states', 'SPIN', 'our states', 'ms', 'SPIN : ours');
  for (const params of QUEUES) {
    const spin = await searchDeep('m4', params, limits);
    const { verdict, stats, ms } = await ours('models/m4', { params });
    mustAgree('m4', params, spin, verdict);
    const [states, seconds, times] = beside(spin, ms);
    row([text(params), states, seconds, grouped(stats.states), short(ms), times]);
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
  head('tiles of m1 S=4', 'events', 'ms', 'million events/s', 'MB of the process');
  const bars = [];
  for (const tiles of TILES) {
    const { stats, ms, megabytes } = await ours('models/m1', { params: { S: 4, T: tiles } });
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
  console.log(
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
for (const name of given.only.split(',')) {
  if (missing !== '' && (name === 'proof' || name === 'queue')) continue;
  await TABLES[name]();
}
