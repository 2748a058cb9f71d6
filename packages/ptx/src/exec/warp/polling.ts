// Whether a try is repeated: the warp is run on with the answer no, and comes back to it. What
// changes from try to try is unknown behind the wait, which may take any number of them. Where it
// need not come back, the wait can give up after any of its tries.
import { registersIn } from '../../flow/liveness.ts';
import { ofTries } from '../origins/sources.ts';
import { bothOf, causesOf, NO_CAUSES } from '../origins/causes.ts';
import { originOf } from '../origins/expressions.ts';
import type { Origin } from '../../values/origin.ts';
import type { ExecutedRun } from '../../steps/run.ts';
import type { Causes } from '../origins/causes.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { addChanges, forgetChanges } from './changed.ts';
import type { Changed } from './changed.ts';
import type { LookAhead, WarpState } from './peek.ts';
import { ActionKind, LOOK_AHEAD } from './program.ts';
import { SparePool, SpareStates } from './spare-states.ts';
import type { SimtStack } from './stack.ts';
import type { Region } from './quiet-region.ts';
import { forget, OF_LANES } from './varying.ts';
import type { Warp } from './warp.ts';

/** The most tries that are followed, each again where more turns out to change. */
const MAX_TRIES = 32;
/** The most ways between two tries: a branch on what changes doubles them. */
const MAX_WAYS = 64;
/** The most places where a wait gives up. */
const MAX_EXITS = 4;

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
      state.local.forgetAt((key - lane) / 32, lane, bytes, warp.machine.fresh(), ofTries);
    }
  }
}

/** Where a wait can end without success: behind the last branch on what is unknown after a try. */
export interface Exit {
  readonly state: WarpState;
  /** What decides that it ends there. */
  readonly causes: Causes;
}

/** A try that is repeated until it succeeds, or the warp gives up; or one that succeeds at once. */
export class Poll {
  readonly changes: Changes;
  /** Empty for a wait that does not give up. */
  readonly exits: readonly Exit[];
  /** Whether the warp would go on if it failed. */
  readonly mayFail: boolean;

  constructor(changes: Changes, exits: readonly Exit[] = [], mayFail = exits.length > 0) {
    this.changes = changes;
    this.exits = exits;
    this.mayFail = mayFail;
  }
}

/**
 * Whether the warp comes to the same try, or to another of the same phase, until one succeeds, with
 * nothing that others can observe in between: `null` if not, else what is not the same from try to
 * try, and where it gives up.
 */
export function pollOf(warp: Warp, attempt: Attempt): Poll | null {
  const { stack, registers, local, clock, progress } = warp;
  const { executed } = progress;
  registers.undo = warp.undo;
  warp.stack = stack.copy();
  warp.local = local.copy();
  answer(warp, attempt, registers, warp.stack, 0);
  const lookAhead = follow(warp, attempt, stack.counter);
  const isOpen = isOpenBranch(warp, warp);
  const isAlike =
    lookAhead.isFound &&
    warp.stack.equals(stack) &&
    warp.local.equals(local) &&
    !warp.undo.hasChanges(warp.program.liveBefore(stack.counter), warp.lanes);
  registers.undo = null;
  warp.undo.restore();
  progress.executed = executed;
  Object.assign(warp, { local, stack, clock });
  if (isAlike) return new Poll(new Changes());
  if (lookAhead.triedAt === undefined && !isOpen) return null;
  const poll = anyTries(warp, attempt);
  progress.executed = executed;
  Object.assign(warp, { registers, local, stack, clock });
  const isAgain = lookAhead.isFound || lookAhead.triedAt !== undefined;
  if (warp.machine.observer?.endsWaits === true && (poll !== null || isAgain))
    return new Poll(poll?.changes ?? new Changes());
  if (poll === null && lookAhead.isFound) return warp.machine.undecided(stack.counter, GIVES_UP);
  return poll;
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
  return warp.ahead.follow(lookAhead, LOOK_AHEAD);
}

/** A try of the phase, in the state in which it was made first. */
interface Turn {
  readonly attempt: Attempt;
  readonly state: WarpState;
  readonly changes: Changes;
}

const pool = new SparePool();

/** A copy of a state, which what observes the run follows, too. */
function copied(states: SpareStates, state: WarpState | null): WarpState {
  const { warp } = states;
  const copy = states.copyOf(state);
  warp.machine.observer?.copies?.(warp, state, copy);
  return copy;
}

/** What any number of tries leads to; `null` if they are no wait. */
function anyTries(warp: Warp, attempt: Attempt): Poll | null {
  const states = new SpareStates(warp, pool);
  const first: Turn = { attempt, state: copied(states, null), changes: new Changes() };
  const turns = new Map([[warp.stack.counter, first]]);
  const open = [first];
  let isRepeated = false;
  const exits = new Map<Turn, readonly Exit[]>();
  for (let tries = 0; open.length > 0; tries++) {
    const turn = open.shift()!;
    const ways = tries === MAX_TRIES ? null : waysFrom(states, turn);
    if (ways === null) return null;
    exits.set(turn, ways.exits);
    for (const end of ways.ends) {
      isRepeated = true;
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
  if (!isOne || !isRepeated) return null;
  const all = joined(warp, [...exits.values()].flat());
  return all === null ? null : new Poll(first.changes, all);
}

/** Exits with one for each place: what is not the same there is unknown; `null`: too many. */
function joined(warp: Warp, exits: readonly Exit[]): readonly Exit[] | null {
  const places: { state: WarpState; causes: Causes }[] = [];
  for (const exit of exits) {
    const same = places.find(({ state }) => state.stack.equals(exit.state.stack));
    if (same === undefined) places.push({ ...exit });
    else {
      const changes = new Changes();
      changes.add(warp, same.state, exit.state);
      changes.forget(warp, same.state);
      same.causes = bothOf(same.causes, exit.causes);
    }
  }
  return places.length > MAX_EXITS ? null : places;
}

/** The state of a try, whichever one it is. */
function from(states: SpareStates, { state, changes }: Turn): WarpState {
  const { warp } = states;
  const copy = copied(states, state);
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
    // What clocks say from there on is the same, whichever try it was.
    state.clock = Math.max(one.state.clock, other.state.clock);
    answer(warp, turn.attempt, state.registers, state.stack, 1);
    warp.ahead.probing(state, () => warp.shadow.run(state));
    return state;
  });
  const isSame =
    left!.stack.equals(right!.stack) &&
    left!.local.equals(right!.local) &&
    !addChanges(new Map(), warp, left!.stack, left!.registers, right!.registers);
  if (isSame) warp.machine.observer?.equates?.(warp, left!, right!, new Changes());
  return isSame;
}

