// mbarrier: init, inval, arrive, arrive_drop, expect_tx, complete_tx, test_wait, try_wait.
import { rankOf } from '../../steps/step.ts';
import type { Step } from '../../steps/step.ts';
import { Unsupported } from '../machine/machine.ts';
import type { Barrier } from '../machine/barriers.ts';
import type { Mbarrier } from '../../isa/effect.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { checkShared } from './alignment.ts';
import { bothOf } from '../origins/causes.ts';
import { Cause } from '../../values/origin.ts';
import { checkIntact, initBarrier } from './barrier-data.ts';
import { addressWith, operandIfAny, operandOf, visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { data } from './data.ts';
import { chosenRanks, groupLanes, inRank, number, sharedAddress } from './lane.ts';
import { firstLane, laneCount, lanesOf } from '../../values/lane-mask.ts';
import type { ReadNumber } from './lane.ts';
import { barrierOrder } from './order.ts';
import type { LookAhead } from './peek.ts';
import { Changes, leaveBy, Poll, pollOf } from './polling.ts';
import { ActionKind, Status } from './program.ts';
import type { Program } from './program.ts';
import { OperandError } from './slots.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

type MbarrierBuilder = BuilderOf<Mbarrier>;

const out: Wide = { low: 0, high: 0 };

/** The most arrivals of a phase, by the layout of the mbarrier. */
const MAX_COUNT = [2 ** 20 - 1, 511] as const;
const BARRIER_BYTES = 8;
/** The most instructions from a try to the branch that repeats it. */
const MAX_TO_BRANCH = 32;
export const NO_TIMEOUT = 'a wait that gives up after some time, or after some tries, ends before';
const GIVES_UP = 'a wait for an mbarrier that gives up after some tries';
const OLDER = 'a state that is older than the phase before counts as complete';
const COMPLETES = 'an arrival with .noComplete ends the phase';
const ALIGNMENT = `an mbarrier lies at a multiple of ${BARRIER_BYTES}`;

/** Reports an address at which there can be no mbarrier. */
function checkAddress(warp: Warp, address: number): void {
  checkShared(warp, address, BARRIER_BYTES, ALIGNMENT);
  warp.machine.checkBounds(warp, warp.instruction.index, address, BARRIER_BYTES);
}

/** The barrier at an address; a fault of the run if there is none. */
function barrierAt(warp: Warp, address: number): Barrier | null {
  const { machine } = warp;
  const barrier = machine.barriers.at(address);
  if (barrier !== undefined) {
    if (!isInvalidation(warp.instruction)) checkIntact(warp, barrier);
    return barrier;
  }
  const { index, opcode } = warp.instruction;
  checkAddress(warp, address);
  machine.fault(
    'uninitialized-barrier',
    index,
    `${opcode} uses an mbarrier that is not initialized`,
  );
  return null;
}

function isInvalidation({ effect }: Instruction): boolean {
  return effect.kind === 'mbarrier' && effect.op === 'inval';
}

/** Several lanes initialize one barrier: each of them may be the last. */
function checkEqual(warp: Warp, lanes: number, count: ReadNumber): void {
  const one = count(warp, firstLane(lanes));
  const other = lanesOf(lanes)
    .map((lane) => count(warp, lane))
    .find((each) => each !== one);
  if (other === undefined) return;
  const text = `lanes of a warp initialize one mbarrier with ${one} and with ${other} arrivals`;
  const rule = 'an mbarrier that is initialized is not initialized again';
  warp.machine.misuse('barrier-count', warp.instruction.index, text, rule, warp);
}

/** Equal initializations with equal addresses in several lanes are one. */
const init: MbarrierBuilder = (instruction, { layout }, slots) => {
  const address = sharedAddress(addressWith(instruction, 'mbarrier'), slots, true);
  const count = number(operandOf(instruction, 'count'), slots, 'the count of an mbarrier');
  const most = MAX_COUNT[layout];
  return visible((warp, mask) => {
    for (const lanes of groupLanes(mask, (lane) => address(warp, lane)).values()) {
      const lane = firstLane(lanes);
      const barrier = address(warp, lane);
      checkAddress(warp, barrier);
      const arrivals = count(warp, lane);
      checkEqual(warp, lanes, count);
      if (arrivals < 1 || arrivals > most)
        warp.machine.misuse(
          'barrier-count',
          instruction.index,
          `an mbarrier is initialized with ${arrivals} arrivals`,
          `the count of mbarrier.init is 1 to ${most}`,
          warp,
        );
      initBarrier(warp, barrier, arrivals, laneCount(lanes) > 1);
      warp.machine.memory.overwrite(barrier, barrier + 8);
      warp.record({ op: 'init', at: instruction.index, barrier, count: arrivals }, lanes);
    }
    return Status.done;
  });
};

const invalidate: MbarrierBuilder = (instruction, _effect, slots) => {
  const address = sharedAddress(addressWith(instruction, 'mbarrier'), slots, true);
  return visible((warp, mask) => {
    for (const lanes of groupLanes(mask, (lane) => address(warp, lane)).values()) {
      const barrier = address(warp, firstLane(lanes));
      barrierAt(warp, barrier);
      // What the last thread does comes after all that others do.
      if (!warp.mode.isLast) warp.machine.barriers.invalidate(barrier);
      warp.record({ op: 'invalidate', at: instruction.index, barrier }, lanes);
    }
    return Status.done;
  });
};

/** The mbarriers that an operation names: one, or those of the CTAs of a mask. */
function targetsOf(
  instruction: Instruction,
  { multicast, mayBeOfOthers }: Mbarrier,
  slots: Slots,
): (warp: Warp, lane: number) => readonly number[] {
  const address = sharedAddress(addressWith(instruction, 'mbarrier'), slots, !mayBeOfOthers);
  if (multicast === null) return (warp, lane) => [address(warp, lane)];
  const mask = number(operandOf(instruction, 'multicast'), slots, 'the mask of a multicast');
  return (warp, lane) => {
    const barrier = address(warp, lane);
    return chosenRanks(warp, mask(warp, lane)).map((rank) => inRank(barrier, rank));
  };
}

/** `arrive`, `arrive.expect_tx` and `arrive_drop`, with or without a state as their result. */
const arrive: MbarrierBuilder = (instruction, effect, slots) => {
  const to = operandIfAny(instruction, 'result');
  const state = to === undefined ? -1 : slots.destination(to);
  const targets = targetsOf(instruction, effect, slots);
  const { isExpect, mustNotComplete } = effect;
  const last = operandIfAny(instruction, isExpect ? 'bytes' : 'count');
  const amount = last === undefined ? null : number(last, slots, 'the count of an arrival');
  const isDrop = effect.op === 'arrive drop';
  const order = barrierOrder(effect);
  const arriveAt = (warp: Warp, lanes: number, barrier: number): void => {
    const threads = laneCount(lanes);
    const each = amount === null ? 1 : amount(warp, firstLane(lanes));
    if (!isExpect && !isCount(warp, each)) return;
    const arrivals = isExpect ? threads : each * threads;
    const expect = isExpect ? each * threads : 0;
    if (isDrop && rankOf(barrier) !== warp.cta.rank)
      warp.machine.undecided(instruction.index, 'it leaves an mbarrier of another CTA');
    const target = barrierAt(warp, barrier);
    const phase = target === null ? 0 : target.phase;
    out.low = phase >>> 0;
    out.high = 0;
    if (target !== null && !warp.machine.barriers.arrive(target, arrivals, expect, isDrop))
      warp.machine.fault(
        'over-arrival',
        instruction.index,
        `more arrivals than ${warp.machine.nameOf(barrier)} expects in a phase`,
      );
    if (mustNotComplete && target !== null && target.phase !== out.low)
      warp.machine.fault('over-arrival', instruction.index, COMPLETES);
    if (state >= 0) warp.registers.setUniform(state, out, true, lanes, warp.lanes);
    const step = { op: 'arrive', at: instruction.index, barrier, arrivals, expect } as const;
    warp.record({ ...step, phase, isDrop, ...order }, lanes);
  };
  return visible((warp, mask) => {
    const groups = groupLanes(mask, (lane) => {
      const all = targets(warp, lane);
      return amount === null && all.length === 1 ? all[0]! : [...all, amount?.(warp, lane)].join();
    });
    for (const lanes of groups.values())
      for (const barrier of targets(warp, firstLane(lanes))) arriveAt(warp, lanes, barrier);
    return Status.done;
  });
};

/** `cp.async.mbarrier.arrive`: arrivals once the thread's copies so far are complete. */
const arriveOnCopies: MbarrierBuilder = (instruction, { isCounted }, slots) => {
  const target = sharedAddress(addressWith(instruction, 'mbarrier'), slots, true);
  return visible((warp, mask) => {
    for (const [key, lanes] of groupLanes(mask, (lane) => target(warp, lane))) {
      const barrier = Number(key);
      const arrivals = laneCount(lanes);
      const state = warp.machine.barriers.at(barrier);
      const phase = state?.phase ?? 0;
      if (state !== undefined) checkIntact(warp, state);
      if (
        state !== undefined &&
        isCounted &&
        !warp.machine.barriers.arrive(state, arrivals, 0, false)
      )
        warp.machine.fault(
          'over-arrival',
          instruction.index,
          `more arrivals than ${warp.machine.nameOf(barrier)} expects in a phase`,
        );
      const step = { op: 'asyncArrive', at: instruction.index, barrier, arrivals } as const;
      warp.record({ ...step, phase, isCounted }, lanes);
    }
    return Status.done;
  });
};

/** Whether a phase may have an arrival of a count; reports one that none has. */
function isCount(warp: Warp, count: number): boolean {
  if (count >= 1 && count <= MAX_COUNT[0]) return true;
  const text = `an arrival counts ${count} at once`;
  const rule = `the count of an arrival is 1 to ${MAX_COUNT[0]}`;
  warp.machine.misuse('barrier-count', warp.instruction.index, text, rule, warp);
  return false;
}

/** `expect_tx` and `complete_tx` by themselves. */
function transaction(sign: 1 | -1): MbarrierBuilder {
  return (instruction, effect, slots) => {
    const targets = targetsOf(instruction, effect, slots);
    const bytes = number(operandOf(instruction, 'bytes'), slots, 'the bytes of a transaction');
    const op = sign === 1 ? 'expect' : 'complete';
    return visible((warp, mask) => {
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const lane = firstLane(rest);
        const count = bytes(warp, lane);
        for (const barrier of targets(warp, lane)) {
          const target = barrierAt(warp, barrier);
          if (target !== null) warp.machine.barriers.expect(target, sign * count);
          // It counts, and carries nothing.
          const step = { op, at: instruction.index, barrier, bytes: count } as const;
          warp.record({ ...step, sem: 'relaxed' }, 1 << lane);
        }
      }
      return Status.done;
    });
  };
}

