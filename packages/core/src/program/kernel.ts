// A kernel: a name, parameters with defaults, and a callback that makes the roles.
import type { IssueTrace } from './issue-trace.ts';
import {
  currentPosition,
  InputError,
  option,
  optionTable,
  requireOptions,
  surplus,
  type OptionsOf,
  type Position,
} from '../base/index.ts';
import type { FindingRest, Parameters } from '../finding/index.ts';
import type { Defaults, Resolved } from './parameters.ts';
import type { KernelReference, LaunchSurroundings, Periods } from './kernel-reference.ts';
import type { Role } from './role.ts';

const KERNEL = Symbol.for('poundlock.kernel');

const OWNERSHIPS = ['explicit', 'raii'] as const;
/**
 * When the stage of a handle is released: where the program says (`explicit`), or after the last
 * use of the handle (`raii`, O10).
 */
export type KernelOwnership = (typeof OWNERSHIPS)[number];

/** The text of a program: its modules as JavaScript, in which types are blanks. */
export interface ProgramSource {
  /** The module that declares the kernel. */
  readonly entry: string;
  /** The text of a module; `null` where it cannot be read. */
  readonly read: (file: string) => string | null;
  /** The module that another one imports by a name; `null` for one of a package. */
  readonly resolve: (name: string, from: string) => string | null;
}

export const KERNEL_OPTIONS = optionTable({
  /**
   * When stages are released; `explicit` unless specified. `raii` moves every release to right
   * after the last use of its handle, as a destructor that runs as soon as possible would. It is
   * for roles without choices.
   */
  ownership: option.oneOf(...OWNERSHIPS),
});

/** Options of {@link kernel}. */
export interface KernelOptions extends OptionsOf<typeof KERNEL_OPTIONS> {}

/** A kernel: what a kernel file exports as its default. */
export interface Kernel {
  /**
   * Marks a kernel.
   *
   * @internal
   */
  readonly [KERNEL]: true;
  /** Its name, in reports. */
  readonly name: string;
  /** The defaults of its parameters. */
  readonly defaults: Defaults;
  /** Creates the roles. Each role of a check or run comes from a call of its own (P01). */
  readonly build: (params: Parameters) => readonly Role[];
  /** When the stages of handles are released. */
  readonly ownership: KernelOwnership;
  /** Where it is declared. */
  readonly position: Position | undefined;
  /**
   * The text of a module, where it can be read: it shows which tries are polls (P07).
   *
   * @internal
   */
  readonly sourceOf?: (file: string) => string | undefined;
  /**
   * The text of its program, which proves what its runs alone cannot show.
   *
   * @internal
   */
  readonly source?: ProgramSource;
  /**
   * The language of its text, where it is not a program.
   *
   * @internal
   */
  readonly dialect?: 'ptx';
  /**
   * Guesses about its launch: an error that rests on them is none.
   *
   * @internal
   */
  readonly guesses?: readonly FindingRest[];
  /**
   * What is to be known of its text, a sentence each: notes of each result.
   *
   * @internal
   */
  readonly remarks?: readonly string[];
  /**
   * The run that the kernel was taken from, for parameters; missing where it was written. It is
   * undecided where `isOver` ends it.
   *
   * @internal
   */
  readonly reference?: (params: Parameters, isOver?: () => boolean) => KernelReference;
  /**
   * The run that the kernel was taken from, as a text that can be read again.
   *
   * @internal
   */
  readonly runText?: (params: Parameters) => string;
  /**
   * What else may be launched, where the kernel was taken from a launch.
   *
   * @internal
   */
  readonly surroundings?: LaunchSurroundings;
  /**
   * The kernel with the time of the instructions between its operations, by the numbers of a GPU
   * model, for `simulate`.
   *
   * @internal
   */
  readonly timed?: (costs: Readonly<Record<string, number>>) => Kernel;
  /**
   * What the times of its instructions rest on, where it is such a kernel: its operations cost what
   * their instructions do, and no more. `null` where the timed run is undecided.
   *
   * @internal
   */
  readonly timing?: (params: Parameters) => Timing | null;
  /**
   * Kernels for all values of a parameter, where the run repeats itself as the parameter grows;
   * `null` where it does not, or `isOver` says so before.
   *
   * @internal
   */
  readonly periods?: (every: string, params: Parameters, isOver: () => boolean) => Periods | null;
}

/** What the times of the instructions between operations rest on. */
export interface Timing {
  /** Instructions that have no price. */
  readonly unpriced: readonly string[];
  /** Whether there are others than those that count and compute addresses. */
  readonly hasArithmetic: boolean;
  /** Whether a product of its matrices is computed from another one, as in attention. */
  readonly hasChainedProducts: boolean;
  /** What the warps of some blocks issue; `null` where more than that decides the time. */
  readonly trace: IssueTrace | null;
  /** Why there is no trace; `null` where there is one. */
  readonly lacks: string | null;
  /** Whether that is an operation which only roles have, and not what is unknown. */
  readonly isOfRoles: boolean;
  /** What all warps of the blocks that were executed issue and move. */
  readonly work: TimedWork;
}

