// Loads a kernel as built: a PTX file and the launch file that the command line names.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { atFile, fileName, isThere, type Host } from '@poundlock/core/internal/host';
import type { FindingRest } from '@poundlock/core/internal/finding';
import { outsideProgram, type Block, type Kernel } from '@poundlock/core/internal/program';
import type { PtxKernelOptions, SourceText } from '@poundlock/ptx/internal/kernel/kernel';
import { MAX_TEXT } from '@poundlock/ptx/internal/text/tokens';
import { isEmpty, partWords } from './options/launch-parts.ts';
import type { LaunchWordParts } from './options/launch-parts.ts';

/** A kernel with the launch that is inferred for it. */
export interface InferredLaunch {
  readonly ptx: SourceText;
  readonly launch: SourceText;
  readonly entry: string;
  /** The folder that its sources are relative to. */
  readonly folder: string;
}

/** Which launch of which kernel of a PTX file. */
export interface LaunchChoice {
  /** The launch file; one beside the PTX file unless specified. */
  readonly launch: string | undefined;
  /** The kernel; that of the launch file, or the only one, unless specified. */
  readonly entry: string | undefined;
  /** The launch in the file; the first one, and then all others, unless specified. */
  readonly index: number | undefined;
  /** The blocks that are executed alone; all are meant unless specified. */
  readonly blocks?: readonly Block[] | undefined;
  /** Whether boxes of tensor maps may be solved from the expected bytes. */
  readonly assumeBoxes: boolean;
  /** Parts of the launch that replace those of the file, or that are not inferred. */
  readonly parts?: LaunchWordParts;
  /** Whether a launch file is needed. */
  readonly isStrict?: boolean;
  /** The compiler of CUDA sources, the GPU, and words for the compiler. */
  readonly nvcc?: string | undefined;
  readonly gpu?: string | undefined;
  readonly compilerFlags?: readonly string[];
  /** The launch of a kernel without a launch file; one is needed unless specified. */
  readonly infer?: (file: string) => Promise<InferredLaunch | null>;
}

/** What reading files needs of a host. */
export type PtxHost = Pick<Host, 'cwd'>;

const NOTHING_CHOSEN: LaunchChoice = {
  launch: undefined,
  entry: undefined,
  index: undefined,
  assumeBoxes: false,
};

// A process runs one command, whose options are the same for all of its files.
let choice = NOTHING_CHOSEN;

/** Makes the launch options of the command line known. */
export function chooseLaunch(chosen: LaunchChoice): void {
  choice = chosen;
}

/** The options of the command line that choose the same launch again, or the one of a finding. */
export function launchWords(
  other?: { readonly file: string; readonly index: number },
  own?: readonly Block[],
  chosen = choice,
): string[] {
  const { entry, assumeBoxes, parts } = chosen;
  const blocks = own ?? chosen.blocks ?? [];
  const { launch, index } = other === undefined ? chosen : { ...other, launch: other.file };
  return [
    ...(launch === undefined ? [] : ['--launch', launch]),
    ...(entry === undefined ? [] : ['--entry', entry]),
    ...(index === undefined ? [] : ['--launch-index', String(index)]),
    ...(assumeBoxes ? ['--assume', 'boxes'] : []),
    ...blocks.flatMap((block) => ['--only-block', block.join()]),
    ...(parts === undefined ? [] : partWords(parts)),
  ];
}

/** Whether a file has the steps of a run, or the log of a launch. */
export function isSteps(file: string): boolean {
  return /\.jsonl$/i.test(file);
}

/** Whether a file is PTX, or a launch file that names its PTX. */
export function isPtx(file: string): boolean {
  return /\.(?:ptx|json)$/i.test(file);
}

/** Whether a file may hold PTX in another form: a source, a binary, a text, or a stream. */
export function isInput(file: string): boolean {
  return file === '-' || !/\.(?:[cm]?[jt]s|jsonl|json|ptx)$/i.test(file);
}

/** Whether a file is of a kernel as built, for which there is a launch. */
export function isBuilt(file: string): boolean {
  return isPtx(file) || isInput(file);
}

