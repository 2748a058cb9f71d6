// Executes a job: calls the engine of its verb and makes plain data of what it answers.
import {
  BoundError,
  NotTimedError,
  formatPosition,
  InputError,
  type Position,
} from '@poundlock/core/internal/base';
import { asInputError, inputErrorText } from '@poundlock/core/internal/host';
import type { CheckResult, PathShare } from '@poundlock/core/internal/finding';
import { resolveParameters } from '@poundlock/core/internal/program';
import type { Kernel, Program, ResolvedParameters } from '@poundlock/core/internal/program';
import type { CheckOptions, CheckProgress } from '../../check/index.ts';
import type { GpuModel, ModelName, StageBytes } from '../../simulate/index.ts';
import type { PtxKernelOptions } from '@poundlock/ptx/internal/kernel/kernel';
import { PATH_WORDS } from '../../report/timeline/looks.ts';
import { verdictOfError } from '../exit-code.ts';
import type { Job, JobVerb, ModelJobOptions } from './job.ts';
import type { FailedOutcome, Outcome, OutcomeOf } from './outcome.ts';

// Engines are loaded by the first job that needs them: a thread starts sooner.
const checker = () => import('../../check/index.ts');
const simulator = () => import('../../simulate/index.ts');
const adviser = () => import('../../advise/index.ts');
const reviewer = () => import('../../advise/synchronization/review.ts');

/** A kernel, and its text where it is one as built. */
export interface LoadedKernel {
  readonly kernel: Kernel;
  readonly built: PtxKernelOptions | null;
}

/** What a job runs in. */
export interface JobEnvironment {
  /** Names a file relative to the folder of the program. */
  readonly name: (file: string) => string;
  readonly now: () => number;
  readonly pause: () => Promise<void>;
  readonly onProgress?: (progress: CheckProgress) => void;
}

type Execute<V extends JobVerb> = (
  load: () => Promise<LoadedKernel>,
  job: Job<V>,
  environment: JobEnvironment,
) => Promise<OutcomeOf[V]>;

const EXECUTE: { readonly [V in JobVerb]: Execute<V> } = {
  check: executeCheck,
  simulate: executeSimulate,
  advise: executeAdvise,
};

/** Runs a job; a mistake of the program is its outcome. */
export async function executeJob(
  load: () => Promise<LoadedKernel>,
  job: Job,
  environment: JobEnvironment,
): Promise<Outcome> {
  try {
    const execute = EXECUTE[job.verb] as Execute<JobVerb>;
    const ok = await execute(load, job, environment);
    // As it will be read: JSON has no NaN, and nothing that is undefined.
    return JSON.parse(JSON.stringify({ ok })) as Outcome;
  } catch (error) {
    return { failed: failureOf(error, environment) };
  }
}

/** Why a job has no result; rejected where that is a bug of poundlock. */
function failureOf(error: unknown, { name }: JobEnvironment): FailedOutcome {
  const verdict = verdictOfError(error);
  const isBound = error instanceof BoundError || error instanceof NotTimedError;
  const input = isBound ? new InputError(error.message) : asInputError(error);
  if (input === undefined) throw error;
  const at = input.position;
  return {
    error: inputErrorText(new InputError(input.message), ''),
    ...(at !== undefined && { at: { ...at, file: name(at.file) } }),
    ...(verdict !== undefined && { verdict }),
  };
}

async function executeCheck(
  load: () => Promise<LoadedKernel>,
  { params, options }: Job<'check'>,
  { name, now, pause, onProgress }: JobEnvironment,
): Promise<OutcomeOf['check']> {
  const { kernel } = await load();
  const resolved = resolveParameters(kernel, params);
  const { timeoutMs } = options;
  // Without a clock, only counts end a search: the result is the same on any machine.
  const clock = timeoutMs === undefined ? {} : { now };
  const shown = onProgress === undefined ? {} : { onProgress };
  const own = { ...options, ...clock, ...shown, params: resolved, pause };
  const result = await checked(kernel, own);
  const { every } = options;
  const used = every === undefined ? resolved : resolved.change({ [every]: result.params[every]! });
  const timeless = { ...result, stats: { ...result.stats, elapsedMs: 0 } };
  return { result: withNames(timeless, name), needed: used.needed() };
}

