// What a project says of its kernels: the part `check` of poundlock.config, as a table.
import {
  option,
  optionTable,
  type OptionsOf,
  type OptionValue,
} from '@poundlock/core/internal/base';
import { MEMORY_PROFILES, SIZES } from './options.ts';

/** A value of a table of values by name. */
function byName<T>(must: string, isOne: (value: unknown) => boolean) {
  return option.object<Readonly<Record<string, T>>>(
    `values by name, each ${must}`,
    (value) => !Array.isArray(value) && Object.values(value).every(isOne),
  );
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** One size of a launch, or those along x, y and z. */
const size: OptionValue<number | readonly number[]> = {
  accepts: (value): value is number | readonly number[] =>
    isWhole(value) ||
    (Array.isArray(value) && value.length > 0 && value.length <= 3 && value.every(isWhole)),
  must: 'a number, or a list of up to three',
};

const words: OptionValue<string | readonly string[]> = {
  accepts: (value): value is string | readonly string[] =>
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((each) => typeof each === 'string')),
  must: 'a text, or a list of texts',
};

const count: OptionValue<number> = {
  accepts: (value): value is number => isWhole(value),
  must: 'a whole number',
};

/** What is said of some kernels of a project: options of `check`, under their names. */
export const PROJECT_KERNELS = optionTable({
  /** Files, folders and globs, from the folder of the configuration on. */
  files: words,
  /** Parameters of programs, and numbers of a launch. */
  set: byName<string | number | boolean>('a text, a number, true or false', isScalar),
  /** Values that are checked one after the other: `1..8`. */
  sweep: byName<string>('a text', (value) => typeof value === 'string'),
  /** The parameter whose every value is proved. */
  every: option.text,
  /** Which sizes are checked beside the requested one. */
  sizes: option.oneOf(...SIZES),
  /** The memory profile. */
  memory: option.oneOf(...MEMORY_PROFILES),
  /** Assumptions that are taken for granted. */
  accept: option.list(option.text),
  /** Warnings that are errors. */
  deny: option.list(option.text),
  /** How long a check may take: `30s`. */
  timeout: option.text,
  /** The launch file of a kernel as built, from the folder of the configuration on. */
  launch: option.text,
  /** Which launch of the file alone, from 0. */
  launchIndex: count,
  /** Which kernel of a text. */
  entry: option.text,
  /** Threads of a block. */
  block: size,
  /** Blocks of the grid. */
  grid: size,
  /** Blocks of a cluster. */
  cluster: size,
  /** Dynamic shared memory in bytes. */
  smem: count,
  /** Parameters of a kernel as built: a number, several, a range, or `@FILE.json`. */
  param: byName<string | number | boolean>('a text or a number', isScalar),
  /** Solves boxes of tensor maps that the launch leaves out. */
  assume: option.oneOf('boxes'),
  /** The GPU for which sources are compiled: `sm_90a`. */
  gpu: option.text,
});

/** What a project says of some of its kernels: see {@link ProjectChecks}. */
export interface ProjectKernels extends OptionsOf<typeof PROJECT_KERNELS, 'files'> {}

/** The part `check` of a configuration. */
export const CHECKS = optionTable({
  /** Assumptions that every check takes for granted. */
  accept: option.list(option.text),
  /** Warnings that are errors in every check. */
  deny: option.list(option.text),
  /** The memory profile of checks that say no other. */
  memory: option.oneOf(...MEMORY_PROFILES),
  /** What `poundlock check` checks where it is given no file. */
  kernels: option.list(
    option.object<ProjectKernels>('an object', (value) => !Array.isArray(value)),
  ),
});

/** What a project always takes for granted, and the kernels that `poundlock check` checks. */
export interface ProjectChecks extends OptionsOf<typeof CHECKS> {}

/**
 * A configuration, `poundlock.config.ts` or `"poundlock"` in package.json.
 *
 * @example
 * import type { ProjectConfig } from 'poundlock/check';
 *
 * const config = {
 *   check: { kernels: [{ files: 'kernels/*.ts', every: 'tiles' }] },
 * } satisfies ProjectConfig;
 * console.log(config.check.kernels.length); // 1
 */
export interface ProjectConfig {
  /** What `check` takes for granted, and which kernels there are. */
  readonly check?: ProjectChecks;
  /** What `lint` reads. */
  readonly lint?: Readonly<Record<string, unknown>>;
}
