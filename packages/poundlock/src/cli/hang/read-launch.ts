// The launch of a stopped kernel: a launch file, or the one of a recording with its grid.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { atFile, fileName, kindOf, type Host } from '@poundlock/core/internal/host';
import { readLaunchFile, type LaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import type { StoppedGrid } from '../../hang/index.ts';
import { launchFilesBelow } from '../recorded-files.ts';

/** A launch file that was read. */
export interface ReadLaunch {
  readonly name: string;
  readonly text: string;
  readonly file: LaunchFile;
}

/**
 * Reads the launch that `--launch` names: a file, or a folder that `record` wrote.
 *
 * @throws InputError where it cannot be read, or a folder has no launch of the kernel.
 */
export function readLaunch(
  argument: string,
  kernel: string,
  grid: StoppedGrid,
  host: Pick<Host, 'cwd'>,
): ReadLaunch {
  const path = resolve(host.cwd, argument);
  if (kindOf(path, argument) !== 'folder') return readOne(path, host);
  for (const each of launchFilesBelow(argument, host.cwd)) {
    const found = readOne(resolve(host.cwd, each), host);
    if (found.file.kernel === kernel && isLaunchOf(found, grid)) return found;
  }
  throw new InputError(`${argument} has no launch of ${kernel} with the grid of the dump`);
}

function readOne(path: string, host: Pick<Host, 'cwd'>): ReadLaunch {
  const name = fileName(path, host.cwd);
  const text = atFile(name, () => readFileSync(path, 'utf8'));
  return { name, text, file: readLaunchFile(text, name) };
}

/** Whether a launch has the grid and the blocks of a dump. */
export function isLaunchOf(
  { text }: ReadLaunch,
  stopped: Pick<StoppedGrid, 'grid' | 'block'>,
): boolean {
  const document = JSON.parse(text) as LaunchSizes & { readonly launches?: readonly LaunchSizes[] };
  const isSame = (size: readonly number[] | undefined, shown: readonly number[]): boolean =>
    shown.every((each, axis) => each === (size?.[axis] ?? 1));
  return (document.launches ?? [document]).some(
    ({ grid, block }) => isSame(grid, stopped.grid) && isSame(block, stopped.block),
  );
}

interface LaunchSizes {
  readonly grid?: readonly number[];
  readonly block?: readonly number[];
}
