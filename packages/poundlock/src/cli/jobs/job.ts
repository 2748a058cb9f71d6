// A job: one verb on one program with one set of parameters. It is pure, and its name is its hash.
import { createHash } from 'node:crypto';
import type { CheckOptions } from '../../check/index.ts';
import type { ParameterValue } from '@poundlock/core/internal/finding';

/** A file of a program: its name relative to the folder of the program, and its text. */
export interface ProgramFile {
  readonly file: string;
  readonly text: string;
}

/** A module with all that it imports, except for poundlock itself. */
export interface ModuleProgram {
  readonly kind: 'module';
  /** The module whose default export is the kernel. */
  readonly entry: string;
  /** All modules, in the order of their names. */
  readonly files: readonly ProgramFile[];
}

/** A kernel as built: its PTX, its launch files, and which of the launches. */
export interface PtxProgram {
  readonly kind: 'ptx';
  readonly ptx: ProgramFile;
  readonly launch: ProgramFile;
  readonly otherLaunches: readonly ProgramFile[];
  readonly launchIndex?: number;
  readonly kernel?: string;
  readonly assumeBoxes: boolean;
}

/** The text of a program: all that a job needs, so that it can run on any machine. */
export type ProgramText = ModuleProgram | PtxProgram;

/** A program with the hash of its text. */
export interface JobProgram {
  readonly sha256: string;
  readonly text: ProgramText;
}

/** The options of a job of `check`: those that change its result. */
export type CheckJobOptions = Pick<
  CheckOptions,
  | 'accept'
  | 'deny'
  | 'engine'
  | 'every'
  | 'maxEvents'
  | 'maxStates'
  | 'memory'
  | 'shrinkTries'
  | 'sizes'
  | 'timeoutMs'
>;

/** The options of the jobs that predict times. */
export interface ModelJobOptions {
  /** The name of the GPU model, and its text where it is a file. */
  readonly model: string;
  readonly modelText?: string;
  readonly seed?: number;
  /** Shared memory for stages, in bytes. */
  readonly smem?: number;
  readonly maxStates?: number;
}

/** The options of each verb that can be a job. */
export interface OptionsOfJob {
  readonly check: CheckJobOptions;
  readonly simulate: ModelJobOptions;
  readonly advise: ModelJobOptions;
}

/** A verb that can be a job. */
export type JobVerb = keyof OptionsOfJob;

/** The verbs that a sweep can call. */
export const SWEEP_VERBS = ['check', 'simulate', 'advise'] as const satisfies readonly JobVerb[];
export type SweepVerb = (typeof SWEEP_VERBS)[number];

/** A job without the text of its program. */
export interface Job<V extends JobVerb = JobVerb> {
  readonly schema: 'poundlock/job@1';
  /** The version of poundlock, and the hash of its code. */
  readonly engine: string;
  readonly verb: V;
  /** The hash of the program's text. */
  readonly program: string;
  /** The parameters that are set, in the order of their names. */
  readonly params: Readonly<Record<string, ParameterValue>>;
  readonly options: OptionsOfJob[V];
}

/** A value as JSON with the keys of objects in order, without those that are undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))),
    );
  });
}

/** The hash of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A program with its hash. */
export function programOf(text: ProgramText): JobProgram {
  return { sha256: hashOf(canonicalJson(text)), text };
}

/** The name of a job: equal jobs have one result. */
export function jobHash(job: Job): string {
  return hashOf(canonicalJson(job));
}
