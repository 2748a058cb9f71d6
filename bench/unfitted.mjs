// Programs that no model is fitted to: cycles that `simulate` predicts, beside measured ones.
//
//   node bench/unfitted.mjs [TABLES MODEL]     TABLES and MODEL: those of the H200 and of the H100
//
// Without arguments it writes its table into bench/results/unfitted.md, and what `simulate` prints.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteErrors, quantile } from './measured-errors.mjs';
import { putIntoPage } from './page.mjs';

const PROGRAMS = ['chain', 'diamond', 'attention', 'gemm'];
const MOST_OUTPUT = 1 << 28;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [tables, named] = process.argv.slice(2);
const chips =
  tables === undefined
    ? ['h200', 'h100'].map((chip) => [`bench/${chip}`, chip])
    : [[tables, named ?? 'h100']];

/** The column of a table, in its order. */
function column(file, name) {
  const [header, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  const at = header.split(',').indexOf(name);
  return rows.map((row) => Number(row.split(',')[at]));
}

function predicted(program, file, model) {
  const poundlock = join(ROOT, 'packages/poundlock/bin/poundlock.js');
  const args = ['simulate', join(ROOT, `examples/whole/${program}.ts`), '--cases', file];
  const options = { encoding: 'utf8', maxBuffer: MOST_OUTPUT };
  const text = execFileSync(
    process.execPath,
    [poundlock, ...args, '--model', model, '--json'],
    options,
  );
  return JSON.parse(text).results.map(({ totalCycles }) => totalCycles);
}

const percent = (value) => `${value.toFixed(2)} %`;

const found = {};
const lines = chips.flatMap(([folder, model]) => {
  found[model] = {};
  return PROGRAMS.flatMap((program) => {
    const file = join(folder, `${program}.csv`);
    if (!existsSync(file)) return [];
    const measured = column(file, 'total_cycles');
    const all = predicted(program, file, model);
    const errors = all.map((cycles, at) => 100 * (cycles / measured[at] - 1));
    const sizes = errors.map(Math.abs);
    const [median, p95] = (found[model][program] = [0.5, 0.95].map((part) =>
      quantile(sizes, part),
    ));
    const cells = [median, p95, Math.max(...sizes), quantile(errors, 0.5)].map(percent);
    return [`| ${[`${model}, ${program}`, errors.length, ...cells].join(' | ')} |`];
  });
});
const table = [
  '| chip, program | rows | median | p95 | worst | bias |',
  '|---|---:|---:|---:|---:|---:|',
  ...lines,
];
console.log(table.join('\n'));
if (process.argv.length === 2) {
  putIntoPage('unfitted', 'errors', table.join('\n'));
  await noteErrors(found);
}
