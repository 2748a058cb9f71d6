// Whether a try is repeated: the warp is run on with the answer no, and comes back to it. What
// changes from try to try is unknown behind the wait, which may take any number of them.
import type { RegisterFile } from '../../values/register-file.ts';
import { addChanges, forgetChanges } from './alone.ts';
import type { Changed } from './alone.ts';
import type { LookAhead, WarpState } from './peek.ts';
import { ActionKind, LOOK_AHEAD } from './program.ts';
import { SpareStates } from './spare-states.ts';
import type { SimtStack } from './stack.ts';
import type { Warp } from './warp.ts';

/** The most tries that are followed, each again where more turns out to change. */
const MAX_TRIES = 32;
/** The most ways between two tries: a branch on what changes doubles them. */
const MAX_WAYS = 64;

const GIVES_UP = 'a wait for an mbarrier that gives up after some tries';
const TRAPS = 'a wait for an mbarrier that traps after some tries ends before';

/** The try in execution, and where its answer goes. */
export interface Attempt extends Pick<LookAhead, 'barrier' | 'parity'> {
  readonly result: number;
  readonly mask: number;
}

/** What differs from try to try of one wait. */
export class Changes {
  readonly registers: Changed = new Map();
  /** Bytes of local memory: by address and lane, how many. */
  readonly local = new Map<number, number>();

  /** Whether each try is made in the same state. */
  get isNone(): boolean {
    return this.registers.size === 0 && this.local.size === 0;
  }

  /** Adds what differs in two states of a warp at the same try; whether that is more. */
  add(warp: Warp, one: WarpState, other: WarpState): boolean {
    const isMore = this.#add(warp, one, other);
    warp.machine.observer?.equates?.(warp, one, other, this);
    return isMore;
  }

  #add(warp: Warp, one: WarpState, other: WarpState): boolean {
    const before = this.local.size;
    for (const [key, bytes] of one.local.differences(other.local))
      if (bytes > (this.local.get(key) ?? 0)) this.local.set(key, bytes);
    const isMore = addChanges(this.registers, warp, one.stack, one.registers, other.registers);
    return isMore || this.local.size > before;
  }

  /** Makes all of it unknown. */
  forget(warp: Warp, state: Pick<WarpState, 'registers' | 'local'>): void {
    forgetChanges(warp, state.registers, this.registers);
    for (const [key, bytes] of this.local) {
      const lane = key & 31;
      state.local.forgetAt((key - lane) / 32, lane, bytes, warp.machine.fresh());
    }
  }
}

/**
 * Whether the warp comes to the same try, or to another of the same phase, until one succeeds, with
 * nothing that others can observe in between: `null` if not, else what is not the same from try to
 * try. Gives up where the number of tries decides.
 */
export function pollOf(warp: Warp, attempt: Attempt): Changes | null {
  const { stack, executed, clock, registers, local } = warp;
  registers.undo = warp.undo;
  warp.stack = stack.copy();
  warp.local = local.copy();
  answer(warp, attempt, registers, warp.stack, 0);
  const lookAhead = follow(warp, attempt, stack.counter);
  const isAlike =
    lookAhead.isFound &&
    warp.stack.equals(stack) &&
    warp.local.equals(local) &&
    !warp.undo.hasChanges(warp.program.liveBefore(stack.counter), warp.lanes);
  registers.undo = null;
  warp.undo.restore();
  Object.assign(warp, { local, stack, executed, clock });
  if (isAlike) return new Changes();
  if (lookAhead.triedAt === undefined) return null;
  const changes = anyTries(warp, attempt);
  Object.assign(warp, { registers, local, stack, executed, clock });
  if (changes === null && warp.machine.observer?.endsWaits === true) return new Changes();
  if (changes === null && lookAhead.isFound) return warp.machine.undecided(stack.counter, GIVES_UP);
  return changes;
}

/** Answers a try, behind which the warp goes on. */
function answer(
  warp: Warp,
  { result, mask }: Attempt,
  registers: RegisterFile,
  stack: SimtStack,
  low: number,
): void {
  registers.setUniform(result, { low, high: 0 }, true, mask, warp.lanes);
  stack.counter++;
}

function follow(warp: Warp, { barrier, parity }: Attempt, at: number): LookAhead {
  const lookAhead: LookAhead = { at, barrier, parity, isFound: false };
  warp.lookAhead = lookAhead;
  warp.run(LOOK_AHEAD);
  warp.lookAhead = null;
  return lookAhead;
}

/** A try of the phase, in the state in which it was made first. */
interface Turn {
  readonly attempt: Attempt;
  readonly state: WarpState;
  readonly changes: Changes;
}

