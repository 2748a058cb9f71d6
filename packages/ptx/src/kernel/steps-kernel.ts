// A kernel from what its warps did: a steps file, or the log of a launch on hardware.
import '../own-folder.ts';
import { InputError, option, optionTable, requireOptions } from '@poundlock/core/internal/base';
import type { OptionsOf } from '@poundlock/core/internal/base';
import { builtKernel } from './built-kernel.ts';
import type { Kernel } from '@poundlock/core/internal/program';
import { SOURCE_TEXT } from './kernel.ts';
import { inStrands } from '../lanes/strands.ts';
import { rolesOf } from '../lower/kernel.ts';
import { lowerRun } from '../lower/roles.ts';
import { readableName } from '../text/names.ts';
import { referenceOf } from './reference.ts';
import { lineField, readSteps } from '../steps/read-steps.ts';
import type { Place } from '../places/place.ts';
import type { ReferenceRun } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';
import { STEPS_FORMAT, writeSteps } from '../steps/write-steps.ts';
import { readTrace, TRACE_FORMAT } from '../trace/read-trace.ts';

const READERS: Readonly<Record<string, (text: string, file: string) => ReferenceRun>> = {
  [STEPS_FORMAT]: readSteps,
  [TRACE_FORMAT]: (text, file) => asWhole(readTrace(text, file)),
};

/** A run without the lanes of its steps: a log is assumed to have them joined. */
function asWhole(run: ReferenceRun): ReferenceRun {
  const warps = run.warps.map((warp) => {
    const steps = warp.steps.flatMap(({ lanes: _lanes, ...step }): Step[] => [
      step as Step,
      { at: step.at, op: 'join' },
    ]);
    return { ...warp, steps };
  });
  return { ...run, warps };
}

const STEPS_KERNEL = optionTable({
  ...SOURCE_TEXT.values,
  /** Finds the files that the steps name; they are shown as named unless specified. */
  resolveSource: option.callable<(file: string) => string>(),
});

/** Options of {@link stepsKernel}. */
export interface StepsKernelOptions extends OptionsOf<typeof STEPS_KERNEL, 'file' | 'text'> {}

/** The run with the user's source files where they were found. */
function withSources(run: ReferenceRun, resolve: ((file: string) => string) | undefined) {
  if (resolve === undefined) return run;
  const found = new Map<string, string>();
  const places = (at: number): Place => {
    const place = run.places(at);
    let file = found.get(place.file);
    if (file === undefined) found.set(place.file, (file = resolve(place.file)));
    return { ...place, file };
  };
  return { ...run, places };
}

/**
 * Turns a steps file (docs/schema/steps.json), or a log that `poundlock-trace.cuh` wrote, into a
 * kernel. It has no parameters: it is one launch.
 *
 * @throws InputError with the line and the field that cannot be used.
 *
 * @example
 * import { check } from 'poundlock/check';
 * import { stepsKernel } from 'poundlock/ptx';
 *
 * const head = { format: 'poundlock-steps', version: 1, kernel: 'meet', ctas: 1 };
 * const warps = [{ warp: 0 }, { warp: 1 }];
 * const meet = { op: 'named', at: 'meet.cu:3', id: 0, threads: 64, arriving: 32, isSync: true };
 * const lines = [{ ...head, warps }, { warp: 0, ...meet }, { warp: 1, ...meet }];
 * const text = lines.map((line) => JSON.stringify(line)).join('\n');
 * console.log((await check(stepsKernel({ file: 'steps.jsonl', text }))).verdict); // certified
 */
export function stepsKernel(options: StepsKernelOptions): Kernel {
  requireOptions('stepsKernel()', STEPS_KERNEL, options);
  const { file, text, resolveSource } = options;
  const first = lineField(file, 1, text.slice(0, Math.max(0, `${text}\n`.indexOf('\n'))));
  const format = first.at('format').text('');
  const read = READERS[format];
  if (read === undefined)
    throw new InputError(
      `${file}: its first line has no "format" of ${Object.keys(READERS).join(' or ')}`,
    );
  const run = withSources(read(text, file), resolveSource);
  const strands = inStrands(run);
  const plan = lowerRun(strands);
  const makeRoles = rolesOf(plan, run);
  const reference = referenceOf(strands, plan.possible);
  return {
    ...builtKernel(readableName(run.kernel), {}, () => makeRoles()),
    position: undefined,
    reference: () => reference,
    runText: () => writeSteps(run),
  };
}
