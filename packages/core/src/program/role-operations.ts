// Operations on roles: where threads meet, time, choices, starts and ends.
import {
  currentPosition,
  InputError,
  option,
  optionTable,
  requireOptions,
  requireWord,
  surplus,
  type OptionsOf,
} from '../base/index.ts';
import { NAMED_BARRIERS } from '../machine/index.ts';
import { makeOp, OpKind, orderOf, WARP } from '../op/index.ts';
import { currentRole, post, postOwn, type RoleContext } from './context.ts';
import { currentDeclarations } from './declarations.ts';
import { createdBy, postBy, postEach, SKIPPED } from './by-strands.ts';
import { ACQUIRE, NAMED, RELEASE } from './operation-options.ts';
import type { AcquireOptions, NamedOptions, ReleaseOptions } from './operation-options.ts';
import { joinStrands } from './strand-joins.ts';
import { isOf, requireOneAnswer, threadsOf } from './strand-operations.ts';
import { BY_STRANDS, namedStrands, type ByStrands } from './strands.ts';
import { Compute } from './preallocated-ops.ts';
import { created, Operation, operation } from './operation.ts';
import { requireWhole } from './operation-arguments.ts';
import { requireWork, type Work } from './work.ts';

/** The most answers of one `choose`: a move has 16 bits for its option. */
const MOST_ANSWERS = 0xffff;

/** A named barrier with a name of its own: see {@link namedBarrier}. */
export interface NamedBarrier {
  /** Its name in findings. */
  readonly name: string;
  /** Its number, from 0 to 15. */
  readonly id: number;
  /** The threads that complete it. */
  readonly threads: number;
}

export const NAMED_BARRIER = optionTable({
  /** Its number, from 0 to 15. */
  id: option.checkedLater<number>(),
  /** The threads that complete it. */
  threads: option.checkedLater<number>(),
});

/** Options of {@link namedBarrier}. */
export interface NamedBarrierOptions extends OptionsOf<typeof NAMED_BARRIER, 'id' | 'threads'> {}

/**
 * Describes a named barrier: its number and the threads that complete it (N01).
 *
 * @throws InputError for a number of a named barrier, or of threads, that does not exist.
 *
 * @example
 * const epilogue = namedBarrier('epilogue', { id: 1, threads: 64 });
 * const warp = (name: string) =>
 *   role(name, { lanes: 32 }, function* () {
 *     yield* syncNamed(epilogue);
 *   });
 * return [warp('a'), warp('b')];
 */
export function namedBarrier(name: string, options: NamedBarrierOptions): NamedBarrier {
  requireOptions('namedBarrier()', NAMED_BARRIER, options);
  const { id, threads } = options;
  requireWhole(`the id of named barrier ${name}`, id, 0, NAMED_BARRIERS - 1);
  requireWhole(`the threads of named barrier ${name}`, threads, 1);
  return { name, id, threads };
}

/**
 * Arrives with the threads of the role at named barrier `id`, and blocks until `threads` threads
 * have arrived (N01). With `lanes`, only so many threads of the role arrive, such as one warp.
 *
 * @throws InputError for a number of a named barrier, or of threads, that does not exist.
 *
 * @example
 * const warp = (name: string) =>
 *   role(name, { lanes: 32 }, function* () {
 *     yield* syncNamed(1, 64);
 *   });
 * return [warp('a'), warp('b')];
 */
export function syncNamed(barrier: NamedBarrier, options?: NamedOptions): Operation<void>;
export function syncNamed(id: number, threads: number, options?: NamedOptions): Operation<void>;
export function syncNamed(
  named: number | NamedBarrier,
  threads?: number | NamedOptions,
  options?: NamedOptions,
): Operation<void> {
  const one = gatheringOf('syncNamed()', named, threads, options);
  return createdBy(one.by, () => operation(makeOp(OpKind.syncNamed, one.args()), 'syncNamed()'));
}

