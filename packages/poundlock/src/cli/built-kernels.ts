// Kernels as built without a launch file: those of PTX, of binaries, of sources that a compiler
// turns into PTX, each at the launches that its text allows.
import { resolve } from 'node:path';
import process from 'node:process';
import { InputError } from '@poundlock/core/internal/base';
import { fileName, isThere, kindOf, type Host } from '@poundlock/core/internal/host';
import type { LaunchSubject } from '../launches/index.ts';
import { suppliedOf } from './supplied-parts.ts';
import { chosenLaunch, isInput, isPtx, launchesBeside, sourceFile } from './load-ptx.ts';
import type { LaunchChoice } from './load-ptx.ts';

/** What the standard input is called. */
export const STREAM = '<stdin>';

/** A kernel whose launch is inferred. */
export interface InferredKernel {
  /** What it is called in a report. */
  readonly file: string;
  readonly name: string;
  readonly subject: LaunchSubject;
}

/** Whether a file is a kernel as built for which there is no launch file. */
export function isWithoutLaunch(argument: string, host: Host, chosen = chosenLaunch()): boolean {
  if (isInput(argument)) return true;
  if (!isPtx(argument) || /\.json$/i.test(argument) || chosen.launch !== undefined) return false;
  return (
    isThere(resolve(host.cwd, argument)) && launchesBeside(resolve(host.cwd, argument)) === null
  );
}

const STRICT =
  'needs a launch file (--strict-launch): name it with --launch, put launch.json beside it, or ' +
  'write one with `poundlock launch`';

/**
 * The kernels of an input.
 *
 * @param onFailure Gets a kernel that cannot be executed, where others may be.
 * @throws InputError where it has none.
 */
export async function inferredKernels(
  argument: string,
  host: Host,
  onFailure: ((error: InputError) => void) | null = null,
): Promise<InferredKernel[]> {
  const chosen = chosenLaunch();
  if (chosen.isStrict === true) throw new InputError(STRICT);
  if (chosen.launch !== undefined)
    throw new InputError('--launch is for a PTX file: write the PTX of this input to one');
  const inputs = await textsOf(argument, host, chosen);
  const shown = argument === '-' ? STREAM : fileName(resolve(host.cwd, argument), host.cwd);
  const { parsePtx } = await import('@poundlock/ptx/internal/text/parse');
  const { withSources } = await import('@poundlock/ptx/internal/kernel/entry');
  const found = inputs.flatMap(({ text, folder, supplied, isText, blockOf }) => {
    const resolveSource = (source: string): string => sourceFile(source, folder, host.cwd);
    const module = withSources(parsePtx(text, isText ? shown : `${shown}.ptx`), resolveSource);
    const entries = [...module.functions.values()].filter((one) => one.isEntry && one.isDefined);
    return entries.map((entry) => {
      return { module, entry, text, supplied, ofSource: blockOf?.(entry.name) ?? null };
    });
  });
  if (found.length === 0) throw new InputError('has no kernel');
  const wanted = chosenOf(found, chosen.entry);
  const { skeletonOf, NOTHING_SUPPLIED } = await import('@poundlock/ptx/internal/infer/skeleton');
  const { readableName } = await import('@poundlock/ptx/internal/text/names');
  const { sizeText } = await import('../launches/index.ts');
  const inferred = ({ module, entry, text, supplied, ofSource }: (typeof wanted)[number]) => {
    const known = supplied ?? NOTHING_SUPPLIED;
    const facts = ofSource === null ? known : { ...known, block: ofSource.value };
    const first = skeletonOf(module, entry, facts);
    const { parts } = chosen;
    const all = parts === undefined ? facts : suppliedOf(parts, facts, first, host.cwd);
    const skeleton = parts === undefined ? first : skeletonOf(module, entry, all);
    const isOfSource = ofSource !== null && skeleton.supplied.block === ofSource.value;
    const notes = isOfSource
      ? [`${shown}:${ofSource.line} launches it with block ${sizeText(ofSource.value)}`]
      : [];
    const subject = { skeleton, ptx: { file: module.file, text }, notes };
    return { file: shown, name: readableName(entry.name), subject };
  };
  return wanted.flatMap((each) => {
    try {
      return [inferred(each)];
    } catch (error) {
      if (onFailure === null || wanted.length === 1 || !(error instanceof InputError)) throw error;
      onFailure(error);
      return [];
    }
  });
}

/** Whether this process may start others: a call of the server of agents may not. */
function mayStartCommands(): boolean {
  return (process.permission as typeof process.permission | undefined)?.has('child') ?? true;
}

/** The texts of an argument. */
async function textsOf(argument: string, host: Host, chosen: LaunchChoice) {
  const { readInput, readStream } = await import('../input/index.ts');
  if (argument === '-') {
    if (host.readInput === undefined) throw new InputError('there is no standard input');
    return readStream(host.readInput(), host.cwd);
  }
  const path = resolve(host.cwd, argument);
  if (kindOf(path, null) === null) throw new InputError('no such file');
  return readInput(path, fileName(path, host.cwd), {
    cwd: host.cwd,
    env: host.env,
    isAlone: !mayStartCommands(),
    nvcc: chosen.nvcc,
    gpu: chosen.gpu,
    flags: chosen.compilerFlags ?? [],
    onMessage: (text) => host.stderr.write(text),
  });
}

/** The kernels whose names have `--entry` in them; one whose name it is, wins. */
function chosenOf<Found extends { readonly entry: { readonly name: string } }>(
  found: readonly Found[],
  name: string | undefined,
): Found[] {
  if (name === undefined) return [...found];
  const exact = found.filter(({ entry }) => entry.name === name);
  const matching =
    exact.length > 0 ? exact : found.filter(({ entry }) => entry.name.includes(name));
  if (matching.length > 0) return matching;
  const list = found.map(({ entry }) => entry.name).join(', ');
  throw new InputError(`no kernel named '${name}': there are ${list}`);
}
