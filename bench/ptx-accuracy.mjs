// Writes bench/results/ptx-accuracy.md: kernels of bench/cuda as PTX, simulated, beside their measured cycles.
//
//   node bench/ptx-accuracy.mjs [ROWS]     rows of each table, spread over it; 16 unless given
//
// Needs nvcc, which compiles bench/cuda/measure.cu to PTX: the kernels that were measured.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '@poundlock/core/internal/program';
import { quantile } from './measured-errors.mjs';
import { putIntoPage } from './page.mjs';
import { entriesOf } from './ptx/entries.mjs';
import { LAUNCHES, rowsOf } from './ptx/launches.mjs';

const room = import.meta.resolve('poundlock/simulate').replace('public.', 'index.');
const { MODELS, predict, timedProgram } = await import(room);
const { ptxKernel } = await import('poundlock/ptx');
const ERRORS = new URL('../packages/poundlock/src/simulate/built-errors.ts', import.meta.url);

/** By table: the program that was written for it by hand. */
const PROGRAMS = {
  two_role: 'h200/two-role',
  three_role: 'h200/three-role',
  release_order: 'h200/release-order',
  styles: 'h200/styles',
  tensormap: 'h200/tensormap',
  multicast: 'h200/multicast',
  store: 'h200/store',
  tensor_core: 'h200/tensor-core',
  chain: 'whole/chain',
  diamond: 'whole/diamond',
  attention: 'whole/attention',
  gemm: 'whole/gemm',
};
/** Tables that numbers of the model were fitted to as PTX. */
const FITTED = new Set(['two_role', 'styles', 'work']);
const most = Number(process.argv[2] ?? 16);
const camel = (title) => title.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The PTX of the harness. */
function compiled() {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-ptx-'));
  const file = join(folder, 'measure.ptx');
  const source = fileURLToPath(new URL('cuda/measure.cu', import.meta.url));
  const options = ['-arch=sm_90a', '-O3', '-std=c++17', '-lineinfo', '-diag-suppress', '177'];
  try {
    execFileSync('nvcc', ['-ptx', ...options, '-o', file, source], { stdio: 'inherit' });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Rows that are spread evenly over a table. */
function spread(rows) {
  const count = Math.min(most, rows.length);
  return Array.from({ length: count }, (_, at) => {
    return rows[Math.floor(((at + 0.5) * rows.length) / count)];
  });
}

function builtCycles(table, row, model) {
  const launch = LAUNCHES[table](row);
  const kernel = ptxKernel({
    ptx: { file: 'measure.ptx', text: entries.get(launch.kernel) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  try {
    return predict(timedProgram(kernel, model), model);
  } catch (error) {
    if (error.name !== 'NotTimedError') throw error;
    console.log(`${table} ${launch.kernel}: ${error.message}`);
    return null;
  }
}

async function writtenCycles(table, row, model) {
  if (PROGRAMS[table] === undefined) return null;
  const { default: kernel } = await import(`../examples/${PROGRAMS[table]}.ts`);
  const cells = Object.entries(row).map(([title, cell]) => [camel(title), cell]);
  const own = Object.fromEntries(cells.filter(([title]) => title in kernel.defaults));
  return predict(Program.together(kernel, own), model);
}

const percent = (value) => `${value.toFixed(1)} %`;
const figures = (errors) => [0.5, 0.95].map((share) => quantile(errors.map(Math.abs), share));
const entries = entriesOf(compiled());
const lines = [
  '| chip, table | rows | PTX: median | p95 | bias | written by hand: median | p95 |',
  '|---|---:|---:|---:|---:|---:|---:|',
];
const found = { h200: {}, h100: {} };
for (const chip of Object.keys(found))
  for (const table of Object.keys(LAUNCHES)) {
    const file = new URL(`${chip}/${table}.csv`, import.meta.url);
    if (!existsSync(file)) continue;
    const built = [];
    const written = [];
    for (const row of spread(rowsOf(readFileSync(file, 'utf8')))) {
      const error = (cycles) => 100 * (cycles / row.total_cycles - 1);
      const timed = builtCycles(table, row, MODELS[chip]);
      if (timed !== null) built.push(error(timed));
      const cycles = await writtenCycles(table, row, MODELS[chip]);
      if (cycles !== null) written.push(error(cycles));
    }
    if (built.length === 0) continue;
    const errors = figures(built);
    found[chip][table] = errors;
    const beside = written.length === 0 ? ['–', '–'] : figures(written).map(percent);
    const cells = [built.length, ...errors.map(percent), percent(quantile(built, 0.5)), ...beside];
    lines.push(`| ${chip}, ${table}${FITTED.has(table) ? ' *' : ''} | ${cells.join(' | ')} |`);
    console.log(lines.at(-1));
  }
putIntoPage('ptx-accuracy', 'errors', lines.join('\n'));
const chips = Object.entries(found).map(([chip, tables]) => {
  const all = Object.entries(tables).map(([table, errors]) => {
    return `    ${table}: [${errors.map((one) => Number(one.toFixed(2))).join(', ')}],`;
  });
  return [`  ${chip}: {`, ...all, '  },'].join('\n');
});
writeFileSync(
  ERRORS,
  `// Errors of predictions of kernels read from PTX: bench/ptx-accuracy.mjs writes this.

/** By model and table, in percent: the median and the 95th percentile over rows of it. */
export const BUILT_ERRORS = {
${chips.join('\n')}
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
`,
);
