// `--launch`, `--launch-index` and `--entry`: which launch of which kernel of a PTX file.
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import type { Block } from '@poundlock/core/internal/program';
import { readCount } from './amount.ts';
import { flagName } from './flag-name.ts';
import { chooseLaunch, isPtx } from '../load-ptx.ts';

/** The arguments of the options, as parsed by the command line. */
export interface LaunchWords {
  readonly launch?: string;
  readonly launchIndex?: string;
  readonly entry?: string;
  readonly assume?: 'boxes';
  readonly onlyBlock?: readonly string[];
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

const NAMES = ['launch', 'launchIndex', 'entry', 'assume', 'onlyBlock'] as const;

/** Adds the option that looks at one block alone. */
export function addBlockOption(command: Command): Command {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  return command.addOption(
    new Option(
      '--only-block <x,y,z>',
      'look at the cluster of one block of a PTX kernel alone (twice: at two that meet)',
    ).argParser(collect),
  );
}

/** A block as `x,y,z`; what is missing is 0. */
function readBlock(text: string): Block {
  const [x = '', ...more] = text.split(',');
  if (more.length > 2) throw new InputError(`--only-block ${text} has more than three numbers`);
  const [first, second = 0, third = 0] = [x, ...more].map((each) =>
    readCount('--only-block', each, 0),
  );
  return [first!, second, third];
}

/** Makes the choice known to everything that loads kernels in this process. */
export function readLaunchOptions(words: LaunchWords): void {
  const { launch, launchIndex, entry, assume, onlyBlock } = words;
  chooseLaunch({
    launch,
    entry,
    assumeBoxes: assume === 'boxes',
    blocks: onlyBlock?.map(readBlock),
    index: launchIndex === undefined ? undefined : readCount('--launch-index', launchIndex, 0),
  });
}
