// `npm test`: types, lint, format and the main tier. `npm test -- ROOM …`: all tests of rooms.
// `--tier NAME` runs another tier, deep or release; flags such as `--test-name-pattern=…` are Node's.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchesOf } from './tests/batches.mjs';
import { readWeights, runAll } from './tests/run-all.mjs';
import { TIERS, withTiers } from './tests/tiers.ts';

const ROOT = join(import.meta.dirname, '..');
const SUITES = ['{packages,tools,tools/editors}/*/test/**/*.test.ts', 'test/**/*.test.ts'];
/** The compile cache: a module is stripped of its types and compiled once for all tests. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'poundlock-tests');
const WEIGHTS = join(CACHE, 'seconds.json');

const { values, positionals, tokens } = parseArgs({
  options: { tier: { type: 'string', default: 'main' } },
  allowPositionals: true,
  strict: false,
  tokens: true,
});
const flags = tokens.flatMap((token) =>
  token.kind === 'option' && token.name !== 'tier' ? [process.argv[token.index + 2]] : [],
);
if (!TIERS.includes(values.tier)) fail(`no tier '${values.tier}': one of ${TIERS.join(', ')}`);
// Packages find one another's sources, so that no build is needed; so do processes and threads.
const { NODE_OPTIONS = '' } = process.env;
const CONDITION = '--conditions=poundlock-source';
if (!NODE_OPTIONS.includes(CONDITION)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${CONDITION}`;
process.env.NODE_COMPILE_CACHE ??= join(CACHE, 'compiled');

if (positionals.length > 0) process.exitCode = await runFiles(positionals.flatMap(testsOf));
else {
  if (values.tier === 'main')
    for (const script of ['typecheck', 'lint', 'format:check']) step(script);
  if (values.tier === 'release') {
    step('build');
    const { packed } = await import('../test/package/packed.ts');
    packed();
  }
  process.exitCode = await runFiles(SUITES, values.tier);
}

/** The tests of a room (`machine`), a package (`ring`), a folder or a file. */
function testsOf(name) {
  if (name.endsWith('.ts')) return [name];
  const folders = [
    ...globSync(`packages/*/test/${name}`, { cwd: ROOT }),
    ...['packages', 'tools', 'tools/editors'].map((parent) => `${parent}/${name}/test`),
    `test/${name}`,
    name,
  ].filter((folder) => existsSync(join(ROOT, folder)));
  if (folders.length === 0)
    fail(`no tests of '${name}': name a room, a package, a folder or a file`);
  return folders.map((folder) => `${folder}/**/*.test.ts`);
}

/** The exit code of the files of one tier, or of all tiers. */
async function runFiles(patterns, tier) {
  const names = globSync(patterns, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  const files = withTiers(names, ROOT).filter((file) => (tier ?? file.tier) === file.tier);
  if (flags.length > 0) {
    const words = ['--test', ...flags, ...files.map(({ file }) => file)];
    return run(process.execPath, words);
  }
  const folder = join(CACHE, 'batches');
  const batches = batchesOf(files, { weights: readWeights(WEIGHTS), cwd: ROOT, folder });
  const concurrency = Math.min(availableParallelism(), 4);
  const mustRun = process.env.CI === 'true' && tier === 'release';
  return await runAll(batches, { cwd: ROOT, concurrency, mustRun, weights: WEIGHTS });
}

/** Ends the command where a step fails. */
function step(script) {
  const status = run('npm', ['run', script]);
  if (status !== 0) process.exit(status);
}

/** The exit code of a command. */
function run(command, args) {
  const shell = process.platform === 'win32' && command === 'npm';
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell }).status ?? 1;
}

function fail(message) {
  process.stderr.write(`test: ${message}\n`);
  process.exit(2);
}
