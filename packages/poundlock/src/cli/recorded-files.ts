// The launches below a folder, such as one that `poundlock record` wrote.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { entriesOf, kindOf } from '@poundlock/core/internal/host';

/** The most launch files of one folder. */
const MAX_FILES = 100_000;
/** How deep the folders may be. */
const MAX_DEPTH = 16;

/** `launch.json`, `launch-2.json`, `kernel.launch.json`. */
const LAUNCH_FILE = /^(?:launch(?:-\d+)?|.*\.launch)\.json$/;

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Replaces folders by what there is to check in them. */
export function withoutFolders(words: readonly string[], cwd: string): string[] {
  return words.flatMap((word) => {
    return kindOf(resolve(cwd, word), word) === 'folder' ? launchFilesBelow(word, cwd) : [word];
  });
}

/**
 * What there is to check below a folder, in the order of the names: launch files, which name their
 * PTX, and PTX files with launch files beside them that name none.
 *
 * @throws InputError where it has none, or where a bound is reached.
 */
export function launchFilesBelow(folder: string, cwd: string): string[] {
  const files: string[] = [];
  collect(folder, cwd, 0, files);
  if (files.length === 0)
    throw new InputError(
      `${folder}: has no PTX and no launch file in it; name programs and CUDA sources one by one`,
    );
  return files;
}

function collect(folder: string, cwd: string, depth: number, files: string[]): void {
  if (depth > MAX_DEPTH)
    throw new InputError(`${folder}: more than ${MAX_DEPTH} folders in one another`);
  const entries = entriesOf(resolve(cwd, folder), folder);
  // `launch.json` before `launch-2.json`.
  const rank = (name: string): string => name.replace(/^launch\.json$/, 'launch-1.json');
  const sorted = entries.toSorted((a, b) => byName(rank(a.name), rank(b.name)));
  const names = sorted.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const jobs = new Set(jobsOf(names, (name) => ptxOf(resolve(cwd, folder, name))));
  for (const entry of sorted) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) collect(path, cwd, depth + 1, files);
    else if (jobs.has(entry.name)) files.push(path);
    if (files.length > MAX_FILES)
      throw new InputError(`${folder}: more than ${MAX_FILES} launches`);
  }
}

/**
 * Of the files in one folder those that are checked: launch files that name their PTX, and PTX
 * files that none of them names, with the launch files beside them. What has no counterpart is
 * checked, too, which says what it lacks.
 */
function jobsOf(names: readonly string[], ptxOfLaunch: (name: string) => string): string[] {
  const launches = names.filter((name) => LAUNCH_FILE.test(name));
  const named = new Map(launches.map((name) => [name, ptxOfLaunch(name)]));
  const ofLaunches = new Set([...named.values()].map((ptx) => join(ptx)));
  const alone = names.filter((name) => /\.ptx$/i.test(name) && !ofLaunches.has(name));
  const isBeside = (launch: string): boolean => {
    const own = launch.replace(/\.launch\.json$/, '.ptx');
    return own === launch ? alone.length > 0 : alone.includes(own);
  };
  const jobs = launches.filter((name) => named.get(name) !== '' || !isBeside(name));
  return [...jobs, ...alone];
}

/** The PTX that a launch file names; empty where it names none, or cannot be read. */
function ptxOf(path: string): string {
  try {
    const { ptx } = JSON.parse(readFileSync(path, 'utf8')) as { ptx?: string | { file?: string } };
    const file = typeof ptx === 'string' ? ptx : ptx?.file;
    return typeof file === 'string' ? file : '';
  } catch {
    // Checking it says why.
    return '';
  }
}
