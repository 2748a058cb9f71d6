// `npm run coverage`: the tests of `machine` and `system` cover at least 90 % of their lines.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const ROOMS = ['machine', 'system'];
const MINIMUM_PERCENT = 90;
/** Golden files of what `system/explain` says. */
const SENTENCES = 'packages/poundlock/test/golden/sentences/*.test.ts';
/** Few random programs: they cover as many lines as all of `npm test`. */
const FUZZ_RUNS = '100';

const results = await Promise.all(ROOMS.map(coverageOf));
for (const { room, percent, failed, output } of results) {
  if (failed) process.stderr.write(output.replaceAll(/^✔.*\n/gm, ''));
  process.stdout.write(`${room}: ${percent} % of lines (at least ${MINIMUM_PERCENT})\n`);
}
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;

/** Runs the tests of a room, and counts the lines of its own source alone. */
function coverageOf(room) {
  const { promise, resolve } = Promise.withResolvers();
  const options = [process.env.NODE_OPTIONS, '--conditions=poundlock-source'];
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      '--experimental-test-coverage',
      `--test-coverage-include=packages/core/src/${room}/**`,
      `--test-coverage-lines=${MINIMUM_PERCENT}`,
      '--test-reporter=spec',
      `packages/core/test/${room}/**/*.test.ts`,
      `packages/poundlock/test/${room}/**/*.test.ts`,
      ...(room === 'system' ? [SENTENCES] : []),
    ],
    {
      cwd: ROOT,
      env: { ...process.env, FUZZ_RUNS, NODE_OPTIONS: options.filter(Boolean).join(' ') },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  child.on('close', (code) => {
    const [, percent = '?'] = /all files\s*\|\s*([\d.]+)/.exec(output) ?? [];
    // Without a table there is no figure to compare with the minimum.
    resolve({ room, percent, failed: code !== 0 || percent === '?', output });
  });
  return promise;
}