/** Where the ways from a try that has failed lead. */
interface TriedWays {
  /** To a try again. */
  readonly ends: readonly WarpState[];
  /** To something else. */
  readonly exits: readonly Exit[];
}

/** Follows all ways from a try that has failed; `null` if they are too many. */
function waysFrom(states: SpareStates, turn: Turn): TriedWays | null {
  const { warp } = states;
  const first = from(states, turn);
  const at = first.stack.counter;
  answer(warp, turn.attempt, first.registers, first.stack, 0);
  const open: Exit[] = [{ state: first, causes: NO_CAUSES }];
  const ends: WarpState[] = [];
  const exits: Exit[] = [];
  for (let ways = 0; open.length > 0; ways++) {
    if (ways === MAX_WAYS) return null;
    const way = open.pop()!;
    const { state } = way;
    // What it does from the last branch on counts once it has left.
    const begun = copied(states, state);
    Object.assign(warp, state);
    const { triedAt } = warp.ahead.probing(state, () => follow(warp, turn.attempt, at));
    state.clock = warp.clock;
    if (triedAt !== undefined) {
      if (!isLike(warp, at, triedAt)) return null;
      ends.push(state);
    } else if (!goOn(states, way, open)) exits.push({ ...way, state: begun });
  }
  return { ends, exits };
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
function goOn(states: SpareStates, { state, causes: before }: Exit, open: Exit[]): boolean {
  const { warp } = states;
  const { program, machine } = warp;
  const { stack, registers } = state;
  if (stack.depth === 0) return false;
  const at = stack.counter;
  if (program.kinds[at] === ActionKind.trap) {
    machine.assume(at, 'no-trap', TRAPS);
    return true;
  }
  if (!isOpenBranch(warp, state)) return false;
  const region = program.regionOf(program.code.instructions[at]!);
  if (isDelay(region)) {
    forget(warp, region.writes, stack.mask, at, OF_LANES);
    stack.counter = region.meeting;
    open.push({ state, causes: before });
    return true;
  }
  const guard = program.guards[at]!;
  const causes = bothOf(before, causesOf(originIn(registers, guard), stack.mask));
  const taken = copied(states, state);
  taken.stack.counter = program.code.instructions[at]!.targets[0]!;
  stack.counter = at + 1;
  open.push({ state: taken, causes }, { state, causes });
  return true;
}

/** Whether a loop only takes time: what it changes is unknown behind it. */
function isDelay({ obstacle, exchange, spin, poll, trap, isLoop, isStoring }: Region): boolean {
  const isQuiet = obstacle === null && exchange === null && trap === null && !isStoring;
  return isQuiet && isLoop && spin === null && poll === null;
}

/** How a register is computed, where that is followed. */
function originIn(registers: RegisterFile, register: number): Origin | null {
  return registers.depends[register] === 0 ? null : originOf(registers, register);
}

/** Whether a state is at a branch on what is unknown. */
export function isOpenBranch(
  { program }: Warp,
  { stack, registers }: Pick<WarpState, 'stack' | 'registers'>,
): boolean {
  if (stack.depth === 0) return false;
  const at = stack.counter;
  const guard = program.guards[at] ?? -1;
  if (program.kinds[at] !== ActionKind.branch || guard < 0) return false;
  return (registers.known[guard]! & stack.mask) !== stack.mask;
}

/**
 * Whether warps are blocked by waits that can give up. `surely`: no order of the others lets these
 * waits pass, as what a warp has seen of the barrier says that the phase is the open one.
 */
export function waitingAtExits(warps: readonly Warp[]): ExecutedRun['waiting'] {
  const waits = warps.flatMap((warp) =>
    [warp, ...warp.apart.fibers].flatMap(({ wait: { pending, on } }) => {
      const isPatient = pending instanceof Poll && pending.mayFail;
      return isPatient && on?.op === 'wait' ? [{ warp, barrier: on.barrier }] : [];
    }),
  );
  if (waits.length === 0) return 'no';
  return waits.every(({ warp, barrier }) => isSure(warp, barrier)) ? 'surely' : 'maybe';
}

/** Whether a warp knows of the last phase of a barrier that is complete, if there is one. */
function isSure(warp: Warp, address: number): boolean {
  const barrier = warp.machine.barriers.at(address);
  if (barrier === undefined) return false;
  return barrier.phase === 0 || warp.progress.waited.get(barrier) === barrier.phase - 1;
}

/** Lets the warp go on where a wait has given up. */
export function leaveBy(warp: Warp, { state }: Exit): void {
  const { registers, local, stack, clock } = state;
  for (const counter of stack.counters())
    for (const register of registersIn(warp.program.liveBefore(counter)))
      warp.registers.copyFrom(register, registers);
  Object.assign(warp, { local, stack, clock });
}
