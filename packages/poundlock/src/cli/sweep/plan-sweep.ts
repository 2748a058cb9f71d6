// The jobs of a sweep: one for each verb and each set of parameters.
import { InputError } from '@poundlock/core/internal/base';
import { fileName, type Host } from '@poundlock/core/internal/host';
import {
  requireParameter,
  type Kernel,
  type ResolvedParameters,
} from '@poundlock/core/internal/program';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import {
  jobHash,
  type CheckJobOptions,
  type Job,
  type JobProgram,
  type SweepVerb,
  type ModelJobOptions,
  type OptionsOfJob,
} from '../jobs/job.ts';
import type { ProgramSource } from '../jobs/job-kernel.ts';
import { engineVersion } from '../jobs/own-code.ts';
import { PLAN_SCHEMA, type PlannedRow, type SweepPlan } from '../jobs/plan.ts';
import type { PooledJob } from '../jobs/pool.ts';
import type { Sweep } from '../options/sweep.ts';
import { planRuns, type Request } from '../plan.ts';
import { textsOf } from '../texts.ts';

/** What a sweep is about. */
export interface SweepRequest {
  readonly file: string;
  readonly kernel: Kernel;
  readonly program: JobProgram;
  readonly verbs: readonly SweepVerb[];
  readonly sets: Request['sets'];
  readonly sweeps: readonly Sweep[];
  readonly per: readonly string[];
  readonly check: CheckJobOptions;
  readonly model: ModelJobOptions;
}

/** A sweep's rows and its jobs, row by row. */
export interface PlannedSweep {
  readonly plan: SweepPlan;
  readonly jobs: readonly PooledJob[];
}

/** Plans all jobs; a mistake in a name or a value is found here, before anything runs. */
export function planSweep(request: SweepRequest, source: ProgramSource, host: Host): PlannedSweep {
  const { kernel, sweeps, sets, verbs, per } = request;
  for (const name of per) if (!Number.isFinite(Number(name))) requireParameter(kernel, name);
  const jobs: PooledJob[] = [];
  const rows = planRuns(kernel, { sets, sweeps }).map((params): PlannedRow => {
    const ofRow = verbs.map((verb) => jobOf(verb, params, request));
    const named = ofRow.map((job) => ({
      hash: jobHash(job),
      job,
      source,
      program: request.program,
    }));
    jobs.push(...named);
    return {
      params: params.values,
      swept: Object.fromEntries(sweeps.map(({ name }) => [name, params.values[name]!])),
      jobs: Object.fromEntries(named.map(({ hash, job }) => [job.verb, hash])),
    };
  });
  const plan: SweepPlan = {
    schema: PLAN_SCHEMA,
    kind: 'sweep',
    engine: engineVersion(),
    file: fileName(request.file, host.cwd),
    texts: textsOf(request.file, host.cwd),
    kernel: kernel.name,
    model: request.model.model,
    verbs,
    swept: sweeps.map(({ name }) => name),
    per,
    rows,
  };
  return { plan, jobs };
}

function jobOf(verb: SweepVerb, params: ResolvedParameters, request: SweepRequest): Job {
  const { program, check, model } = request;
  const options: Pick<OptionsOfJob, SweepVerb> = {
    check,
    simulate: withoutBounds(model),
    advise: model,
  };
  return {
    schema: 'poundlock/job@1',
    engine: engineVersion(),
    verb,
    program: program.sha256,
    params: sorted(params.set),
    options: options[verb],
  };
}

/** What only advise reads does not make another simulation. */
function withoutBounds({ smem: _smem, maxStates: _most, ...rest }: ModelJobOptions) {
  return rest;
}

function sorted(params: Readonly<Record<string, ParameterValue>>): Job['params'] {
  return Object.fromEntries(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** `tiles*clusterM*2`: names of parameters and numbers. */
export function readPer(text: string | undefined): string[] {
  if (text === undefined) return [];
  const factors = text.split('*').map((factor) => factor.trim());
  if (factors.every((factor) => /^[\w.]+$/.test(factor))) return factors;
  throw new InputError(`--per must be a product such as tiles*clusterM, not "${text}"`);
}