/** What changes in any number of tries; `null` if the warp may do something else after some. */
function anyTries(warp: Warp, attempt: Attempt): Changes | null {
  const states = new SpareStates(warp);
  const first: Turn = { attempt, state: states.copyOf(null), changes: new Changes() };
  const turns = new Map([[warp.stack.counter, first]]);
  const open = [first];
  for (let tries = 0; open.length > 0; tries++) {
    const turn = open.shift()!;
    const ends = tries === MAX_TRIES ? null : waysFrom(states, turn);
    if (ends === null) return null;
    for (const end of ends) {
      const known = turns.get(end.stack.counter);
      if (known === undefined) {
        const next = { attempt: attemptAt(warp, end, attempt), state: end, changes: new Changes() };
        turns.set(end.stack.counter, next);
        open.push(next);
      } else if (!end.stack.equals(known.state.stack)) return null;
      else if (known.changes.add(warp, end, from(states, known)) && !open.includes(known))
        open.push(known);
    }
  }
  const isOne = [...turns.values()].every((turn) => {
    return turn === first || goOnAlike(states, first, turn);
  });
  return isOne ? first.changes : null;
}

/** The state of a try, whichever one it is. */
function from(states: SpareStates, { state, changes }: Turn): WarpState {
  const { warp } = states;
  const copy = states.copyOf(state);
  changes.forget(warp, copy);
  warp.machine.observer?.forgetsIn?.(copy, warp, changes);
  return copy;
}

/** The try that a state is at: of the same phase, and with the same order of memory. */
function attemptAt({ program }: Warp, { stack }: WarpState, attempt: Attempt): Attempt {
  const result = program.destinations[stack.counter]![0]!;
  return { ...attempt, result, mask: stack.mask };
}

/** Whether two tries that succeed let the warp go on in the same way. */
function goOnAlike(states: SpareStates, one: Turn, other: Turn): boolean {
  const { warp } = states;
  const [left, right] = [one, other].map((turn) => {
    const state = from(states, turn);
    answer(warp, turn.attempt, state.registers, state.stack, 1);
    warp.probe = state;
    warp.shadow.run(state);
    warp.probe = null;
    return state;
  });
  const isSame =
    left!.stack.equals(right!.stack) &&
    left!.local.equals(right!.local) &&
    !addChanges(new Map(), warp, left!.stack, left!.registers, right!.registers);
  if (isSame) warp.machine.observer?.equates?.(warp, left!, right!, new Changes());
  return isSame;
}

/** Where all ways from a try that has failed come to a try again; `null` if one does not. */
function waysFrom(states: SpareStates, turn: Turn): WarpState[] | null {
  const { warp } = states;
  const first = from(states, turn);
  const at = first.stack.counter;
  answer(warp, turn.attempt, first.registers, first.stack, 0);
  const open = [first];
  const ends: WarpState[] = [];
  for (let ways = 0; open.length > 0; ways++) {
    if (ways === MAX_WAYS) return null;
    const state = open.pop()!;
    Object.assign(warp, state);
    warp.probe = state;
    const { triedAt } = follow(warp, turn.attempt, at);
    warp.probe = null;
    state.clock = warp.clock;
    if (triedAt !== undefined) {
      if (!isLike(warp, at, triedAt)) return null;
      ends.push(state);
    } else if (!goOn(states, state, open)) return null;
  }
  return ends;
}

/** Whether two tries order memory alike. */
function isLike({ program }: Warp, one: number, other: number): boolean {
  const [left, right] = [one, other].map((at) => {
    const { effect } = program.code.instructions[at]!;
    return effect.kind === 'mbarrier' ? `${effect.order} ${effect.scope} ${effect.isByParity}` : '';
  });
  return left === right;
}

/** What follows where a look ahead stopped: both ways of a branch, or none of a trap. */
function goOn(states: SpareStates, state: WarpState, open: WarpState[]): boolean {
  const { program, machine } = states.warp;
  const { stack } = state;
  if (stack.depth === 0) return false;
  const at = stack.counter;
  const kind = program.kinds[at];
  if (kind === ActionKind.trap) {
    machine.assume(at, 'no-trap', TRAPS);
    return true;
  }
  const guard = program.guards[at]!;
  const isOpen = guard >= 0 && (state.registers.known[guard]! & stack.mask) !== stack.mask;
  if (kind !== ActionKind.branch || !isOpen) return false;
  const taken = states.copyOf(state);
  taken.stack.counter = program.code.instructions[at]!.targets[0]!;
  stack.counter = at + 1;
  open.push(taken, state);
  return true;
}