/** The choice of the command line. */
export function chosenLaunch(): LaunchChoice {
  return choice;
}

/** The most bytes of a steps file. */
const MAX_STEPS_TEXT = 256 * 1024 * 1024;

function readText(path: string, shown: string, most: number = MAX_TEXT): string {
  const bytes = atFile(shown, () => readFileSync(path));
  if (bytes.length > most) throw new InputError(`${shown} has more than ${most} bytes`);
  return bytes.toString();
}

/** The most launch files beside one PTX file. */
const MAX_BESIDE = 32;

/**
 * The launch files beside a PTX file: `kernel.launch.json` or `launch.json`, and those that follow,
 * such as `launch-2.json`; `null` without one.
 */
export function launchesBeside(path: string): readonly [string, ...string[]] | null {
  const names = [path.replace(/\.ptx$/i, '.launch.json'), join(dirname(path), 'launch.json')];
  const first = names.find((each) => isThere(each));
  if (first !== undefined) {
    const numbers = Array.from({ length: MAX_BESIDE - 1 }, (_, index) => index + 2);
    const more = numbers.map((number) => first.replace(/\.json$/, `-${number}.json`));
    return [first, ...more.filter((each) => isThere(each))];
  }
  return null;
}

/** The file that line information names, as the user would; its name alone if it is not found. */
export function sourceFile(source: string, folder: string, cwd: string): string {
  const tries = [resolve(folder, source), resolve(cwd, source), join(folder, basename(source))];
  // Places of instructions are looked up while a role runs.
  const found = outsideProgram(() => tries.find((each) => isThere(each)));
  return found === undefined ? source : fileName(found, cwd);
}

const NEEDS_LAUNCH =
  'needs a launch file: name it with --launch, put launch.json beside it, or write one with ' +
  '`poundlock launch`';

/** The PTX file of an argument, and its launches: the first one, and others to try. */
interface PtxFiles {
  readonly path: string;
  readonly launches: readonly [string, ...string[]];
}

async function filesOf(
  argument: string,
  host: PtxHost,
  { launch }: LaunchChoice,
): Promise<PtxFiles> {
  const path = resolve(host.cwd, argument);
  if (!/\.json$/i.test(path)) {
    const launches = launch === undefined ? launchesBeside(path) : [resolve(host.cwd, launch)];
    if (launches === null) throw new InputError(NEEDS_LAUNCH);
    return { path, launches: launches as PtxFiles['launches'] };
  }
  if (launch !== undefined) throw new InputError('is a launch file, and --launch names another');
  const { readLaunchFile } = await import('@poundlock/ptx/internal/launch/read-launch');
  const shown = fileName(path, host.cwd);
  const { ptx } = readLaunchFile(readText(path, shown), shown);
  if (ptx === '') throw new InputError('does not name its PTX: check the PTX file with --launch');
  return { path: resolve(dirname(path), ptx), launches: [path] };
}

/** A launch of one kernel says nothing of another one: the PTX that its file names is this one. */
function mustBePtxOf(named: string, launch: SourceText, path: string, ptx: SourceText): void {
  if (named === path) return;
  const isHere = isThere(named);
  // The same text elsewhere, or a launch file that was moved with its PTX.
  if (isHere ? readText(named, named) === ptx.text : basename(named) === basename(path)) return;
  throw new InputError(`${launch.file} is a launch of ${basename(named)}, not of ${ptx.file}`);
}

/** Replaces parts of launch files by those of the command line. */
async function patcher(
  ptx: SourceText,
  { entry: name, parts }: LaunchChoice,
  cwd: string,
): Promise<(launch: SourceText) => SourceText> {
  const { patchedLaunch } = await import('./supplied-parts.ts');
  const { parsePtx } = await import('@poundlock/ptx/internal/text/parse');
  const { findEntry } = await import('@poundlock/ptx/internal/kernel/entry');
  const { readLaunchFile } = await import('@poundlock/ptx/internal/launch/read-launch');
  const module = parsePtx(ptx.text, ptx.file);
  return ({ file, text }) => {
    const entry = findEntry(module, name ?? readLaunchFile(text, file).kernel);
    return { file, text: patchedLaunch(text, parts!, entry, cwd) };
  };
}