/** The most questions of a run beside which the answer of one try is another. */
const MAX_ONCE = 6;

/** `test_wait` and `try_wait`: a try that is repeated until yes is a wait; others are a peek. */
class PhaseWait {
  readonly kind = 'visible';
  readonly mayLookAhead = true;
  readonly isAccess = false;
  readonly #at: number;
  readonly #result: number;
  readonly #address: ReadNumber;
  readonly #token: ReadNumber;
  readonly #isParity: boolean;
  readonly #order: ReturnType<typeof barrierOrder>;

  constructor(instruction: Instruction, effect: Mbarrier, slots: Slots) {
    const to = operandOf(instruction, 'result');
    this.#at = instruction.index;
    this.#result = slots.destination(to.kind === 'pair' ? to.first : to);
    this.#address = sharedAddress(addressWith(instruction, 'mbarrier'), slots, true);
    const token = operandOf(instruction, 'token');
    this.#token = number(token, slots, 'the phase of a wait');
    this.#isParity = effect.isByParity;
    if (token?.kind === 'immediate' && effect.isByParity && token.value.low > 1)
      throw new OperandError(`a parity is 0 or 1, not ${token.value.low | 0}`);
    this.#order = barrierOrder(effect);
  }

  readonly run = (warp: Warp, all: number): Status => {
    const mask = lanesOfOneWait(warp, all, (lane) => {
      return this.#address(warp, lane) * 2 + (this.#token(warp, lane) & 1);
    });
    const lane = firstLane(mask);
    const barrier = this.#address(warp, lane);
    const phase = this.#token(warp, lane);
    const parity = phase & 1;
    if (warp.ahead.look !== null) return this.#lookedAt(warp.ahead.look, barrier, parity);
    const target = barrierAt(warp, barrier);
    if (target === null) {
      warp.record(this.#step(barrier, parity), mask);
      return this.#answer(warp, mask, true);
    }
    if (!this.#isParity && phase < target.phase - 1) {
      // Without the wait nothing is ordered by it, which can only add findings.
      warp.machine.assume(this.#at, 'older-state', OLDER);
      return this.#answer(warp, mask, true);
    }
    const isPending = warp.wait.pending instanceof Poll;
    const found =
      warp.wait.pending instanceof Poll
        ? warp.wait.pending
        : pollOf(warp, { barrier, parity, result: this.#result, mask });
    const poll = found ?? this.#succeeding(warp, !warp.machine.barriers.isComplete(target, parity));
    if (poll === 'fails') return this.#answer(warp, mask, false);
    if (poll === null) {
      warp.shadow.open({ at: this.#at, barrier, parity, state: target }, this.#result, mask);
      return this.#answer(warp, mask, false);
    }
    if (!isPending && this.#givesUp(warp, poll, !warp.machine.barriers.isComplete(target, parity)))
      return Status.done;
    if (!warp.machine.barriers.isComplete(target, parity)) {
      // A state names a phase of the run, which has none behind such a wait.
      if (this.#isParity && warp.machine.passes(warp)) {
        warp.record(this.#step(barrier, parity), mask);
        forgetTries(warp, poll.changes);
        return this.#answer(warp, mask, true);
      }
      warp.wait.pending = poll;
      warp.wait.on = { ...this.#step(barrier, parity), lanes: mask };
      return Status.blocked;
    }
    const seen = target.phase - 1;
    warp.record(this.#step(barrier, parity, seen), mask);
    warp.progress.waited.set(target, seen);
    forgetTries(warp, poll.changes);
    // A state token names a phase, of which the parity is a part.
    return this.#answer(warp, mask, this.#isParity || target.phase > phase);
  };

  /** A try that is not repeated, where its answer is a question; `null`: it stays open. */
  #succeeding(warp: Warp, mayFail: boolean): Poll | 'fails' | null {
    const { decisions } = warp.machine;
    if (!decisions.isClose || !warp.shadow.isIdle || warp.mode.isUncertain) return null;
    if (decisions.list.length >= MAX_ONCE) return null;
    const causes = { bits: Cause.time, sources: [] };
    const subject = { ...causes, wait: 'once', mayFail, warp: warp.number } as const;
    if (decisions.choose(this.#at, subject, warp.machine)) return 'fails';
    return new Poll(new Changes(), [], true);
  }

  /** Whether the wait gives up, so that the warp goes on elsewhere. */
  #givesUp(warp: Warp, { exits }: Poll, mayFail: boolean): boolean {
    const { decisions } = warp.machine;
    if (exits.length === 0 || decisions.isClosed) return false;
    if (warp.machine.endsWaits) {
      warp.machine.assume(this.#at, 'no-timeout', NO_TIMEOUT);
      return false;
    }
    if (warp.shadow.isOpen) return warp.machine.undecided(this.#at, GIVES_UP);
    const all = exits.map(({ causes }) => causes).reduce(bothOf);
    const causes = all.bits === 0 ? { ...all, bits: Cause.time } : all;
    const subject = { ...causes, wait: 'loop', mayFail, warp: warp.number } as const;
    if (!decisions.choose(this.#at, subject, warp.machine)) return false;
    const others = exits.slice(0, -1);
    const exit =
      others.find(() => decisions.choose(this.#at, subject, warp.machine)) ?? exits.at(-1)!;
    leaveBy(warp, exit);
    return true;
  }

  /** A look ahead comes to a try: it is the one that it looks for, or another one of its phase. */
  #lookedAt(lookAhead: LookAhead, barrier: number, parity: number): Status {
    const isSame = lookAhead.barrier === barrier && lookAhead.parity === parity;
    if (isSame) lookAhead.triedAt = this.#at;
    lookAhead.isFound = isSame && lookAhead.at === this.#at;
    return Status.observed;
  }

  #step(barrier: number, parity: number, phase?: number): Extract<Step, { op: 'wait' }> {
    const step = { op: 'wait', at: this.#at, barrier, parity } as const;
    return phase === undefined ? { ...step, ...this.#order } : { ...step, phase, ...this.#order };
  }

  #answer(warp: Warp, mask: number, isYes: boolean): Status {
    out.low = isYes ? 1 : 0;
    out.high = 0;
    warp.registers.setUniform(this.#result, out, true, mask, warp.lanes);
    return Status.done;
  }
}

const tryWait: MbarrierBuilder = (instruction, effect, slots) =>
  new PhaseWait(instruction, effect, slots);

/**
 * The lanes that wait for the phase that the first one does. Others go another way, up to where the
 * loop of the wait ends.
 */
function lanesOfOneWait(warp: Warp, mask: number, phaseOf: (lane: number) => number): number {
  const groups = [...groupLanes(mask, phaseOf).values()];
  const [first = mask] = groups;
  if (groups.length === 1) return first;
  const { stack, program } = warp;
  const at = stack.counter;
  const meeting = mask === stack.mask && warp.isDivisible ? behindLoop(program, at) : -1;
  if (meeting < 0) throw new Unsupported('lanes wait for different phases', at);
  stack.counter = meeting;
  for (const lanes of groups.toReversed()) stack.push(at, lanes, meeting);
  return first;
}

/** Where the ways of the next branch behind a try meet; -1 if something else comes first. */
function behindLoop({ guards, kinds, meetingPoints }: Program, at: number): number {
  const end = Math.min(kinds.length, at + MAX_TO_BRANCH);
  for (let index = at + 1; index < end; index++) {
    if (kinds[index] === ActionKind.branch && guards[index]! >= 0) return meetingPoints[index]!;
    if (kinds[index] !== ActionKind.silent) return -1;
  }
  return -1;
}

/** Nothing is known of what a wait has changed from try to try. */
function forgetTries(warp: Warp, changes: Changes): void {
  if (changes.isNone) return;
  changes.forget(warp, warp);
  warp.machine.observer?.forgets(warp, changes);
}

/** The arrivals that a state token says are missing are data. */
const pendingCount: MbarrierBuilder = (instruction, _effect, slots) => ({
  kind: 'silent',
  run: data(instruction, slots),
});

/** Which layout an mbarrier has is not known where it was not initialized here. */
const checkLayout: MbarrierBuilder = ({ index }) =>
  visible((warp) => warp.machine.undecided(index, 'which layout an mbarrier has is not followed'));

const BUILDERS: Readonly<Record<Mbarrier['op'], MbarrierBuilder>> = {
  init,
  inval: invalidate,
  arrive,
  'arrive drop': arrive,
  'arrive on copies': arriveOnCopies,
  expect: transaction(1),
  complete: transaction(-1),
  test: tryWait,
  try: tryWait,
  'pending count': pendingCount,
  'check layout': checkLayout,
};

/** The instructions of mbarriers. */
export const mbarrier: MbarrierBuilder = (instruction, effect, slots) =>
  BUILDERS[effect.op](instruction, effect, slots);
