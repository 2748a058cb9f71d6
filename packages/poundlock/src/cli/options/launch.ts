// `--launch`, `--launch-index` and `--entry`: which launch of which kernel of a PTX file.
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import type { Block } from '@poundlock/core/internal/program';
import { readCount } from './amount.ts';
import { flagName } from './flag-name.ts';
import { readLaunchParts } from './launch-parts.ts';
import type { LaunchPartWords } from './launch-parts.ts';
import { repeatable } from './check-options.ts';
import { chooseLaunch, isBuilt } from '../load-ptx.ts';
import type { LaunchChoice } from '../load-ptx.ts';

/** The arguments of the options, as parsed by the command line. */
export interface LaunchWords extends LaunchPartWords {
  readonly launch?: string;
  readonly launchIndex?: string;
  readonly entry?: string;
  readonly assume?: 'boxes';
  readonly onlyBlock?: readonly string[];
  readonly strictLaunch?: true;
  readonly nvcc?: string;
  readonly gpu?: string;
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

/** Adds the options of kernels without a launch file, and of inputs that are no PTX. */
export function addInferenceOptions(command: Command): Command {
  return addLaunchParts(command)
    .option('--smem <BYTES>', 'dynamic shared memory')
    .option('--strict-launch', 'refuse a kernel that has no launch file')
    .option('--nvcc <PATH>', 'the compiler of .cu files (default: nvcc, then clang++)')
    .option('--gpu <SM>', 'compile and choose code for a GPU such as sm_90a');
}

/** Adds the options for parts of a launch. */
export function addLaunchParts(command: Command): Command {
  return command
    .option('--block <X[,Y[,Z]]>', 'threads of a block, instead of what the text or a file says')
    .option('--grid <X[,Y[,Z]]>', 'blocks of the grid')
    .option('--cluster <X[,Y[,Z]]>', 'blocks of a cluster')
    .addOption(
      repeatable(
        '--param <NAME=VALUE>',
        'a parameter by its name or number: a value, several, a range 0..64, or @FILE.json, ' +
          'the 32-bit integers behind a pointer (repeatable)',
      ),
    );
}

/** Throws where options of PTX files are set, and no file of a command is one. */
export function requirePtxFile(words: LaunchWords, files: readonly string[]): void {
  const set = NAMES.find((name) => words[name] !== undefined);
  if (set === undefined || files.some((file) => isBuilt(file))) return;
  const instead = set === 'param' ? '; a program has --set' : '';
  throw new InputError(`--${flagName(set)} has no effect: it is for PTX files${instead}`);
}

const NAMES = [
  'launch',
  'launchIndex',
  'entry',
  'assume',
  'block',
  'grid',
  'cluster',
  'smem',
  'param',
  'strictLaunch',
  'nvcc',
  'gpu',
  'onlyBlock',
] as const;

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

/** What is known beside the words of the command line. */
export interface LaunchSettings {
  /** Words for the compiler. */
  readonly compilerFlags?: readonly string[];
  /** The launch of a kernel that has no launch file. */
  readonly infer?: LaunchChoice['infer'];
}

/** Makes the choice known to everything that loads kernels in this process. */
export function readLaunchOptions(words: LaunchWords, settings: LaunchSettings = {}): void {
  const { launch, launchIndex, entry, assume, strictLaunch, nvcc, gpu, onlyBlock } = words;
  chooseLaunch({
    launch,
    entry,
    assumeBoxes: assume === 'boxes',
    blocks: onlyBlock?.map(readBlock),
    parts: readLaunchParts(words),
    isStrict: strictLaunch === true,
    nvcc,
    gpu,
    ...settings,
    index: launchIndex === undefined ? undefined : readCount('--launch-index', launchIndex, 0),
  });
}