/** Instructions of warps and bytes of global memory, with those that a model has no price for. */
export interface TimedWork {
  readonly blocks: number;
  readonly instructions: number;
  readonly unpricedInstructions: number;
  /** Bytes that units copy from or to global memory: bulk copies, `cp.async`. */
  readonly copiedBytes: number;
  /** Bytes of global memory that threads load, store, or change atomically. */
  readonly threadBytes: number;
  /** The part of the time of tensor cores in which they do not wait for shared memory. */
  readonly multiplyingShare: number;
  /** Instructions of other clusters that were executed: the last one, and some from the middle. */
  readonly others: readonly number[];
  /** The part of the bytes of bulk copies that the next block copies at the same time. */
  readonly sharedShare: number;
}

/**
 * Declares a kernel. The callback is called once for each role, so roles share nothing but
 * operations (P01); what it declares must be the same in every call. A default may be a function
 * of the parameters before it.
 *
 * @throws InputError for a missing name or callback, or an unknown option.
 *
 * @example
 * import { count, kernel, mma, pipeline, role, tma } from 'poundlock';
 *
 * export default kernel('ring', { stages: 2, tiles: 8 }, ({ stages, tiles }) => {
 *   const ab = pipeline('ab', { stages, bytes: 1024 });
 *   const items = count(tiles);
 *   return [
 *     role('load', function* () {
 *       while (yield* items.more()) {
 *         using slot = yield* ab.produce();
 *         tma.load(slot);
 *       }
 *       yield* ab.drain();
 *     }),
 *     role('mma', function* () {
 *       while (yield* items.more()) {
 *         using tile = yield* ab.consume();
 *         mma.issue(tile);
 *         yield* mma.waitGroup(0);
 *       }
 *     }),
 *   ];
 * });
 */
export function kernel<const D extends Defaults>(
  name: string,
  defaults: D,
  build: (params: Resolved<D>) => readonly Role[],
  options: KernelOptions = {},
): Kernel {
  if (typeof name !== 'string' || name === '') {
    throw new InputError('a kernel needs a name', currentPosition());
  }
  if (typeof build !== 'function') {
    throw new InputError(
      `kernel ${name} needs a callback that returns its roles`,
      currentPosition(),
    );
  }
  if (arguments.length > 4) throw surplus('kernel()', arguments[4]);
  requireOptions('kernel()', KERNEL_OPTIONS, options);
  const { ownership = 'explicit' } = options;
  return {
    [KERNEL]: true,
    name,
    defaults,
    build: build as unknown as Kernel['build'],
    ownership,
    position: currentPosition(),
  };
}

/** Whether a value has the mark of a kernel, and everything that {@link kernel} makes one of. */
export function isKernel(value: unknown): value is Kernel {
  return isMarked(value) && whyNoKernel(value) === null;
}

/** What is wrong with a value that is marked as a kernel; `null` for one, or without the mark. */
export function forgedKernel(value: unknown): string | null {
  return isMarked(value) ? whyNoKernel(value) : null;
}

/**
 * Types do not hold what JavaScript passes.
 *
 * @throws InputError for a value that {@link kernel} did not make.
 */
export function requireKernel(value: unknown): void {
  if (isMarked(value)) {
    const why = whyNoKernel(value);
    if (why === null) return;
    throw new InputError(`the kernel was not made by kernel(): ${why}`);
  }
  throw new InputError('this is not a kernel: write kernel(name, defaults, params => roles)');
}

function isMarked(value: unknown): value is Partial<Record<keyof Kernel, unknown>> {
  try {
    return typeof value === 'object' && value !== null && KERNEL in value;
  } catch {
    // A proxy may answer what it likes.
    return false;
  }
}

function whyNoKernel(value: Partial<Record<keyof Kernel, unknown>>): string | null {
  try {
    const { name, defaults, build, ownership, position } = value;
    if (typeof name !== 'string' || name === '') return 'it has no name';
    if (typeof defaults !== 'object' || defaults === null) return 'it has no defaults';
    if (typeof build !== 'function') return 'it has no callback that returns roles';
    if (ownership !== 'explicit' && ownership !== 'raii') return 'it has no ownership';
    return position === undefined || isPosition(position) ? null : 'its position is none';
  } catch (error) {
    return `reading it throws ${error instanceof Error ? error.name : typeof error}`;
  }
}

function isPosition(value: unknown): value is Position {
  if (typeof value !== 'object' || value === null) return false;
  const { file, line, column } = value as Partial<Record<keyof Position, unknown>>;
  return typeof file === 'string' && Number.isInteger(line) && Number.isInteger(column);
}
