// Barriers of threads: bar, barrier, barrier.cluster, bar.warp.sync.
import { meetsCluster } from '../machine/cluster-barriers.ts';
import type { Cta } from '../machine/cta.ts';
import { namesThreads } from '../machine/exits.ts';
import { breach } from '../machine/practices.ts';
import { Unsupported } from '../machine/machine.ts';
import type { Machine } from '../machine/machine.ts';
import type { Barrier } from '../../isa/effect.ts';
import type { ClusterStep, NamedStep } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import { lanesText } from '../../text/names.ts';
import { LANES } from '../../values/register-file.ts';
import { mix, seedOf, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { sourceOf, visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import type { Silent } from './elementwise.ts';
import { groupLanes, number } from './lane.ts';
import { firstLane, laneCount, lanesOf } from '../../values/lane-mask.ts';
import type { ReadNumber } from './lane.ts';
import type { PartedLanes } from './parted-lanes.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };
/** Named barriers of a CTA. */
const NAMED_BARRIERS = 16;

const MIXED = 'threads that reduce meet threads that do not at one named barrier';
const MIXED_RULE = 'barrier.red is not mixed with barrier.sync or barrier.arrive at one barrier';

const APART = 'lanes of a warp come to different named barriers, or with different counts';
const APART_RULE = 'the threads of a warp execute an aligned barrier with the same operands';
const NUMBER_RULE = `the number of a named barrier is 0 to ${NAMED_BARRIERS - 1}`;

/** What a warp waits for at a named barrier: the round to end. */
class NamedWait {
  readonly round: number;
  constructor(round: number) {
    this.round = round;
  }
}

/** The barrier of the cluster: `arrive` and `wait`. */
function clusterBarrier(instruction: Instruction, { op, isRelaxed }: Barrier): Action {
  const isWait = op === 'wait';
  const step: ClusterStep = {
    op: isWait ? 'clusterWait' : 'clusterArrive',
    at: instruction.index,
    scope: 'cluster',
    ...(isRelaxed ? { sem: 'relaxed' } : {}),
  };
  return visible((warp, mask) => {
    const { machine } = warp;
    if (warp.apart.parted !== null)
      return isWait ? neverMet(warp, warp.apart.parted) : partedAt(warp);
    if ((warp.live & ~mask) !== 0)
      return machine.undecided(warp.stack.counter, 'some lanes of a warp come to it alone');
    if (!isWait) {
      warp.record(step, mask);
      warp.progress.clusterRounds++;
      return Status.done;
    }
    if (!meetsCluster(warp) && !machine.passes(warp)) {
      warp.wait.on = step;
      return Status.blocked;
    }
    warp.record(step, mask);
    return Status.done;
  });
}

/** Lanes at a barrier of all threads, and others that wait for them in an exchange: for ever. */
function neverMet(warp: Warp, { step }: PartedLanes): Status {
  warp.wait.on = step;
  return Status.blocked;
}

function partedAt(warp: Warp): never {
  return warp.machine.undecided(
    warp.stack.counter,
    'lanes of the warp wait elsewhere for those that execute it',
  );
}

/** The result of a reduction over the predicates of all threads. */
const REDUCE = {
  popc: (yes: number): number => yes,
  and: (yes: number, threads: number): number => (yes >= threads ? 1 : 0),
  or: (yes: number): number => (yes > 0 ? 1 : 0),
} as const;

/** Warps of a CTA of which all threads have exited. */
function exitedOf({ warps }: Machine, cta: Cta): number {
  let exited = 0;
  for (const warp of warps) if (warp.cta === cta && warp.live === 0) exited++;
  return exited;
}

/** What threads of a round vote, and where the result goes. */
class Reduction {
  readonly #reduction: keyof typeof REDUCE;
  readonly #isReduction: boolean;
  readonly #results: readonly number[];
  readonly #prepared: Silent[] = [];
  readonly #vote: number;

  constructor(instruction: Instruction, { reduction }: Barrier, slots: Slots) {
    const { operands } = instruction;
    this.#isReduction = reduction !== null;
    this.#reduction = reduction ?? 'or';
    this.#results = this.#isReduction ? destinationsOf(instruction) : [];
    this.#vote = this.#isReduction ? sourceOf(operands.at(-1)!, slots, this.#prepared) : slots.zero;
  }

  /** Threads of the warp whose predicate is true; those that do not take part vote neither way. */
  votes(warp: Warp, mask: number): number | null {
    if (!this.#isReduction) return 0;
    for (const part of this.#prepared) part(warp, mask);
    let count = 0;
    for (const lane of lanesOf(mask)) {
      if (!warp.registers.read(this.#vote, lane, out)) return null;
      if (out.low !== 0) count++;
    }
    return this.#reduction === 'and' ? count + LANES - laneCount(mask) : count;
  }

  deliver(warp: Warp, mask: number, id: number): void {
    const { votes: yes, threads, rounds } = warp.machine.named.result(warp.cta.rank, id);
    for (const register of this.#results) {
      // All threads of the round get the same result.
      start(out, seedOf(this.#reduction));
      mix(out, warp.cta.rank * NAMED_BARRIERS + id, rounds, 0);
      if (yes !== null) {
        out.low = REDUCE[this.#reduction](yes, threads);
        out.high = 0;
      }
      warp.registers.setUniform(register, out, yes !== null, mask, warp.lanes);
    }
  }
}

/**
 * The lanes that come to the barrier that the first one comes to: the others come to theirs after
 * them. A whole warp comes to one.
 */
function lanesOfOne(
  warp: Warp,
  mask: number,
  isAligned: boolean,
  nameOf: (lane: number) => string,
): number {
  const groups = [...groupLanes(mask, nameOf).values()];
  if (groups.length === 1) return mask;
  const { machine, stack } = warp;
  const at = stack.counter;
  if (isAligned) machine.misuse('named-barrier', at, APART, APART_RULE, warp);
  if (isAligned || !warp.isDivisible) throw new Unsupported(APART, at);
  stack.counter = at + 1;
  for (const lanes of groups.toReversed()) stack.push(at, lanes, at + 1);
  return groups[0]!;
}

/** Reports a named barrier that there is not. */
function doesNotExist(warp: Warp, id: number): never {
  const text = `named barrier ${id} does not exist`;
  const { counter } = warp.stack;
  warp.machine.misuse('named-barrier', counter, text, NUMBER_RULE, warp);
  throw new Unsupported(text, counter);
}

/** Whether a warp goes on at a named barrier: it does not wait, or no more. */
function goesOn(warp: Warp, step: NamedStep): boolean {
  const { machine } = warp;
  const { pending } = warp.wait;
  if (!(pending instanceof NamedWait)) return true;
  const isDone = machine.named.isDone(warp.cta.rank, step.id, pending.round);
  if (isDone) warp.turns.meet();
  else if (!machine.passes(warp)) {
    warp.wait.on = step;
    return false;
  }
  return true;
}

/** Lanes of the warp that have ended without it; GPUs since 7.0 go on without them. */
function noteEnded(warp: Warp): void {
  const ended = warp.lanes & ~warp.live;
  if (ended === 0) return;
  const text = `${warp.instruction.opcode} needs ${lanesText(ended)} of the warp, which have ended`;
  breach(warp, 'H23', { rule: 'named-barrier', text });
}

function namedBarrier(instruction: Instruction, effect: Barrier, slots: Slots): Action {
  const { operands, index } = instruction;
  const { op, isAligned } = effect;
  const isReduction = op === 'reduce';
  const inputs = isReduction ? operands.slice(1) : operands;
  const id = number(inputs[0], slots, 'the number of a named barrier');
  const hasCount = namesThreads(instruction);
  const count: ReadNumber = hasCount
    ? number(inputs[1], slots, 'the thread count of a named barrier')
    : ({ machine, cta }) => (Math.ceil(machine.threads / LANES) - exitedOf(machine, cta)) * LANES;
  const reduction = new Reduction(instruction, effect, slots);
  const isSync = op !== 'arrive';
  const isFixed = inputs.slice(0, hasCount ? 2 : 1).every(({ kind }) => kind === 'immediate');
  const nameOf = (warp: Warp) => (lane: number) =>
    `${id(warp, lane)} ${hasCount ? count(warp, lane) : ''}`;
  return visible((warp, all) => {
    const mask = isFixed ? all : lanesOfOne(warp, all, isAligned, nameOf(warp));
    const { machine, cta } = warp;
    const { named } = machine;
    if (warp.apart.parted !== null) {
      // With a count of threads the barrier may go on without those that wait.
      return isSync && !hasCount ? neverMet(warp, warp.apart.parted) : partedAt(warp);
    }
    const lane = firstLane(mask);
    const barrier = id(warp, lane);
    if (barrier >= NAMED_BARRIERS) doesNotExist(warp, barrier);
    const threads = count(warp, lane);
    const isPart = (warp.live & ~mask) !== 0;
    // Lanes that have ended count as arrived with those of their warp.
    const arriving = isPart ? laneCount(mask) : LANES;
    const step = {
      op: 'named',
      at: index,
      id: barrier,
      threads: hasCount ? threads : Math.ceil(machine.threads / LANES) * LANES,
      arriving,
      isSync,
      ...(isPart && isAligned ? { isPartOfWarp: true } : {}),
    } as const;
    if (!(warp.wait.pending instanceof NamedWait)) {
      warp.record(step, mask);
      if (isAligned) noteEnded(warp);
      if (named.mixes(cta.rank, barrier, isReduction))
        machine.misuse('named-barrier', index, MIXED, MIXED_RULE, warp, { isOrdered: true });
      const arrived = isAligned ? LANES : arriving;
      const votes = reduction.votes(warp, mask);
      const round = named.arrive(cta.rank, barrier, arrived, threads, votes);
      if (isSync) warp.wait.pending = new NamedWait(round);
    } else if (!named.isDone(cta.rank, barrier, warp.wait.pending.round))
      named.release(cta.rank, barrier, threads);
    if (!goesOn(warp, step)) return Status.blocked;
    // Each warp of the CTA comes to it, and waits.
    if (!hasCount && !isPart) warp.progress.meetings++;
    if (isReduction) reduction.deliver(warp, mask, barrier);
    return Status.done;
  });
}

/** `bar`, `barrier` and `barrier.cluster`. */
export const threadBarrier: BuilderOf<Barrier> = (instruction, effect, slots) =>
  effect.of === 'cluster'
    ? clusterBarrier(instruction, effect)
    : namedBarrier(instruction, effect, slots);
