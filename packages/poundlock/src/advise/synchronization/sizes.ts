// The sizes at which a claim is proved: all launches, with the values that they allow.
import { InputError } from '@poundlock/core/internal/base';
import type { Parameters } from '@poundlock/core/internal/finding';
import { allowedSizes, sizesAround } from '../../check/index.ts';
import type { Size, Study } from '@poundlock/ptx/internal/redundancy/study';

/** The most sizes of one kernel. */
const MAX_SIZES = 64;
/** Numbers of stages at which other values are chosen, as nothing is known of the kernel's own. */
const STAGES = [2, 3, 4] as const;
/** Values beside the one that is proved for every value. */
const MAX_VALUES = 8;

/** What to try. */
export interface SizeOptions {
  /** Numbers that replace those of the launches. */
  readonly params?: Parameters;
  /** The number for every value of which claims are proved. */
  readonly every?: string;
}

/** The sizes of a kernel, and those that are refused or too many. */
export interface Sizes {
  readonly sizes: readonly Size[];
  readonly untried: readonly Size[];
}

/** All launches, then each with one other value of each number that may vary. */
export function sizesOf(study: Study, options: SizeOptions): Sizes {
  const { params = {} } = options;
  const all = study.launches.map((_, launch) => ({ launch, params }));
  const varied = all.flatMap(({ launch }) => variedSizes(study, launch, options));
  const untried: Size[] = [];
  const accepted = [...all, ...varied].filter((size, index) => {
    if (index < all.length || isAccepted(study, size)) return true;
    untried.push(size);
    return false;
  });
  return {
    sizes: accepted.slice(0, MAX_SIZES),
    untried: [...accepted.slice(MAX_SIZES), ...untried],
  };
}

function variedSizes(study: Study, launch: number, { params = {}, every }: SizeOptions): Size[] {
  const defaults = study.defaults(launch);
  const found: Size[] = [];
  const add = (name: string, value: number): void => {
    found.push({ launch, params: { ...params, [name]: value } });
  };
  for (const allowed of study.allowed(launch)) {
    const { parameter } = allowed;
    // A value that the command line chooses is the one to try.
    if (parameter in params || parameter === every) continue;
    for (const value of allowedSizes(allowed, defaults[parameter]!, STAGES)) add(parameter, value);
  }
  if (every !== undefined && every in defaults) {
    const value = Number(params[every] ?? defaults[every]);
    for (const other of sizesAround(value, STAGES).slice(0, MAX_VALUES)) add(every, other);
  }
  return found;
}

function isAccepted(study: Study, size: Size): boolean {
  try {
    study.launchOf(size);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** What messages call a size. */
export function sizeName(study: Study, { launch, params }: Size): string {
  const { file, index } = study.launches[launch]!;
  const numbers = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [`${file} launch ${index}`, ...numbers].join(', ');
}
