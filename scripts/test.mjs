// `npm test`: types, lint, format and all tests. `npm test -- ROOM …`: the tests of rooms alone.
// `npm test -- --weigh` writes how long each file took: the longest are run first.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { batchesOf } from './tests/batches.mjs';
import { longestFirst, readWeights, runAll, WEIGHTS } from './tests/run-all.mjs';

const ROOT = join(import.meta.dirname, '..');
const SUITES = '{packages,tools,tools/editors}/*/test/**/*.test.ts test/**/*.test.ts'.split(' ');
/** Rooms with limits of time, or with threads that wait for one another: one file at a time. */
const TIMED = /^packages\/(ring\/|poundlock\/test\/run)/;
/** What only computes in these rooms: proofs of protocols. */
const COMPUTES = /^packages\/ring\/test\/(protocols|wake-up)\.test\.ts$/;
const isTimed = (file) => TIMED.test(file) && !COMPUTES.test(file);

/** A few tests of each room, which together take less than half a minute. */
const SMOKE = JSON.parse(readFileSync(join(ROOT, 'test', 'smoke.json'), 'utf8'));

/** Modules that were stripped of their types and compiled for one test are so for the next. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'poundlock-tests');
const BATCHES = join(ROOT, 'node_modules', '.cache', 'poundlock-test-batches');

const rooms = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isWeighed = process.argv.includes('--weigh');
const OWN = new Set(['--smoke', '--weigh']);
const flags = process.argv.slice(2).filter((word) => word.startsWith('--') && !OWN.has(word));

// None of these measures time, so that two processes may share two cores.
if (process.argv.includes('--smoke')) process.exit(runTests(['--test-concurrency=2', ...SMOKE]));
else if (rooms.length > 0) {
  process.exitCode = await runFiles(globSync(rooms.flatMap(testsOf), { cwd: ROOT }), 2);
} else {
  for (const script of ['build', 'typecheck', 'lint', 'format:check']) step('npm', ['run', script]);
  // One more than the cores: some tests wait for browsers, servers and time limits.
  const concurrency = Math.min(availableParallelism(), 4) + 1;
  process.exitCode = await runFiles(globSync(SUITES, { cwd: ROOT }), concurrency);
}

/** The tests of a room (`machine`), a package (`ring`), a folder or a file. */
function testsOf(name) {
  if (name.endsWith('.ts')) return [name];
  const folders = [
    ...globSync(`packages/*/test/${name}`, { cwd: ROOT }),
    ...[
      `test/${name}`,
      `packages/${name}/test`,
      `tools/${name}/test`,
      `tools/editors/${name}/test`,
      name,
    ].filter((folder) => existsSync(join(ROOT, folder))),
  ];
  if (folders.length === 0)
    fail(`no tests of '${name}': name a room, a package, a folder or a file`);
  return folders.map((folder) => `${folder}/**/*.test.ts`);
}

/** The exit code of files of tests, those first that take longest: processes then end together. */
async function runFiles(found, concurrency) {
  const files = found.map((file) => file.replaceAll('\\', '/'));
  const { timed = [], others = [] } = Object.groupBy(files, (file) =>
    isTimed(file) ? 'timed' : 'others',
  );
  if (flags.length > 0) {
    const options = timed.length > 0 ? [] : [`--test-concurrency=${concurrency}`];
    return runTests([...options, ...files]);
  }
  Object.assign(process.env, environment());
  const options = { weights: readWeights(), cwd: ROOT, folder: BATCHES };
  const parts = isWeighed ? longestFirst(others) : batchesOf(others, options);
  const weights = isWeighed && WEIGHTS;
  return Math.max(
    await runAll(parts, { cwd: ROOT, concurrency, weights }),
    await runAll(longestFirst(timed), { cwd: ROOT, concurrency: 1, weights }),
  );
}

/** The exit code of some tests. */
function runTests(patterns) {
  return run(process.execPath, ['--test', ...flags, ...patterns], environment());
}

/** What tests are run with. */
function environment() {
  // Packages find one another's sources, so that no build is needed; so do processes and threads.
  const { NODE_OPTIONS = '', NODE_COMPILE_CACHE = COMPILED } = process.env;
  const condition = '--conditions=poundlock-source';
  const isThere = NODE_OPTIONS.includes(condition);
  return {
    NODE_OPTIONS: isThere ? NODE_OPTIONS : `${NODE_OPTIONS} ${condition}`.trim(),
    NODE_COMPILE_CACHE,
  };
}

/** Ends the command where a step fails. */
function step(command, args) {
  const status = run(command, args);
  if (status !== 0) process.exit(status);
}

/** The exit code of a command. */
function run(command, args, env = {}) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } };
  const shell = process.platform === 'win32' && command === 'npm';
  return spawnSync(command, args, { ...options, shell }).status ?? 1;
}

function fail(message) {
  process.stderr.write(`test: ${message}\n`);
  process.exit(2);
}
