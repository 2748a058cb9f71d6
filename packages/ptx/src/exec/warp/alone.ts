// A warp that makes an access of global memory again and again, with nothing in between that others
// can observe. What changes from try to try is unknown behind it: another order of the blocks may
// need any number of them.
import { registersIn } from '../../flow/liveness.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { writeTries } from '../origins/sources.ts';
import { deliverWords } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import type { LookAhead, WarpState } from './peek.ts';
import { LOOK_AHEAD } from './program.ts';
import { SparePool, SpareStates } from './spare-states.ts';
import type { SimtStack } from './stack.ts';
import type { Warp } from './warp.ts';

/** Values of words. */
export type Values = ReadonlyMap<number, number>;
/** Lanes of registers that are not the same from try to try. */
export type Changed = Map<number, number>;

/** How often more registers may turn out to change. */
const MAX_CHANGES = 8;

const unknown: Wide = { low: 0, high: 0 };

/**
 * Adds the live registers that differ in two states at one place, in some lanes; whether there are
 * more.
 */
export function addChanges(
  changed: Changed,
  { program }: Warp,
  stack: SimtStack,
  one: RegisterFile,
  other: RegisterFile,
  mask = -1,
): boolean {
  let isMore = false;
  for (const [counter, all] of stack.groups()) {
    const lanes = all & mask;
    for (const register of registersIn(program.liveBefore(counter))) {
      if (one.isEqualIn(register, other, lanes)) continue;
      for (const lane of lanesOf(lanes)) {
        const has = ((changed.get(register) ?? 0) >>> lane) & 1;
        if (has === 1 || one.isEqualIn(register, other, 1 << lane)) continue;
        changed.set(register, (changed.get(register) ?? 0) | (1 << lane));
        isMore = true;
      }
    }
  }
  return isMore;
}

/** Makes lanes of registers unknown. */
export function forgetChanges(
  { machine, lanes: all }: Warp,
  registers: RegisterFile,
  changed: Changed,
): void {
  for (const [register, lanes] of changed) {
    start(unknown, register);
    mix(unknown, register, machine.fresh(), 1);
    vary(unknown);
    writeTries(registers, register, unknown, lanes, all);
  }
}

/** Executes a state from behind an access to where it is made again; `null` if it is not. */
function again(access: GlobalAccess, state: WarpState): GlobalAccess | null {
  const { index: at } = access.instruction;
  const lookAhead: LookAhead = { at, barrier: -1, parity: 0, access, isFound: false };
  return follow(access.warp, state, lookAhead);
}

/** Executes a state up to what others can observe, or to an access that a look ahead is for. */
function follow(warp: Warp, state: WarpState, lookAhead: LookAhead): GlobalAccess | null {
  const { registers, local, stack, clock, executed } = warp;
  Object.assign(warp, { registers: state.registers, local: state.local, stack: state.stack });
  warp.lookAhead = lookAhead;
  warp.run(LOOK_AHEAD);
  warp.lookAhead = null;
  Object.assign(warp, { registers, local, stack, clock, executed });
  return lookAhead.again ?? null;
}

const pool = new SparePool();

/** A state behind an access that has found values. */
function behind(
  states: SpareStates,
  access: GlobalAccess,
  state: WarpState,
  values: Values,
): WarpState {
  const copy = states.copyOf(state);
  deliverWords(access, copy.registers, values);
  copy.stack.counter = access.instruction.index + 1;
  return copy;
}

/** A try that is made again: where, in which state, and what is not the same from try to try. */
interface Again {
  readonly access: GlobalAccess;
  readonly state: WarpState;
  readonly changed: Changed;
}

function around(
  states: SpareStates,
  access: GlobalAccess,
  state: WarpState,
  values: Values,
): Again | null {
  const changed: Changed = new Map();
  const { warp } = access;
  for (let tries = 0; tries < MAX_CHANGES; tries++) {
    const from = states.copyOf(state);
    forgetChanges(warp, from.registers, changed);
    const next = behind(states, access, from, values);
    const found = again(access, next);
    if (found === null) return null;
    const isPart = found.mask !== access.mask;
    if (found.instruction !== access.instruction)
      return isPart ? null : { access: found, state: next, changed };
    // Lanes that go on wait for the others before they do what others can observe.
    if ((!isPart && !next.stack.equals(from.stack)) || !next.local.equals(from.local)) return null;
    if (!addChanges(changed, warp, next.stack, next.registers, from.registers, found.mask))
      return { access, state: from, changed };
  }
  return null;
}

/**
 * Whether a warp at an access makes it again with some values: `null` if not, else the lanes of
 * registers that are unknown after any number of tries. `all` are the values that it may find.
 */
export function triesAgain(
  access: GlobalAccess,
  state: WarpState,
  values: Values,
  all: readonly Values[],
): Changed | null {
  const states = new SpareStates(access.warp, pool);
  const one = around(states, access, state, values);
  if (one === null || one.access.instruction === access.instruction) return one?.changed ?? null;
  // It goes on at another instruction, which has to do the same from then on.
  const two = around(states, one.access, one.state, values);
  if (two === null || two.access.instruction !== one.access.instruction) return null;
  const isSame = all.every((found) =>
    states.within(() => {
      const other = around(states, access, state, found);
      if (other === null) {
        const [first, second] = [[access, state] as const, [two.access, two.state] as const];
        const [left, right] = [first, second].map(([at, from]) => behind(states, at, from, found));
        return goOnAlike(access, left!, right!);
      }
      const isThere = around(states, two.access, two.state, found) !== null;
      return isThere && comesTo(one, other, two.changed);
    }),
  );
  return isSame ? new Map() : null;
}

/** Whether a try is made again where another one is, in a state that differs in no more. */
function comesTo(one: Again, { access, state }: Again, changed: Changed): boolean {
  const isThere = access.instruction === one.access.instruction;
  if (!isThere || !state.stack.equals(one.state.stack) || !state.local.equals(one.state.local))
    return false;
  const { registers, stack } = state;
  return !addChanges(new Map(changed), access.warp, stack, registers, one.state.registers);
}

/** Whether two states of a warp come to the same place in the same state. */
function goOnAlike({ warp }: GlobalAccess, one: WarpState, other: WarpState): boolean {
  warp.shadow.run(one);
  warp.shadow.run(other);
  return areAlike(warp, one, other);
}

/** The same, behind loads of data that either of them may make. */
export function loadAlike({ warp }: GlobalAccess, one: WarpState, other: WarpState): boolean {
  for (const state of [one, other]) {
    const lookAhead = { at: state.stack.counter, barrier: -1, parity: 0, isFound: false };
    follow(warp, state, lookAhead);
  }
  return areAlike(warp, one, other);
}

function areAlike(warp: Warp, one: WarpState, other: WarpState): boolean {
  const isSame = one.stack.equals(other.stack) && one.local.equals(other.local);
  return isSame && !addChanges(new Map(), warp, one.stack, one.registers, other.registers);
}
