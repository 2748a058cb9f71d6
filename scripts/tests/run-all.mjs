// Runs files of tests in a given order, which `node --test` does in that of their names, and keeps
// how long each took.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** The seconds that files took when they were run last; none on a new checkout. */
export function readWeights(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/**
 * The exit code of all batches. With `mustRun` a skipped test fails the run, but for one whose
 * reason begins with `optional: `. The seconds of files are added to `weights`.
 */
export async function runAll(batches, { concurrency, mustRun, weights }) {
  if (batches.length === 0) return 0;
  const stream = run({ files: batches.map(({ file }) => file), concurrency });
  const seconds = new Map(batches.map(({ file }) => [file, 0]));
  const skipped = [];
  let code = 0;
  stream.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (!success) code = 1;
    if (file !== undefined) seconds.set(file, ms / 1000);
  });
  stream.on('test:pass', ({ name, skip }) => {
    if (skip !== undefined && !String(skip).startsWith('optional: ')) skipped.push(name);
  });
  const { promise, resolve: end } = Promise.withResolvers();
  const shown = stream.compose(new spec());
  shown.on('end', end);
  shown.pipe(process.stdout, { end: false });
  await promise;
  addWeights(weights, batches, seconds);
  if (!mustRun || skipped.length === 0) return code;
  process.stderr.write(`test: skipped, and must not be: ${skipped.join('; ')}\n`);
  return 1;
}

/** A batch is divided by what its files took before. */
function addWeights(path, batches, seconds) {
  const weights = readWeights(path);
  for (const { file, files } of batches) {
    const total = files.reduce((sum, name) => sum + (weights[name] ?? 1), 0);
    for (const name of files)
      weights[name] = Math.round((seconds.get(file) * (weights[name] ?? 1) * 10) / total) / 10;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(weights, null, 2)}\n`);
}
