// Loops that a warp goes around in one state: only what others write ends them. They are waits for
// the words of shared memory that they load.
import { registersIn } from '../../flow/liveness.ts';
import { isGlobal, offsetOf } from '../../steps/step.ts';
import type { WarpState } from './peek.ts';
import { WAITS_FOR_WORD } from './shared-reads.ts';
import type { Warp } from './warp.ts';

/** Rounds before a state is compared at all; then it is at each power of two. */
const FIRST_ROUND = 64;
/** Bytes of a word. */
const WORD = 4;

const NEVER_ENDS = 'its loop goes around in one state: nothing that is executed here ends it';

/** A state at a branch that leads back. */
export interface Around {
  readonly at: number;
  readonly state: WarpState;
  /** How many steps the warp had made. */
  readonly steps: number;
}

/** The state in which a warp takes a branch back, to compare those of later rounds with. */
export function goesAround(warp: Warp, at: number, round: number): Around | null {
  const { around } = warp.progress;
  if (round < FIRST_ROUND || (round & (round - 1)) !== 0) return around;
  // A clock that is simulated ends loops, too.
  if (!isPlain(warp) || warp.simulatedTime !== undefined) return null;
  if (around?.at === at && isSame(warp, around)) waits(warp, around);
  const { registers, local, stack, steps } = warp;
  const { clock } = warp.progress;
  const state = { registers: registers.copy(), local: local.copy(), stack: stack.copy(), clock };
  return { at, state, steps: steps.length };
}

/** Whether nothing rests on the way that the lanes of a warp are executed in. */
export function isPlain({
  machine,
  shadow,
  ghosts,
  apart: { fibers, parted },
  mode: { isUncertain, isLast },
}: Warp): boolean {
  const isWhole = fibers.length === 0 && parted === null && !isUncertain && !isLast;
  return isWhole && machine.round === null && shadow.isIdle && ghosts.isEmpty;
}

/** Whether the warp is as it was, and has done nothing since but to load. */
function isSame(warp: Warp, { state, steps }: Around): boolean {
  const { stack, local, registers, program } = warp;
  for (let index = steps; index < warp.steps.length; index++) {
    const step = warp.steps[index]!;
    if (step.op !== 'access' || step.writes.length > 0) return false;
  }
  if (!stack.equals(state.stack) || !local.equals(state.local)) return false;
  return stack.groups().every(([counter, lanes]) => {
    const live = registersIn(program.liveBefore(counter));
    return [...live].every((register) => registers.isEqualIn(register, state.registers, lanes));
  });
}

/** Gives up: what the words order that the warp waits for is not known here. */
function waits({ machine, steps }: Warp, around: Around): never {
  let first = -1;
  for (const step of steps.slice(around.steps)) {
    if (step.op !== 'access') continue;
    for (let index = 0; index < step.reads.length; index += 2) {
      const [from, to] = [step.reads[index]!, step.reads[index + 1]!];
      if (isGlobal(from)) continue;
      if (first < 0) first = step.at;
      for (let word = from - (from % WORD); word < to; word += WORD)
        machine.waitedFor.add(offsetOf(word));
    }
  }
  return machine.undecided(first < 0 ? around.at : first, first < 0 ? NEVER_ENDS : WAITS_FOR_WORD);
}
