// Time until a large broken program has its counterexample: every broken example with
// a thousand tiles and sixteen stages. Prints a Markdown table; times are user CPU of this process.
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { check } from '../packages/poundlock/dist/check/index.js';
import { provideOwnPackage } from '../packages/poundlock/dist/cli/own-package.js';

provideOwnPackage();
const SIZES = { tiles: 1000, stages: 16, pairs: 500 };
const FOLDER = new URL('../examples/broken/', import.meta.url);
const rows = [];

for (const file of readdirSync(FOLDER).toSorted()) {
  const kernel = (await import(new URL(file, FOLDER).href)).default;
  const sizes = Object.entries(SIZES).filter(([name]) => name in kernel.defaults);
  const params = Object.fromEntries(sizes);
  const times = [];
  let result;
  for (let round = 0; round < 3; round++) {
    const started = process.cpuUsage();
    result = await check(kernel, { params });
    times.push(process.cpuUsage(started).user / 1000);
  }
  const [fastest] = times.toSorted((one, other) => one - other);
  const { findings, stats, verdict } = result;
  const size = sizes.map(([name, value]) => `${name}=${value}`).join(' ');
  const steps = findings[0]?.trace?.length ?? '';
  const rule = verdict === 'counterexample' ? findings[0].rule : verdict;
  rows.push([kernel.name, size, rule, stats.engine, steps, stats.states, times[0], fastest]);
}

console.log('| program | size | finding | by | steps | states | first time, ms | best of 3, ms |');
console.log('|---|---|---|---|---:|---:|---:|---:|');
for (const row of rows) {
  const cells = row.map((cell, at) => (at < 6 ? cell.toLocaleString('en') : cell.toFixed(0)));
  console.log(`| ${cells.join(' | ')} |`);
}
const slowest = Math.max(...rows.map((row) => row[6]));
console.log(`\nThe slowest takes ${slowest.toFixed(0)} ms, the first time.`);
