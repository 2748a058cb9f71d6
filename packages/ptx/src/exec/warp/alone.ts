// A warp that makes an access of global memory again and again, with nothing in between that others
// can observe. What changes from try to try is unknown behind it: another order of the blocks may
// need any number of them.
import { addChanges, forgetChanges } from './changed.ts';
import type { Changed } from './changed.ts';
import { deliverWords } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import type { LookAhead, WarpState } from './peek.ts';
import { isOpenBranch } from './polling.ts';
import { LOOK_AHEAD } from './program.ts';
import { SparePool, SpareStates } from './spare-states.ts';
import type { Warp } from './warp.ts';
import { triesElsewhere } from './word-tries.ts';

/** Values of words. */
export type Values = ReadonlyMap<number, number>;

/** How often more registers may turn out to change. */
const MAX_CHANGES = 8;

/** Executes a state from behind an access to where it is made again; `null` if it is not. */
function again(access: GlobalAccess, state: WarpState): GlobalAccess | null {
  const { index: at } = access.instruction;
  const lookAhead: LookAhead = { at, barrier: -1, parity: 0, access, isFound: false };
  return follow(access.warp, state, lookAhead).again ?? null;
}

/** Executes a state up to what others can observe, or to an access that a look ahead is for. */
function follow({ ahead }: Warp, state: WarpState, lookAhead: LookAhead): LookAhead {
  ahead.elsewhere(state, () => void ahead.follow(lookAhead, LOOK_AHEAD));
  return lookAhead;
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
  const changed: Changed = new Map();
  const { warp, instruction } = access;
  const states = new SpareStates(warp, pool);
  for (let tries = 0; tries < MAX_CHANGES; tries++) {
    const from = states.copyOf(state);
    forgetChanges(warp, from.registers, changed);
    const next = behind(states, access, from, values);
    const found = again(access, next);
    if (found === null && !isOpenBranch(warp, next)) return null;
    if (found?.instruction !== instruction) return triesElsewhere(access, state, all, values);
    const isPart = found.mask !== access.mask;
    // Lanes that go on wait for the others before they do what others can observe.
    if ((!isPart && !next.stack.equals(from.stack)) || !next.local.equals(from.local)) return null;
    if (!addChanges(changed, warp, next.stack, next.registers, from.registers, found.mask))
      return changed;
  }
  return null;
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
