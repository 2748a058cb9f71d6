// A role: a concurrent agent of a kernel, written as a synchronous generator function.
import { MAX_PENDING } from '../machine/index.ts';
import { currentPosition, InputError, option, optionTable, requireOptions } from '../base/index.ts';
import type { OptionsOf, Position } from '../base/index.ts';
import { makeOp, OpKind, WARP, type Op } from '../op/index.ts';
import { isLocating, requireCount } from './declarations.ts';
import { isGrid, type Grid } from './grids.ts';
import { created, operation } from './operation.ts';
import type { StrandClass } from './strands.ts';

/** The body of a role: a generator that yields operations and is resumed with their results. */
export type RoleBody = () => Generator<Op, void, number>;

/** How the threads of a role wait for a barrier: see {@link WaitStyle}. */
const WAIT_STYLES = ['diverged', 'lane', 'warp', 'group'] as const;

/**
 * How the threads of a role wait for a barrier: `diverged`, one lane of a warp whose other lanes
 * wait for it elsewhere, which polls in a loop that the compiler has unrolled; `lane`, one lane in
 * a loop of one try_wait, as CUTLASS has it; `warp` and `group`, all lanes of a warp or of several
 * warps, which sleep until the phase completes. A role without `lanes` is `diverged`; else its
 * number of lanes decides.
 */
export type WaitStyle = (typeof WAIT_STYLES)[number];

export const ROLE = optionTable({
  /** The CTA (thread block of a cluster) that runs the role; 0 unless specified. */
  cta: option.checkedLater<number>(),
  /**
   * The number of threads of the role, which arrive one by one where every thread arrives; 1
   * unless specified.
   */
  lanes: option.checkedLater<number>(),
  /**
   * The number of warps of the role, which are its strands: operations can be of some of them
   * ({@link By}). It has 32 threads for each.
   */
  warps: option.checkedLater<number>(),
  /** With `lanes`, the 32 lanes of a role of one warp are its strands. */
  strands: option.oneOf('lanes'),
  /** How the role waits, for `simulate`: by its `lanes` unless specified, see {@link WaitStyle}. */
  waits: option.oneOf(...WAIT_STYLES),
  /** The grid that runs it, where a program has several (D01). */
  grid: option.object<Grid>('a grid', isGrid),
  /** Whether the end of this role is the time that `simulate` reports. */
  measured: option.flag,
  /** Whether the role is started by {@link spawn} instead of with the kernel. */
  spawned: option.flag,
});

/** Options of {@link role}. */
export interface RoleOptions extends OptionsOf<typeof ROLE> {}

/** A role of a kernel: see {@link role}. */
export interface Role {
  /** Its name, in findings and traces. */
  readonly name: string;
  /** The CTA that runs it. */
  readonly cta: number;
  /** Its number of threads. */
  readonly lanes: number;
  /** Its number of strands: 1 unless it is declared with some. */
  readonly strands: number;
  /** The number of its grid, from 0. */
  readonly grid: number;
  /**
   * The strands that it stands for, if it is a part of a role.
   *
   * @internal
   */
  readonly part: StrandClass | null;
  /**
   * Whether it may go on after its last wait, at which the run that it was taken from ended.
   *
   * @internal
   */
  readonly isCut: boolean;
  /**
   * The number of the warpgroup in its CTA that it is a warp of; `null` where it is all of one.
   *
   * @internal
   */
  readonly warpgroup: number | null;
  /** How it waits, for `simulate`. */
  readonly waits: WaitStyle;
  /** Whether its end is the time that `simulate` reports. */
  readonly measured: boolean;
  /** Whether it is started by {@link spawn}. */
  readonly spawned: boolean;
  /** What it does. */
  readonly body: RoleBody;
  /** Where it is declared; recorded only to explain a finding. */
  readonly position: Position | undefined;
}

const BODY_NEEDED = 'must be a generator function: role(name, function* () { … })';

/**
 * Declares a role: a warp, or a group of warps, that runs concurrently with the others. Its body
 * is a generator function. `yield*` performs an operation that can block; all other operations are
 * issued immediately and complete asynchronously (P02).
 *
 * @throws InputError if the body is not a synchronous generator function, or an option is not a
 * whole number.
 *
 * @example
 * const ready = barrier('ready', { count: 32 });
 * return [
 *   role('load', { lanes: 32 }, function* () {
 *     arrive(ready, { everyLane: true });
 *   }),
 *   role('mma', function* () {
 *     yield* wait(ready, 0);
 *   }),
 * ];
 */
export function role(name: string, body: RoleBody): Role;
export function role(name: string, options: RoleOptions, body: RoleBody): Role;
export function role(name: string, optionsOrBody: RoleOptions | RoleBody, body?: RoleBody): Role {
  const options = typeof optionsOrBody === 'function' ? {} : optionsOrBody;
  const run = typeof optionsOrBody === 'function' ? optionsOrBody : body;
  const kind = run?.constructor?.name;
  if (kind !== 'GeneratorFunction') {
    const async = kind === 'AsyncGeneratorFunction' || kind === 'AsyncFunction';
    const why = async ? 'is async, but a role must wait with yield* alone' : BODY_NEEDED;
    throw new InputError(`the body of role ${name} ${why}`, currentPosition());
  }
  requireOptions('role()', ROLE, options);
  const { cta = 0, measured = false, spawned = false } = options;
  requireCount(`the cta of role ${name}`, cta, 0);
  const { lanes, strands } = strandsOf(name, options);
  return {
    name,
    cta,
    lanes,
    strands,
    grid: options.grid?.id ?? 0,
    part: null,
    isCut: false,
    warpgroup: null,
    waits: options.waits ?? styleOf(options, lanes),
    measured,
    spawned,
    body: options.grid === undefined || options.grid.id === 0 ? run! : afterLaunch(run!),
    position: isLocating() ? currentPosition() : undefined,
  };
}

/** D01: a role of a later grid begins when the one before allows it. */
function afterLaunch(body: RoleBody): RoleBody {
  return function* () {
    yield* created(operation(makeOp(OpKind.waitGrids, { begins: true }), 'the begin of a grid'));
    yield* body();
  };
}

function styleOf(options: RoleOptions, lanes: number): WaitStyle {
  if (options.lanes === undefined && lanes === 1) return 'diverged';
  if (lanes < WARP) return 'lane';
  return lanes === WARP ? 'warp' : 'group';
}

/** How many threads and strands a role has. */
function strandsOf(name: string, options: RoleOptions): { lanes: number; strands: number } {
  const { lanes, warps, strands } = options;
  if (lanes !== undefined) requireCount(`the lanes of role ${name}`, lanes, 1, MAX_PENDING);
  if (strands === 'lanes') {
    if ((lanes ?? WARP) !== WARP || (warps ?? 1) !== 1) {
      throw new InputError(
        `role ${name} has strands: 'lanes', and only one warp has lanes as strands`,
        currentPosition(),
      );
    }
    return { lanes: WARP, strands: WARP };
  }
  if (warps === undefined) return { lanes: lanes ?? 1, strands: 1 };
  requireCount(`the warps of role ${name}`, warps, 1, WARP);
  if (lanes !== undefined && lanes !== warps * WARP) {
    throw new InputError(
      `role ${name} has ${warps} warps, which are ${warps * WARP} lanes and not ${lanes}`,
      currentPosition(),
    );
  }
  return { lanes: warps * WARP, strands: warps };
}