async function checked(
  kernel: Kernel,
  options: CheckOptions & { readonly params: ResolvedParameters },
): Promise<CheckResult> {
  const { boundReached, check } = await checker();
  try {
    return await check(kernel, options);
  } catch (error) {
    if (!(error instanceof BoundError)) throw error;
    return boundReached(kernel, options.params, error.message, 0);
  }
}

/** All places of a result, with other names of their files. */
export function withNames<T>(value: T, name: (file: string) => string): T {
  if (Array.isArray(value)) return value.map((each) => withNames(each, name)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isFile = key === 'file' && typeof part === 'string';
      return [key, isFile ? name(part) : withNames(part, name)];
    }),
  ) as T;
}

async function modelOf({ model, modelText }: ModelJobOptions): Promise<GpuModel> {
  const { MODELS, readModelText } = await simulator();
  return modelText === undefined ? MODELS[model as ModelName] : readModelText(model, modelText);
}

async function executeSimulate(
  load: () => Promise<LoadedKernel>,
  { params, options }: Job<'simulate'>,
): Promise<OutcomeOf['simulate']> {
  const { kernel } = await load();
  const { costsOf, simulate, StageBytes } = await simulator();
  const model = await modelOf(options);
  const resolved = resolveParameters(kernel, params);
  const seed = options.seed ?? 1;
  let stages: StageBytes | undefined;
  const observe = (program: Program): StageBytes => (stages = new StageBytes(program));
  const run = simulate(kernel, { model, params: resolved, seed, observe });
  const declared = run.device.occupancy.sharedBytes;
  const isDeclared = declared > 0;
  const longest = run.criticalPath[0];
  const roof = run.device.roofs[0];
  return {
    kernel: run.kernel,
    params: run.params,
    totalCycles: run.totalCycles,
    microseconds: run.device.microseconds,
    limits: run.limits,
    sharedBytes: isDeclared ? declared : (stages?.ofCta() ?? 0),
    isDeclared,
    mostSharedBytes: costsOf(model).ctaSharedBytes,
    bottleneck: longest === undefined ? null : shareOf(longest, run.totalCycles),
    nearestRoof: roof === undefined ? null : { name: roof.name, share: roof.achieved / roof.peak },
  };
}

function shareOf({ what, name, cycles }: PathShare, all: number) {
  return { what: `${name} ${PATH_WORDS[what]}`, share: all === 0 ? 0 : cycles / all };
}

async function executeAdvise(
  load: () => Promise<LoadedKernel>,
  { params, options }: Job<'advise'>,
  { name, pause }: JobEnvironment,
): Promise<OutcomeOf['advise']> {
  const { kernel, built } = await load();
  if (built !== null) return reviewBuilt(built, { params, options }, pause);
  const { advise } = await adviser();
  const { smem, maxStates } = options;
  const found = await advise(kernel, {
    model: await modelOf(options),
    params: resolveParameters(kernel, params),
    name: (place: Position) => formatPosition({ ...place, file: name(place.file) }),
    ...(smem !== undefined && { smem }),
    ...(maxStates !== undefined && { maxStates }),
  });
  const { kernel: title, params: values, current, limit, proposals } = found;
  return { kernel: title, params: values, totalCycles: current.totalCycles, limit, proposals };
}

/** Without a clock: what is found of a kernel as built is the same on any machine. */
async function reviewBuilt(
  built: PtxKernelOptions,
  { params, options }: Pick<Job<'advise'>, 'params' | 'options'>,
  pause: () => Promise<void>,
): Promise<OutcomeOf['advise']> {
  const { reviewSynchronization } = await reviewer();
  const review = await reviewSynchronization(built, {
    model: await modelOf(options),
    params,
    isExplained: false,
    pause,
  });
  const { kernel, sizes, simulated, unjudged, instructions } = review;
  return {
    kernel,
    params: sizes[0]?.params ?? {},
    totalCycles: simulated?.totalCycles ?? 0,
    limit: unjudged,
    proposals: [],
    deletions: { instructions, gainCycles: simulated?.gain.cycles ?? 0 },
  };
}