/**
 * Arrives with the threads of the role at named barrier `id`, which `threads` threads complete,
 * without blocking (N01). With `lanes`, only so many threads of the role arrive.
 *
 * @throws InputError for a number of a named barrier, or of threads, that does not exist.
 *
 * @example
 * return [
 *   role('signal', { lanes: 32 }, function* () {
 *     arriveNamed(1, 64);
 *   }),
 *   role('wait', { lanes: 128 }, function* () {
 *     yield* syncNamed(1, 64, { lanes: 32 }); // one warp of the role
 *   }),
 * ];
 */
export function arriveNamed(barrier: NamedBarrier, options?: NamedOptions): void;
export function arriveNamed(id: number, threads: number, options?: NamedOptions): void;
export function arriveNamed(
  named: number | NamedBarrier,
  threads?: number | NamedOptions,
  options?: NamedOptions,
): void {
  const one = gatheringOf('arriveNamed()', named, threads, options);
  const context = currentRole('arriveNamed()');
  if (isOf(one.by, context)) postOwn(context, makeOp(OpKind.arriveNamed, one.args()));
}

const NO_OPTIONS: NamedOptions = {};

/** What a call of `syncNamed` or `arriveNamed` says. */
function gatheringOf(
  what: string,
  named: number | NamedBarrier,
  second: number | NamedOptions | undefined,
  third: NamedOptions = NO_OPTIONS,
) {
  const isNumber = typeof named !== 'object' || named === null;
  const options = isNumber ? third : ((second as NamedOptions | undefined) ?? NO_OPTIONS);
  requireOptions(what, NAMED, options);
  if (!isNumber && third !== NO_OPTIONS) throw surplus(what, third);
  const id = isNumber ? (named as number) : named.id;
  const threads = isNumber ? (second as number) : named.threads;
  const { by } = options;
  return { by, args: () => namedArguments(what, id, threads, options) };
}

function namedArguments(what: string, named: number, threads: number, options: NamedOptions) {
  const context = currentRole(what);
  const all = threadsOf(options.by, context);
  const { lanes = all, aligned = false } = options;
  requireWhole('the number of a named barrier', named, 0, NAMED_BARRIERS - 1);
  requireWhole(`the threads of ${what}`, threads, 1);
  requireWhole(`the lanes of ${what}`, lanes, 1, all);
  return {
    named,
    threads,
    lanes,
    isAligned: aligned,
    isPartOfWarp: aligned && comingTo(context, options) % WARP !== 0,
  };
}

/** Threads of a warpgroup. */
const WARPGROUP = 128;

/** Q03: whether only some warps of a warpgroup change their registers. */
function isPartOfGroup(context: RoleContext, options: ByStrands): boolean {
  const { part, lanes } = context.role;
  const all = part === null ? lanes : part.strands * part.threadsEach;
  return all >= WARPGROUP && comingTo(context, options) % WARPGROUP !== 0;
}

/** N04: the threads of the role that come, with those of its other strands. */
function comingTo({ role }: RoleContext, { by = 'all', lanes }: NamedOptions): number {
  if (lanes !== undefined) return lanes;
  if (role.part === null) return role.lanes;
  const named = namedStrands(by, role.part);
  return (named?.length ?? role.part.strands) * role.part.threadsEach;
}

/**
 * Joins strands of a role: each of them knows what the others did (W02), as `__syncwarp()` does for
 * the lanes of a warp. Without strands that do different things it does nothing.
 *
 * @example
 * return [
 *   role('math', { strands: 'lanes' }, function* () {
 *     yield* wait(bar, 0, { by: 'one' });
 *     yield* syncWarp();
 *     read(tile);
 *   }),
 *   role('load', function* () {
 *     arrive(bar);
 *   }),
 * ];
 */
export function syncWarp(options: ByStrands = {}): Operation<void> {
  requireOptions('syncWarp()', BY_STRANDS, options);
  const context = currentRole('syncWarp()');
  const { part } = context.role;
  if (part === null || part.classes < 2) return createdBy('all', () => new Compute(0, null));
  const named = options.by === undefined ? null : namedStrands(options.by, part);
  const threads = (named?.length ?? part.strands) * part.threadsEach;
  return createdBy(options.by, () => operation(joinStrands(context.role, threads), 'syncWarp()'));
}