/** What a PTX file with its launches, or a launch file with its PTX, make a kernel of. */
export async function ptxOptions(
  file: string,
  host: PtxHost,
  chosen = choice,
): Promise<PtxKernelOptions> {
  const inferred = (await chosen.infer?.(file)) ?? null;
  if (inferred !== null) return optionsOf(inferred, host, chosen);
  const { path, launches } = await filesOf(file, host, chosen);
  const named = (each: string): SourceText => {
    const shown = fileName(each, host.cwd);
    return { file: shown, text: readText(each, shown) };
  };
  const ptx = named(path);
  const { readLaunchFile } = await import('@poundlock/ptx/internal/launch/read-launch');
  const { parts } = chosen;
  const isPatched = parts !== undefined && !isEmpty(parts);
  const change = isPatched ? await patcher(ptx, chosen, host.cwd) : null;
  const patched = (launch: SourceText): SourceText => (change === null ? launch : change(launch));
  const launchOf = (each: string): SourceText => {
    const launch = named(each);
    const own = readLaunchFile(launch.text, launch.file).ptx;
    if (own !== '') mustBePtxOf(resolve(dirname(each), own), launch, path, ptx);
    return patched(launch);
  };
  const [launch, ...others] = launches;
  return {
    ptx,
    launch: launchOf(launch),
    otherLaunches: others.map(launchOf),
    assumeBoxes: chosen.assumeBoxes,
    resolveSource: (source) => sourceFile(source, dirname(path), host.cwd),
    ...(chosen.index === undefined ? {} : { launchIndex: chosen.index }),
    ...(chosen.entry === undefined ? {} : { entry: chosen.entry }),
    ...(chosen.blocks === undefined ? {} : { blocks: chosen.blocks }),
  };
}

/** A kernel at the launch that is inferred for it. */
function optionsOf(
  { ptx, launch, entry, folder }: InferredLaunch,
  host: PtxHost,
  { blocks }: LaunchChoice,
): PtxKernelOptions {
  return {
    ptx,
    launch,
    entry,
    assumeBoxes: true,
    resolveSource: (source) => sourceFile(source, folder, host.cwd),
    ...(blocks === undefined ? {} : { blocks }),
  };
}

/** What a launch file says that `poundlock launch` has guessed. */
async function guessesOf({ launch, launchIndex = 0 }: PtxKernelOptions): Promise<FindingRest[]> {
  const { readLaunchFile } = await import('@poundlock/ptx/internal/launch/read-launch');
  const file = readLaunchFile(launch.text, launch.file);
  if (launchIndex >= file.count) return [];
  const origins = file.origins(launchIndex);
  return (['block', 'cluster'] as const).flatMap((what) => {
    if (origins[what] !== 'tried' && origins[what] !== 'solved') return [];
    const origin = `${launch.file} says that it was ${origins[what]}`;
    const why = `${origin}: give --${what}, or set its origin`;
    return [{ what, value: 'of the file', why }];
  });
}

/** Loads a PTX file with its launches, or a launch file with its PTX, as a kernel. */
export async function loadPtx(file: string, host: PtxHost, chosen = choice): Promise<Kernel> {
  const { ptxKernel } = await import('@poundlock/ptx/internal/kernel/kernel');
  const options = await ptxOptions(file, host, chosen);
  const guesses = await guessesOf(options);
  return { ...ptxKernel(options), ...(guesses.length > 0 && { guesses }) };
}

/** Loads a steps file, or the log of a launch, as a kernel. */
export async function loadSteps(file: string, host: PtxHost): Promise<Kernel> {
  const path = resolve(host.cwd, file);
  const { stepsKernel } = await import('@poundlock/ptx/internal/kernel/steps-kernel');
  const shown = fileName(path, host.cwd);
  return stepsKernel({
    file: shown,
    text: readText(path, shown, MAX_STEPS_TEXT),
    resolveSource: (source) => sourceFile(source, dirname(path), host.cwd),
  });
}
