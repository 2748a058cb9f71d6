// Puts small files of tests of a room together: one process loads the modules that they test once,
// which takes longer than most of these tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The most files of one process: rooms with more are tested on several cores. */
const MAX_FILES = 14;
/** What a file takes in a batch, about, in seconds. */
const SMALL_SECONDS = 1;

/**
 * The files that take as long as `weights` says, each alone, and batches of all others, written
 * below `folder`; with the seconds that each takes, those first that take longest.
 */
export function batchesOf(files, { cwd, folder, weights }) {
  const small = Map.groupBy(
    files.filter((file) => weights[file] === undefined),
    roomOf,
  );
  const batches = [...small].flatMap(([room, members]) => {
    const count = Math.ceil(members.length / MAX_FILES);
    const size = Math.ceil(members.length / count);
    const parts = Array.from({ length: count }, (_, part) =>
      members.slice(part * size, (part + 1) * size),
    );
    return parts.map((part, at) => batchOf(part, join(folder, `${room}-${at}.mjs`), cwd));
  });
  const alone = files
    .filter((file) => weights[file] !== undefined)
    .map((file) => ({ file: join(cwd, file), seconds: weights[file] }));
  return [...alone, ...batches]
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ file }) => file);
}

/** `packages/core/test/machine`; what lies in `test/` itself is a room of its own. */
function roomOf(file) {
  return /^.*?test\/[^/]+(?=\/)/.exec(file)?.[0] ?? dirname(file);
}

/** A module that runs several files of tests one after the other. */
function batchOf(files, batch, cwd) {
  const seconds = files.length * SMALL_SECONDS;
  if (files.length === 1) return { file: join(cwd, files[0]), seconds };
  const imports = files.map((file) => `import '${pathToFileURL(join(cwd, file)).href}';\n`);
  mkdirSync(dirname(batch), { recursive: true });
  writeFileSync(batch, imports.join(''));
  return { file: batch, seconds };
}
