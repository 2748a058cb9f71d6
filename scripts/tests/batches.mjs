// Batches small test files of a room: one process loads the modules under test once, which takes
// longer than most of these tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The longest time of a batch, in seconds, so that rooms are tested on several cores. */
const BATCH_SECONDS = 15;
/** The estimate for a file of unknown time, in seconds. */
const USUAL_SECONDS = 1;

/**
 * Batches of files, written below `folder`: those first that take longest. `files` have the fields
 * of `withTiers`; `weights` are the seconds that they took before.
 */
export function batchesOf(files, { cwd, folder, weights }) {
  const secondsOf = ({ file }) => weights[file] ?? USUAL_SECONDS;
  const rooms = Map.groupBy(files, (entry) => (entry.isAlone ? entry.file : roomOf(entry.file)));
  const batches = [...rooms].flatMap(([room, members]) =>
    divided(members, secondsOf).map((part, index) => ({
      file:
        part.length === 1
          ? join(cwd, part[0].file)
          : written(part, join(folder, `${room}-${index}.mjs`), cwd),
      seconds: sum(part.map(secondsOf)),
    })),
  );
  return batches.toSorted((a, b) => b.seconds - a.seconds);
}

/** `packages/core/test/machine`; what lies in `test/` itself is a room of its own. */
function roomOf(file) {
  return /^.*?test\/[^/]+(?=\/)/.exec(file)?.[0] ?? dirname(file);
}

/** Parts of about equal time, none longer than a batch. */
function divided(files, secondsOf) {
  const wanted = Math.ceil(sum(files.map(secondsOf)) / BATCH_SECONDS);
  const parts = Array.from({ length: Math.min(wanted, files.length) }, () => []);
  const total = (part) => sum(part.map(secondsOf));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a)))
    parts.toSorted((a, b) => total(a) - total(b))[0].push(file);
  return parts;
}

/** A module that runs several files of tests one after the other. */
function written(files, batch, cwd) {
  const imports = files.map(({ file }) => `import '${pathToFileURL(join(cwd, file)).href}';\n`);
  mkdirSync(dirname(batch), { recursive: true });
  writeFileSync(batch, imports.join(''));
  return batch;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
