// Runs SPIN on one model with one set of parameters, breadth first or depth first.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MODELS = join(import.meta.dirname, '..', 'promela');
const MAX_OUTPUT_BYTES = 1 << 26;

/** The macros that parameters are: a flag is defined when it is set, a number has its value. */
export function macros(params) {
  return Object.entries(params)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? `-D${name}` : `-D${name}=${value}`));
}

/** Which of the needed tools is missing and how to get it, in one line; '' when all are there. */
export async function missingTool() {
  for (const [tool, flag] of Object.entries({ spin: '-V', gcc: '--version' })) {
    const isThere = await run(tool, [flag]).then(
      () => true,
      () => false,
    );
    if (!isThere) return `${tool} is missing: apt-get install spin gcc (or brew install spin gcc)`;
  }
  return '';
}

/**
 * Answers `{ verdict, states, steps }`: verdict is PASS, ASSERT, DEADLOCK or INCONCLUSIVE, steps is
 * the length of the shortest counterexample, counted as SPIN counts, and 0 where there is none.
 */
export async function spin(model, params, limits) {
  return inFolder(model, params, ['-O1', '-DBFS'], limits, async (folder) => {
    const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, timeout: limits.seconds * 1000 };
    const pan = await run('./pan', [], options).catch((error) => {
      if (error.stdout === undefined) throw error;
      return { stdout: error.killed ? 'killed' : error.stdout };
    });
    return { ...read(pan.stdout), steps: await trailLength(folder) };
  });
}

/** The deepest that a depth-first search goes. */
const DEPTH = 2_000_000;

/**
 * SPIN's default search, depth first: `{ verdict, states, seconds, isOver }` with the CPU seconds
 * of the user, and whether it ended before it had used up `limits.seconds` or `.megabytes`.
 */
export async function searchDeep(model, params, limits) {
  return inFolder(model, params, ['-O2'], limits, async (folder) => {
    const script = `ulimit -t ${limits.seconds}; TIMEFORMAT=%U; time ./pan -m${DEPTH}`;
    const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout, stderr } = await run('bash', ['-c', script], options).catch((error) => error);
    const { verdict, states } = read(stdout);
    const seconds = Number(/^([0-9.]+)$/m.exec(stderr)?.[1]);
    return { verdict, states, seconds, isOver: verdict !== 'INCONCLUSIVE' };
  });
}

/** Compiles a model in a folder of its own, and answers what `use` makes of it. */
async function inFolder(model, params, flags, limits, use) {
  const folder = await mkdtemp(join(tmpdir(), 'spin-'));
  try {
    for (const file of [`${model}.pml`, 'mbar.h'])
      await copyFile(join(MODELS, file), join(folder, file));
    const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES };
    await run('spin', ['-a', ...macros(params), `${model}.pml`], options);
    const defines = ['-DSAFETY', '-DVECTORSZ=4096', `-DMEMLIM=${limits.megabytes}`];
    await run('gcc', ['-w', ...flags, ...defines, '-o', 'pan', 'pan.c'], options);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function read(output) {
  const states = Math.round(Number(/^ *([0-9.e+]+) states, stored/m.exec(output)?.[1] ?? 0));
  if (/reached -DMEMLIM/.test(output)) return { verdict: 'INCONCLUSIVE', states };
  if (/assertion violated/.test(output)) return { verdict: 'ASSERT', states };
  if (/pan:\d+: invalid end state/.test(output)) return { verdict: 'DEADLOCK', states };
  return { verdict: /errors: 0/.test(output) ? 'PASS' : 'INCONCLUSIVE', states };
}

async function trailLength(folder) {
  const trail = (await readdir(folder)).find((file) => file.endsWith('.trail'));
  if (trail === undefined) return 0;
  const text = await readFile(join(folder, trail), 'utf8');
  return text.split('\n').filter((line) => /^\d+:\d+:\d+/.test(line)).length;
}
