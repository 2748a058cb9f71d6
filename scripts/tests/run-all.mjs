// Runs files of tests in a given order, which `node --test` does in that of their names.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** The seconds that files of tests take, of those that take longest. */
export const WEIGHTS = join(import.meta.dirname, '..', '..', 'test', 'weights.json');
/** What takes less than this needs no place in the order. */
const LEAST_SECONDS = 2;

/** The seconds of each of those files. */
export function readWeights() {
  return existsSync(WEIGHTS) ? JSON.parse(readFileSync(WEIGHTS, 'utf8')) : {};
}

/** The files, those first that take longest. */
export function longestFirst(files) {
  const weights = readWeights();
  const weightOf = (file) => weights[file] ?? 0;
  return files.toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** The exit code of all of them; `weights` is a file to which to add how long each took, or false. */
export async function runAll(files, { cwd, concurrency, weights }) {
  if (files.length === 0) return 0;
  const stream = run({ files: files.map((file) => resolve(cwd, file)), concurrency });
  const seconds = {};
  let code = 0;
  stream.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (!success) code = 1;
    if (file !== undefined) seconds[relative(cwd, file).replaceAll('\\', '/')] = ms / 1000;
  });
  const { promise, resolve: end } = Promise.withResolvers();
  const shown = stream.compose(new spec());
  shown.on('end', end);
  shown.pipe(process.stdout, { end: false });
  await promise;
  if (weights !== false) addWeights(weights, seconds);
  return code;
}

function addWeights(file, seconds) {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const others = Object.entries(before).filter(([name]) => !(name in seconds) && existsSync(name));
  const own = Object.entries(seconds).map(([name, value]) => [name, Math.round(value)]);
  const all = [...others, ...own.filter(([, value]) => value >= LEAST_SECONDS)];
  const sorted = all.toSorted(([, one], [, other]) => other - one);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
