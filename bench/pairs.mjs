// Writes bench/results/pairs.md: what `check` says of the pairs of bench/cuda/pairs.cu, wrong and right.
//
//   node bench/pairs.mjs
//
// Needs nvcc, which compiles the pairs to PTX, and no GPU.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { putIntoPage } from './page.mjs';

const SOURCE = fileURLToPath(new URL('cuda/pairs.cu', import.meta.url));
const POUNDLOCK = fileURLToPath(new URL('../packages/poundlock/bin/poundlock.js', import.meta.url));
const INPUT = { kind: 'pointer', bytes: 262144 };
/** The program clears it before each launch; no kernel depends on what is in the rest. */
const OUTPUT = { ...INPUT, int32: Array(4097).fill(0) };

/** The pairs of the program, as it lists them itself, and their PTX. */
function compiled(folder) {
  const program = join(folder, 'pairs');
  const options = ['-arch=sm_90a', '-O3', '-std=c++17', '-lineinfo', '-diag-suppress', '177'];
  execFileSync('nvcc', [...options, '-o', program, SOURCE]);
  execFileSync('nvcc', ['-ptx', ...options, '-o', join(folder, 'pairs.ptx'), SOURCE]);
  const lines = execFileSync(program, ['list'], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [name, ...numbers] = line.split(' ');
    const [blocks, threads, shared] = numbers.map(Number);
    return { name, blocks, threads, shared };
  });
}

/** The launch file of a kernel: the mangled name has the template argument. */
function writeLaunch(folder, { name, blocks, threads, shared }, isRight) {
  const file = join(folder, `${name}-${isRight ? 'right' : 'wrong'}.launch.json`);
  const launch = {
    kernel: `_Z${name.length}${name}ILb${isRight ? 1 : 0}EEvPKiPii`,
    ptx: { file: 'pairs.ptx' },
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedMemory: shared,
    params: [INPUT, OUTPUT, { kind: 'scalar', type: 'i32', name: 'delay', value: 0 }],
  };
  writeFileSync(file, JSON.stringify(launch));
  return file;
}

/** The verdict of each file, and the rule of its first error. */
function verdicts(files) {
  const answer = new Map();
  for (const file of files) {
    const run = spawnSync(
      process.execPath,
      [...process.execArgv, POUNDLOCK, 'check', file, '--sizes', 'requested', '--json'],
      { encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    if (run.stdout === '') throw new Error(`${basename(file)}: ${run.stderr}`);
    const { results, findings } = JSON.parse(run.stdout);
    const error = findings.find(({ severity }) => severity === 'error');
    answer.set(file, { verdict: results[0].verdict, rule: error?.rule });
  }
  return answer;
}

const folder = mkdtempSync(join(tmpdir(), 'poundlock-pairs-'));
try {
  const pairs = compiled(folder).map((pair) => ({
    name: pair.name,
    wrong: writeLaunch(folder, pair, false),
    right: writeLaunch(folder, pair, true),
  }));
  const found = verdicts(pairs.flatMap(({ wrong, right }) => [wrong, right]));
  const shown = ({ verdict, rule }) => (verdict === 'counterexample' ? `\`${rule}\`` : verdict);
  const rows = pairs.map(({ name, wrong, right }) => {
    return `| \`${name}\` | ${shown(found.get(wrong))} | ${shown(found.get(right))} |`;
  });
  const count = (of, verdict) =>
    pairs.filter((pair) => found.get(pair[of]).verdict === verdict).length;
  putIntoPage(
    'pairs',
    'pairs',
    [
      `${pairs.length} pairs: ${count('wrong', 'counterexample')} wrong kernels are found, and ${count('right', 'certified')} right ones certified.`,
      '',
      '| pair | wrong | right |',
      '|---|---|---|',
      ...rows,
    ].join('\n'),
  );
} finally {
  rmSync(folder, { recursive: true });
}
