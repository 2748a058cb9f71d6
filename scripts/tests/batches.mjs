// Puts small files of tests of a room together: one process loads the modules that they test once,
// which takes longer than most of these tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The rooms whose files are known to run together; all others have processes of their own. */
const TOGETHER = new Set([
  'packages/core/test/finding',
  'packages/core/test/op',
  'packages/eslint-plugin/test',
  'packages/lint/test',
  ...['check', 'flow', 'lower', 'exec', 'loops', 'paths', 'lanes', 'redundancy', 'text'].map(
    (room) => `packages/ptx/test/${room}`,
  ),
  ...['check', 'cli', 'explore', 'golden', 'record', 'simulate'].map(
    (room) => `packages/poundlock/test/${room}`,
  ),
  'test/docs',
  'test/tidy',
]);

/** A file that takes as long has a process of its own. */
const ALONE_SECONDS = 8;
/** What a batch takes at most, so that rooms are tested on several cores. */
const BATCH_SECONDS = 20;
/** What files of no known time take, about. */
const USUAL_SECONDS = 1;

/**
 * The files that take long, each alone, and batches of all others, written below `folder`: those
 * first that take longest. `weights` are the seconds of files.
 */
export function batchesOf(files, { cwd, folder, weights }) {
  const secondsOf = (file) => weights[file] ?? USUAL_SECONDS;
  const rooms = Map.groupBy(files, (file) =>
    secondsOf(file) < ALONE_SECONDS && TOGETHER.has(roomOf(file)) ? roomOf(file) : file,
  );
  const batches = [...rooms].flatMap(([room, members]) =>
    divided(members, secondsOf).map((part, at) => ({
      file:
        part.length === 1
          ? join(cwd, part[0])
          : written(part, join(folder, `${room}-${at}.mjs`), cwd),
      seconds: sum(part.map(secondsOf)),
    })),
  );
  return batches.toSorted((one, other) => other.seconds - one.seconds).map(({ file }) => file);
}

/** `packages/core/test/machine`; what lies in `test/` itself is a room of its own. */
function roomOf(file) {
  return /^.*?test\/[^/]+(?=\/)/.exec(file)?.[0] ?? dirname(file);
}

/** Parts that take equally long, about, and no longer than a batch. */
function divided(files, secondsOf) {
  const wanted = Math.ceil(sum(files.map(secondsOf)) / BATCH_SECONDS);
  const count = Math.min(wanted, files.length);
  const parts = Array.from({ length: count }, () => []);
  const total = (part) => sum(part.map(secondsOf));
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one)))
    parts.toSorted((one, other) => total(one) - total(other))[0].push(file);
  return parts;
}

/** A module that runs several files of tests one after the other. */
function written(files, batch, cwd) {
  const imports = files.map((file) => `import '${pathToFileURL(join(cwd, file)).href}';\n`);
  mkdirSync(dirname(batch), { recursive: true });
  writeFileSync(batch, imports.join(''));
  return batch;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
