// Runs test files in an order of its own (`node --test` sorts them by name), and stores
// how long each took.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** The seconds that files took when they were run last; none on a new checkout. */
export function readWeights(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/**
 * The exit code of all batches. With `mustRun` a skipped test fails the run, but for one whose
 * reason begins with `optional: `. The seconds of files go to `weights`.
 */
export async function runAll(batches, { cwd, concurrency, mustRun, weights }) {
  if (batches.length === 0) return 0;
  const stream = run({ files: batches.map(({ file }) => file), concurrency });
  const seconds = {};
  const skipped = [];
  let code = 0;
  stream.on('test:summary', ({ success }) => {
    if (!success) code = 1;
  });
  stream.on('test:pass', ({ name, nesting, file, skip, details }) => {
    const path = relative(cwd, file ?? cwd).replaceAll('\\', '/');
    if (nesting === 0) seconds[path] = (seconds[path] ?? 0) + details.duration_ms / 1000;
    if (skip !== undefined && !String(skip).startsWith('optional: ')) skipped.push(name);
  });
  const { promise, resolve: end } = Promise.withResolvers();
  const shown = stream.compose(new spec());
  shown.on('end', end);
  shown.pipe(process.stdout, { end: false });
  await promise;
  writeWeights(weights, { ...readWeights(weights), ...seconds });
  if (!mustRun || skipped.length === 0) return code;
  process.stderr.write(`test: skipped, and must not be: ${skipped.join('; ')}\n`);
  return 1;
}

function writeWeights(path, seconds) {
  const rounded = Object.entries(seconds).map(([file, value]) => [
    file,
    Math.ceil(value * 10) / 10,
  ]);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
}
