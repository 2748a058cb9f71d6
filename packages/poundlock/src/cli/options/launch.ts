// `--launch`, `--launch-index` and `--entry`: which launch of which kernel of a PTX file.
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import { readCount } from './amount.ts';
import { flagName } from './flag-name.ts';
import { chooseLaunch, isPtx } from '../load-ptx.ts';

/** The arguments of the options, as parsed by the command line. */
export interface LaunchWords {
  readonly launch?: string;
  readonly launchIndex?: string;
  readonly entry?: string;
  readonly assume?: 'boxes';
}

/** Adds the options of PTX files to a verb. */
export function addLaunchOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--launch <FILE.json>',
        'how a PTX kernel is launched (default: launch.json beside it)',
      ),
    )
    .option(
      '--launch-index <N>',
      'which launch of the file alone, from 0 (default: the first, and then the others)',
    )
    .option('--entry <NAME>', 'which kernel of a PTX file, by its name or a part of it')
    .addOption(
      new Option(
        '--assume <WHAT>',
        'solve the boxes of tensor maps that the launch file leaves out from the expected bytes',
      ).choices(['boxes']),
    );
}

/** Throws where options of PTX files are set, and no file of a command is one. */
export function requirePtxFile(words: LaunchWords, files: readonly string[]): void {
  const set = NAMES.find((name) => words[name] !== undefined);
  if (set === undefined || files.some((file) => isPtx(file))) return;
  throw new InputError(`--${flagName(set)} has no effect: it is for PTX files`);
}

const NAMES = ['launch', 'launchIndex', 'entry', 'assume'] as const;

/** Makes the choice known to everything that loads kernels in this process. */
export function readLaunchOptions({ launch, launchIndex, entry, assume }: LaunchWords): void {
  chooseLaunch({
    launch,
    entry,
    assumeBoxes: assume === 'boxes',
    index: launchIndex === undefined ? undefined : readCount('--launch-index', launchIndex, 0),
  });
}
