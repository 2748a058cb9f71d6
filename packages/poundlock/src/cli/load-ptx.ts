// Loads a kernel as built: a PTX file and the launch file that the command line names.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { fileName, systemMessage, type Host } from '@poundlock/core/internal/host';
import type { Kernel } from '@poundlock/core/internal/program';
import { MAX_TEXT } from '../ptx/text/tokens.ts';

/** Which launch of which kernel of a PTX file. */
export interface LaunchChoice {
  /** The launch file; one beside the PTX file unless specified. */
  readonly launch: string | undefined;
  /** The kernel; that of the launch file, or the only one, unless specified. */
  readonly entry: string | undefined;
  readonly index: number;
  /** Whether boxes of tensor maps may be solved from the expected bytes. */
  readonly assumeBoxes: boolean;
}

const NOTHING_CHOSEN: LaunchChoice = {
  launch: undefined,
  entry: undefined,
  index: 0,
  assumeBoxes: false,
};

// A process runs one command, whose options are the same for all of its files.
let choice = NOTHING_CHOSEN;

/** Makes the launch options of the command line known. */
export function chooseLaunch(chosen: LaunchChoice): void {
  choice = chosen;
}

/** The launch options of the command line, for threads that load the kernel themselves. */
export function chosenLaunch(): LaunchChoice {
  return choice;
}

/** The options of the command line that choose the same launch again. */
export function launchWords(): string[] {
  const { launch, entry, index, assumeBoxes } = choice;
  return [
    ...(launch === undefined ? [] : ['--launch', launch]),
    ...(entry === undefined ? [] : ['--entry', entry]),
    ...(index === 0 ? [] : ['--launch-index', String(index)]),
    ...(assumeBoxes ? ['--assume', 'boxes'] : []),
  ];
}

/** Whether a file is PTX. */
export function isPtx(file: string): boolean {
  return /\.ptx$/i.test(file);
}

function readText(path: string, shown: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_TEXT) throw new InputError(`${shown} has more than ${MAX_TEXT} bytes`);
    return bytes.toString();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${shown}: ${systemMessage(error)}`);
  }
}

/** The launch file beside a PTX file: `kernel.launch.json` or `launch.json`. */
function launchBeside(path: string): string {
  const own = path.replace(/\.ptx$/i, '.launch.json');
  if (existsSync(own)) return own;
  const common = join(dirname(path), 'launch.json');
  if (existsSync(common)) return common;
  throw new InputError(
    'needs a launch file: name it with --launch, or put launch.json beside it (docs/how-to/ptx.md)',
  );
}

/** The file that line information names, as the user would; its name alone if it is not found. */
function sourceFile(source: string, folder: string, cwd: string): string {
  const tries = [resolve(folder, source), resolve(cwd, source), join(folder, basename(source))];
  const found = tries.find((each) => existsSync(each));
  return found === undefined ? source : fileName(found, cwd);
}

/** Loads a PTX file with its launch as a kernel. */
export async function loadPtx(file: string, host: Host): Promise<Kernel> {
  const path = resolve(host.cwd, file);
  const launch =
    choice.launch === undefined ? launchBeside(path) : resolve(host.cwd, choice.launch);
  const { ptxKernel } = await import('../ptx/kernel.ts');
  const named = (each: string): { file: string; text: string } => {
    const shown = fileName(each, host.cwd);
    return { file: shown, text: readText(each, shown) };
  };
  return ptxKernel({
    ptx: named(path),
    launch: named(launch),
    launchIndex: choice.index,
    assumeBoxes: choice.assumeBoxes,
    resolveSource: (source) => sourceFile(source, dirname(path), host.cwd),
    ...(choice.entry === undefined ? {} : { entry: choice.entry }),
  });
}
