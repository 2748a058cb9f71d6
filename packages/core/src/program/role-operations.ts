// Operations on roles: where threads meet, time, choices, starts and ends.
import { NAMED_BARRIERS } from '../machine/index.ts';
import { makeOp, OpKind } from '../op/index.ts';
import { currentRole, post } from './context.ts';
import { Compute } from './preallocated-ops.ts';
import { created, Operation, operation } from './operation.ts';
import { requireWhole } from './operation-arguments.ts';
import type { Work } from './work.ts';

/** The most answers of one `choose`: a move has 16 bits for its option. */
const MOST_ANSWERS = 0xffff;

/** Which threads of a role arrive at a named barrier. */
export interface NamedOptions {
  /** How many threads of the role arrive: all by default. A warp that comes alone brings 32. */
  readonly lanes?: number;
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
export function syncNamed(
  id: number,
  threads: number,
  options: NamedOptions = {},
): Operation<void> {
  const op = makeOp(OpKind.syncNamed, namedArguments('syncNamed()', id, threads, options));
  return created(operation(op, 'syncNamed()'));
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
export function arriveNamed(id: number, threads: number, options: NamedOptions = {}): void {
  post(makeOp(OpKind.arriveNamed, namedArguments('arriveNamed()', id, threads, options)));
}

function namedArguments(what: string, named: number, threads: number, options: NamedOptions) {
  const { lanes: all } = currentRole(what).role;
  const { lanes = all } = options;
  requireWhole('the number of a named barrier', named, 0, NAMED_BARRIERS - 1);
  requireWhole(`the threads of ${what}`, threads, 1);
  requireWhole(`the lanes of ${what}`, lanes, 1, all);
  return { named, threads, lanes };
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
  return created(operation(makeOp(OpKind.syncCluster, {}), 'syncCluster()'));
}

/**
 * Works for a number of cycles, which only `simulate` measures (S04). `run` alone executes `work`,
 * over typed-array views of buffers.
 *
 * @example
 * yield* compute(400, (view) => view(tile, Float32Array).fill(1));
 */
export function compute(cycles: number, work?: Work): Operation<void> {
  requireWhole('the cycles of compute()', cycles, 0);
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
  requireWhole('the answers of choose()', n, 1, MOST_ANSWERS);
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
  post(makeOp(OpKind.exit, {}));
}
