// The texts that a verdict is about: the program with its imports, or PTX with its launches.
import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileNamer, isThere, kindOf } from '@poundlock/core/internal/host';
import type { TextHash } from '@poundlock/core/internal/finding';
import { chosenLaunch, isBuilt, isSteps, launchesBeside, type LaunchChoice } from './load-ptx.ts';
import { programFiles, sha256 } from './module-graph.ts';

/** The texts of a file whose kernel was just loaded, as they are on disk. */
export function textsOf(file: string, cwd: string, chosen = chosenLaunch()): readonly TextHash[] {
  const path = resolve(cwd, file);
  // A stream is gone once it is read.
  if (kindOf(path, null) !== 'file') return [];
  const paths = isBuilt(file) || isSteps(file) ? [path, ...launchesOf(path, cwd, chosen)] : [];
  const all = paths.length > 0 ? paths : programFiles(realpathSync(path));
  const name = fileNamer(file, cwd);
  return all
    .filter((one) => isThere(one))
    .map((one) => ({ file: name(one), sha256: sha256(readFileSync(one)) }));
}

/** The launch files of a PTX file. */
function launchesOf(path: string, cwd: string, { launch }: LaunchChoice): readonly string[] {
  if (launch !== undefined) return [resolve(cwd, launch)];
  return /\.ptx$/i.test(path) ? (launchesBeside(path) ?? []) : [];
}
