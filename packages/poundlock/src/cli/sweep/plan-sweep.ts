// The jobs of a sweep: one for each verb and each set of parameters.
import { basename, dirname, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { commonFolder, fileName, type Host } from '@poundlock/core/internal/host';
import { requireParameter, type ResolvedParameters } from '@poundlock/core/internal/program';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import { counted } from '../../report/index.ts';
import { FILE_COLUMN } from '../../report/sweeps/index.ts';
import {
  jobHash,
  type CheckJobOptions,
  type Job,
  type JobProgram,
  type SweepVerb,
  type ModelJobOptions,
  type OptionsOfJob,
} from '../jobs/job.ts';
import { engineVersion } from '../jobs/own-code.ts';
import { PLAN_SCHEMA, type PlannedRow, type SweepPlan } from '../jobs/plan.ts';
import type { PooledJob } from '../jobs/pool.ts';
import type { LoadedProgram } from '../jobs/read-program.ts';
import type { Sweep } from '../options/sweep.ts';
import { planRuns, type Request } from '../plan.ts';
import { textsOf } from '../texts.ts';

/** A program that is swept; a message where it can not be. */
export interface SweptProgram {
  readonly file: string;
  readonly loaded: LoadedProgram | string;
}

/** What a sweep is about. */
export interface SweepRequest {
  readonly programs: readonly SweptProgram[];
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
export function planSweep(request: SweepRequest, host: Host): PlannedSweep {
  const { programs, sweeps, verbs, per } = request;
  const files = programs.map(({ file }) => file);
  const label = labelsOf(files, host.cwd);
  const ofFile = (file: string): PlannedRow['swept'] =>
    programs.length === 1 ? {} : { [FILE_COLUMN]: label(file) };
  const planned = programs.map((program) =>
    plannedRows(program, ofFile(program.file), request, host),
  );
  const kernels = new Set(programs.flatMap(({ loaded }) => namesOf(loaded)));
  const plan: SweepPlan = {
    schema: PLAN_SCHEMA,
    kind: 'sweep',
    engine: engineVersion(),
    file: fileName(files.length === 1 ? files[0]! : folderOf(files, host.cwd), host.cwd),
    texts: files.flatMap((file) => textsOf(file, host.cwd)),
    kernel: kernels.size === 1 ? [...kernels][0]! : counted(kernels.size, 'kernel'),
    model: request.model.model,
    verbs,
    swept: [...(files.length === 1 ? [] : [FILE_COLUMN]), ...sweeps.map(({ name }) => name)],
    per,
    rows: planned.flatMap(({ rows }) => rows),
  };
  return { plan, jobs: planned.flatMap(({ jobs }) => jobs) };
}

function namesOf(loaded: LoadedProgram | string): readonly string[] {
  return typeof loaded === 'string' ? [] : [loaded.kernel.name];
}

function folderOf(files: readonly string[], cwd: string): string {
  return commonFolder(files.map((file) => resolve(cwd, file)));
}

/** Files without what all share: `sizes/a` for `builds/sizes/a/launch.json`, if all end so. */
function labelsOf(files: readonly string[], cwd: string): (file: string) => string {
  const folder = folderOf(files, cwd);
  const isFolders = new Set(files.map((file) => basename(file))).size === 1;
  return (file) => fileName(isFolders ? dirname(resolve(cwd, file)) : resolve(cwd, file), folder);
}

/** The rows of one program, and their jobs. */
function plannedRows(
  { file, loaded }: SweptProgram,
  ofFile: PlannedRow['swept'],
  request: SweepRequest,
  host: Host,
): Pick<SweepPlan, 'rows'> & Pick<PlannedSweep, 'jobs'> {
  if (typeof loaded === 'string')
    return { rows: [{ params: {}, swept: ofFile, jobs: {}, error: loaded }], jobs: [] };
  const { kernel, program } = loaded;
  const { sweeps, sets, verbs, per } = request;
  for (const name of per) if (!Number.isFinite(Number(name))) requireParameter(kernel, name);
  const source = { path: resolve(host.cwd, file), sha256: program.sha256 };
  const jobs: PooledJob[] = [];
  const rows = planRuns(kernel, { sets, sweeps }).map((params): PlannedRow => {
    const named = verbs.map((verb) => {
      const job = jobOf(verb, params, program, request);
      return { hash: jobHash(job), job, source, program };
    });
    jobs.push(...named);
    const swept = Object.fromEntries(sweeps.map(({ name }) => [name, params.values[name]!]));
    return {
      params: params.values,
      swept: { ...ofFile, ...swept },
      jobs: Object.fromEntries(named.map(({ hash, job }) => [job.verb, hash])),
    };
  });
  return { rows, jobs };
}

function jobOf(
  verb: SweepVerb,
  params: ResolvedParameters,
  program: JobProgram,
  { check, model }: SweepRequest,
): Job {
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