/**
 * Blocks until every role of the kernel has arrived here (N02).
 *
 * @example
 * const late = barrier('late', { count: 0 });
 * return [
 *   role('init', function* () {
 *     init(late, 1);
 *     yield* syncCluster();
 *     yield* wait(late, 0);
 *   }),
 *   role('signal', function* () {
 *     yield* syncCluster();
 *     arrive(late);
 *   }),
 * ];
 */
export function syncCluster(): Operation<void> {
  if (arguments.length > 0) throw surplus('syncCluster()', arguments[0]);
  return created(operation(makeOp(OpKind.syncCluster, {}), 'syncCluster()'));
}

/**
 * Arrives at the barrier of the cluster and goes on; {@link waitCluster} blocks until every role of
 * the grid has arrived, or has ended (N06, N07).
 *
 * @example
 * arriveCluster();
 * write(tile);
 * yield* waitCluster();
 */
export function arriveCluster(options: ReleaseOptions = {}): void {
  requireOptions('arriveCluster()', RELEASE, options);
  const order = orderOf(options.sem, options.scope);
  postEach('all', makeOp(OpKind.arriveCluster, { order }));
}

/**
 * Blocks until every role of the grid has arrived at the barrier of the cluster (N06, N07).
 *
 * @example
 * arriveCluster();
 * yield* waitCluster();
 */
export function waitCluster(options: AcquireOptions = {}): Operation<void> {
  requireOptions('waitCluster()', ACQUIRE, options);
  const order = orderOf(options.sem, options.scope);
  return created(operation(makeOp(OpKind.waitCluster, { order }), 'waitCluster()'));
}

export const REGISTERS = optionTable({
  /** Registers of each thread at the launch. */
  perThread: option.checkedLater<number>(),
  /** Threads of a CTA. */
  threads: option.checkedLater<number>(),
});

/** Options of {@link registers}. */
export interface RegisterOptions extends OptionsOf<typeof REGISTERS, 'perThread' | 'threads'> {}

/**
 * Declares the registers that each thread of a CTA has at its launch, and its threads (Q01): what
 * {@link setMaxRegisters} gives and takes.
 *
 * @throws InputError outside a kernel's callback, or for a number that is not a whole number.
 *
 * @example
 * registers({ perThread: 128, threads: 256 });
 * return [
 *   role('load', { warps: 4 }, function* () {
 *     yield* setMaxRegisters('dec', 24);
 *   }),
 *   role('mma', { warps: 4 }, function* () {
 *     yield* setMaxRegisters('inc', 232);
 *   }),
 * ];
 */
export function registers(options: RegisterOptions): void {
  const declarations = currentDeclarations('registers()');
  requireOptions('registers()', REGISTERS, options);
  declarations.claimOnce('registers()');
  const { perThread, threads } = options;
  requireWhole('the registers of a thread', perThread, 1, MOST_REGISTERS);
  requireWhole('the threads of registers()', threads, 1);
  declarations.registers = { perThread, threads };
}

const MOST_REGISTERS = 256;

/**
 * Changes the registers that each thread of the role has, as `setmaxnreg` does: `dec` gives
 * registers back to the CTA at once, `inc` blocks until they are there (Q02).
 *
 * @throws InputError if the kernel does not declare {@link registers}.
 *
 * @example
 * registers({ perThread: 168, threads: 128 });
 * return [
 *   role('load', { warps: 4 }, function* () {
 *     yield* setMaxRegisters('dec', 24);
 *   }),
 * ];
 */
