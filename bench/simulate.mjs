// Speed of `simulate`: tiles per second, compared with SimPy and SIM.JS on the same ring, in one run.
//
//   node --expose-gc bench/simulate.mjs     medians of five, interleaved, in seconds of processor time
//
// It writes its tables into bench/results/simulate-performance.md. SimPy is Debian's (apt-get
// install python3-simpy3); without it that line is left out, and the page is left alone.
import { execFileSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inlineMore } from '../packages/poundlock/dist/cli/v8-flags.js';
import { Program } from '../packages/core/dist/program/index.js';
import {
  costsOf,
  prepareInPlace,
  MODELS,
  Simulation,
} from '../packages/poundlock/dist/simulate/index.js';
import { putIntoPage } from './page.mjs';
import { run as simjs } from './simulate-peers/two-role.mjs';

// As on the command line, also for the peer in this process.
enableCompileCache();
const { default: kernel } = await import('../examples/h200/two-role.ts');

const STAGES = 4;
const CONSUMER_CYCLES = 500;
const ROUNDS = 5;
const [TILES, PEER_TILES] = [400_000, 40_000];

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const timed = (work) => {
  const start = processorSeconds();
  work();
  return processorSeconds() - start;
};

function ours(tiles) {
  const params = { stages: STAGES, consumerCycles: CONSUMER_CYCLES, tiles };
  const prepared = prepareInPlace(new Program(kernel, params));
  const simulation = new Simulation(prepared, { costs: costsOf(MODELS.h200) });
  simulation.run();
  return simulation.events;
}

function simpy(tiles) {
  const file = fileURLToPath(new URL('simulate-peers/two_role.py', import.meta.url));
  const args = [file, tiles, STAGES, CONSUMER_CYCLES].map(String);
  return JSON.parse(execFileSync('/usr/bin/python3', args, { stdio: ['ignore', 'pipe', 'ignore'] }))
    .seconds;
}

function hasSimpy() {
  try {
    simpy(10);
    return true;
  } catch {
    return false;
  }
}

// As in `poundlock simulate`; the peer that shares the process gets it, too.
inlineMore();
ours(TILES);
simjs(PEER_TILES / 10, STAGES, CONSUMER_CYCLES);
const withSimpy = hasSimpy();
const rates = { poundlock: [], SimPy: [], 'SIM.JS': [] };
for (let round = 0; round < ROUNDS; round++) {
  rates.poundlock.push(TILES / timed(() => ours(TILES)));
  const peer = timed(() => simjs(PEER_TILES, STAGES, CONSUMER_CYCLES));
  rates['SIM.JS'].push(PEER_TILES / peer);
  if (withSimpy) rates.SimPy.push(PEER_TILES / simpy(PEER_TILES));
}
const own = median(rates.poundlock);
const lines = ['| simulator | tiles/s | ratio |', '|---|---:|---:|'];
for (const [name, values] of Object.entries(rates)) {
  if (values.length === 0) continue;
  const rate = median(values);
  const ratio = (own / rate).toFixed(1);
  lines.push(`| ${name} | ${Math.round(rate).toLocaleString('en')} | ${ratio}× |`);
}

lines.push('', '| tiles | seconds | heap after, MB |', '|---:|---:|---:|');
for (const tiles of [10_000, 100_000, 1_000_000]) {
  const seconds = timed(() => ours(tiles)).toFixed(2);
  globalThis.gc?.();
  const megabytes = (process.memoryUsage().heapUsed / 1e6).toFixed(0);
  lines.push(`| ${tiles.toLocaleString('en')} | ${seconds} | ${megabytes} |`);
}
console.log(lines.join('\n'));
if (withSimpy) putIntoPage('simulate-performance', 'speed', lines.join('\n'));
