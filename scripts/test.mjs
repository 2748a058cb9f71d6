// `npm test`: types, lint, format and all tests. `npm test -- ROOM …`: the tests of rooms alone.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SUITES = 'packages/*/test/**/*.test.ts editors/*/test/**/*.test.ts test/**/*.test.ts'.split(
  ' ',
);
/** Rooms with limits of time, or with threads that wait for one another: one file at a time. */
const TIMED = /^packages\/(ring\/|poundlock\/test\/run|lint\/test\/(lsp|live))/;
/** What only computes in these rooms: proofs of protocols. */
const COMPUTES = /^packages\/ring\/test\/(protocols|wake-up)\.test\.ts$/;
const isTimed = (file) => TIMED.test(file) && !COMPUTES.test(file);

/** A few tests of each room, which together take less than half a minute. */
const SMOKE = JSON.parse(readFileSync(join(ROOT, 'test', 'smoke.json'), 'utf8'));

/** The whole command tries more than the tests of one room, which take half a minute. */
const THOROUGH = { POUNDLOCK_TESTS: 'all' };
/** Modules that were stripped of their types and compiled for one test are so for the next. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'poundlock-tests');

const rooms = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('--') && word !== '--smoke');

// None of these measures time, so that two processes may share two cores.
if (process.argv.includes('--smoke')) process.exit(runTests(['--test-concurrency=2', ...SMOKE]));
else if (rooms.length > 0) {
  const patterns = rooms.flatMap(testsOf);
  const files = globSync(patterns, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  const options = files.some(isTimed) ? [] : ['--test-concurrency=2'];
  process.exit(runTests([...options, ...patterns]));
} else {
  for (const script of ['build', 'typecheck', 'lint', 'format:check']) step('npm', ['run', script]);
  const files = globSync(SUITES, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  const both = [
    runTests(['--test-concurrency=2', ...files.filter((file) => !isTimed(file))], THOROUGH),
    runTests(files.filter(isTimed)),
  ];
  process.exit(Math.max(...both));
}

/** The tests of a room (`machine`), a package (`ring`), a folder or a file. */
function testsOf(name) {
  if (name.endsWith('.ts')) return [name];
  const folders = [
    ...globSync(`packages/*/test/${name}`, { cwd: ROOT }),
    ...[`test/${name}`, `packages/${name}/test`, `editors/${name}/test`, name].filter((folder) =>
      existsSync(join(ROOT, folder)),
    ),
  ];
  if (folders.length === 0)
    fail(`no tests of '${name}': name a room, a package, a folder or a file`);
  return folders.map((folder) => `${folder}/**/*.test.ts`);
}

/** The exit code of some tests. */
function runTests(patterns, env = {}) {
  // Packages find one another's sources, so that no build is needed; so do processes and threads.
  const options = [process.env.NODE_OPTIONS, '--conditions=poundlock-source']
    .filter(Boolean)
    .join(' ');
  return run(process.execPath, ['--test', ...flags, ...patterns], {
    NODE_OPTIONS: options,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILED,
    ...env,
  });
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