export function setMaxRegisters(
  direction: 'dec' | 'inc',
  perThread: number,
  options: ByStrands = {},
): Operation<void> {
  const context = currentRole('setMaxRegisters()');
  requireWord('the direction of setMaxRegisters()', direction, ['dec', 'inc']);
  requireOptions('setMaxRegisters()', BY_STRANDS, options);
  if (context.declarations.registers === null) {
    throw new InputError(
      'setMaxRegisters() needs registers({ perThread, threads }) in the kernel',
      currentPosition(),
    );
  }
  requireWhole('the registers of setMaxRegisters()', perThread, 0);
  const threads = threadsOf(options.by, context);
  const isPartial = isPartOfGroup(context, options);
  if (direction !== 'inc') {
    // What is given back is given at once, whether or not it is performed with yield*.
    postEach(options.by, makeOp(OpKind.giveRegisters, { perThread, threads, isPartial }));
    return SKIPPED;
  }
  const op = makeOp(OpKind.takeRegisters, { perThread, threads, isPartial });
  return createdBy(options.by, () => operation(op, 'setMaxRegisters()'));
}

/**
 * Allows the next grid to begin, once each CTA of this one has executed it or has ended (D01).
 *
 * @example
 * launchDependents();
 */
export function launchDependents(options: ByStrands = {}): void {
  requireOptions('launchDependents()', BY_STRANDS, options);
  postBy(options.by, makeOp(OpKind.launchDependents, {}));
}

/**
 * Blocks until the grid before has ended, with all of its asynchronous work; everything that it
 * wrote is visible then (D02).
 *
 * @example
 * yield* waitGrids();
 * read(tile);
 */
export function waitGrids(options: ByStrands = {}): Operation<void> {
  requireOptions('waitGrids()', BY_STRANDS, options);
  return createdBy(options.by, () =>
    operation(makeOp(OpKind.waitGrids, { begins: false }), 'waitGrids()'),
  );
}

/**
 * Works for a number of cycles, which only `simulate` measures (S04). `run` alone executes `work`,
 * over typed-array views of buffers.
 *
 * @example
 * yield* compute(400, (view) => view(tile, Float32Array).fill(1));
 */
export function compute(cycles: number, work?: Work): Operation<void> {
  if (arguments.length > 2) throw surplus('compute()', arguments[2]);
  requireWhole('the cycles of compute()', cycles, 0);
  if (work !== undefined) requireWork('compute()', work);
  return created(new Compute(cycles, work ?? null));
}

/**
 * A nondeterministic choice: `check` explores every result from 0 to n − 1 (P04).
 *
 * @throws InputError for a number of results that is not a whole number of at least 1.
 *
 * @example
 * if ((yield* choose(2)) === 0) read(tile);
 * else write(tile);
 */
export function choose(n: number): Operation<number> {
  if (arguments.length > 1) throw surplus('choose()', arguments[1]);
  requireWhole('the answers of choose()', n, 1, MOST_ANSWERS);
  requireOneAnswer('choose()');
  const op = makeOp(OpKind.choose, { choices: n });
  return created(new Operation(op, (answer) => answer, 'choose()'));
}

/**
 * Starts a role that was declared with `spawned: true`, by its index in the list of roles (L01).
 *
 * @example
 * return [
 *   role('parent', function* () {
 *     spawn(1);
 *     yield* join(1);
 *   }),
 *   role('child', { spawned: true }, function* () {
 *     yield* compute(100);
 *   }),
 * ];
 */
export function spawn(role: number): void {
  if (arguments.length > 1) throw surplus('spawn()', arguments[1]);
  requireWhole('the role of spawn()', role, 0);
  post(makeOp(OpKind.spawn, { role }));
}

/**
 * Blocks until a role has ended, by its index in the list of roles (L01).
 *
 * @example
 * return [
 *   role('waits', function* () {
 *     yield* join(1);
 *   }),
 *   role('works', function* () {
 *     yield* compute(100);
 *   }),
 * ];
 */
export function join(role: number): Operation<void> {
  if (arguments.length > 1) throw surplus('join()', arguments[1]);
  requireWhole('the role of join()', role, 0);
  return created(operation(makeOp(OpKind.join, { role }), 'join()'));
}

/**
 * Ends the CTA of the role: other CTAs that reach its barriers and buffers afterwards cause a
 * `missing-drain` finding (L02).
 *
 * @example
 * yield* compute(100);
 * exit();
 */
export function exit(): void {
  if (arguments.length > 0) throw surplus('exit()', arguments[0]);
  post(makeOp(OpKind.exit, {}));
}
