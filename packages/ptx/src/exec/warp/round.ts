// A round of a loop in which the threads of a block meet: the block is executed alone with a value
// that one of its warps found in global memory, and put back. A round that comes back to where it
// began and has changed nothing that counts is a wait of the whole block for another value.
import { isOfBlock } from '../../isa/questions.ts';
import { saveBlock } from '../machine/block-state.ts';
import type { BlockState, SavedWarp } from '../machine/block-state.ts';
import { Undecided, Unsupported } from '../machine/machine.ts';
import { LANES } from '../../values/register-file.ts';
import { loadAlike } from './alone.ts';
import { addChanges, forgetChanges } from './changed.ts';
import type { Values } from './alone.ts';
import type { Changed } from './changed.ts';
import { copyOf } from './ghosts.ts';
import { deliverWords, isAlike } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import type { WarpState } from './peek.ts';
import type { Warp } from './warp.ts';

/** The most instructions of a round, of all warps together. */
const MAX_ROUND = 1 << 18;
/** Instructions of a warp until the next one has its turn. */
const TURN = 4096;
/** How often more of a state may turn out to change in a round. */
const MAX_CHANGES = 8;

/** A round in execution. */
export class Round {
  readonly #access: GlobalAccess;
  /** The access with which the warp has come back. */
  again: GlobalAccess | null = null;
  /** Whether a warp comes to what other blocks can observe. */
  isGone = false;

  constructor(access: GlobalAccess) {
    this.#access = access;
  }

  /** Whether a warp may execute an instruction that others can observe. */
  allows(warp: Warp, at: number): boolean {
    const instruction = warp.program.code.instructions[at]!;
    const own = this.#access;
    const isOwn = warp === own.warp && instruction.opcode === own.instruction.opcode;
    this.isGone ||= !isOwn && !isOfBlock(instruction);
    return !this.isGone;
  }

  /** A warp accesses global memory, which is no plain load: the round ends there for it. */
  comesTo(access: GlobalAccess): void {
    if (access.warp === this.#access.warp && isAlike(access, this.#access)) this.again = access;
    else this.isGone = true;
  }
}

/** The warps of a block. */
function warpsOf({ machine, cta }: Warp): Warp[] {
  return machine.warps.filter((one) => one.cta === cta);
}

/** Whether nothing rests on the way that the lanes of a warp are executed in. */
function isPlain({
  shadow,
  ghosts,
  apart: { fibers, parted },
  mode: { isUncertain, isLast },
}: Warp): boolean {
  const isWhole = fibers.length === 0 && parted === null && !isUncertain && !isLast;
  return isWhole && shadow.isIdle && ghosts.isEmpty;
}

/** Whether all other warps of a block have ended or wait; else they have their turns first. */
export function isBlockQuiet(warp: Warp): boolean {
  return isQuiet(warp, warpsOf(warp));
}

/** The same of all warps of a grid. */
export function isGridQuiet(warp: Warp): boolean {
  return isQuiet(warp, warp.machine.warps);
}

function isQuiet(warp: Warp, all: readonly Warp[]): boolean {
  const { machine } = warp;
  if (warp.turns.quietSince < 0) warp.turns.quietSince = machine.turn;
  const since = warp.turns.quietSince;
  const others = all.filter((one) => one !== warp && one.stack.depth > 0);
  return others.every(({ turns }) => !turns.hasMoved && turns.last > since);
}

/**
 * Whether a block that waits, but for one warp at an access, comes back to the same state with
 * values of the words that the access loads. What differs is unknown from here on. `all` are the
 * values that it may find.
 */
export function comesAround(access: GlobalAccess, values: Values, all: readonly Values[]): boolean {
  const { warp } = access;
  const { machine } = warp;
  const warps = warpsOf(warp);
  if (machine.round !== null || machine.memory.counters.isUsed || !warps.every(isPlain))
    return false;
  const registers = new Map(warps.map((one): [Warp, Changed] => [one, new Map()]));
  const words = new Set<number>();
  const before = saveBlock(machine, warps);
  for (let tries = 0; tries < MAX_CHANGES; tries++) {
    for (const word of words) machine.memory.overwrite(word, word + 4);
    for (const [one, changed] of registers) forgetChanges(one, one.registers, changed);
    const saved = saveBlock(machine, warps);
    const found = execute(access, values, warps, saved);
    const isThere = found !== null && isBack(access, found, warps, saved);
    let isMore = false;
    if (isThere) {
      const { size } = words;
      for (const word of saved.changedWords()) words.add(word);
      isMore = words.size > size;
      for (const [one, changed] of registers)
        if (one !== warp || found.instruction === access.instruction)
          isMore =
            addChanges(changed, one, one.stack, one.registers, saved.stateOf(one).registers) ||
            isMore;
    }
    const isAround = isThere && !isMore && isTheSame(access, found, values, all, saved);
    (isAround ? saved : before).restore();
    if (isAround) {
      machine.hasRounds = true;
      warp.turns.goAround();
    }
    if (!isMore) return isAround;
  }
  return false;
}

/** Whether an access at another instruction, at which the block is, does the same from then on. */
function isTheSame(
  access: GlobalAccess,
  found: GlobalAccess,
  values: Values,
  all: readonly Values[],
  saved: BlockState,
): boolean {
  if (found.instruction === access.instruction) return true;
  if (!comesAround(found, values, all)) return false;
  const { warp } = access;
  const behind = ({ instruction, ...rest }: GlobalAccess, state: WarpState, held: Values) => {
    const copy = copyOf(state);
    deliverWords({ instruction, ...rest }, copy.registers, held);
    copy.stack.counter = instruction.index + 1;
    return copy;
  };
  return all.every((held) =>
    loadAlike(access, behind(access, saved.stateOf(warp), held), behind(found, warp, held)),
  );
}

/** Executes a round: the access with which the warp comes back, while its block waits again. */
function execute(
  access: GlobalAccess,
  values: Values,
  warps: readonly Warp[],
  saved: BlockState,
): GlobalAccess | null {
  const { warp } = access;
  const { machine } = warp;
  const round = new Round(access);
  machine.round = round;
  try {
    deliverWords(access, warp.registers, values);
    warp.stack.counter++;
    return goAround(warps, warp, round) && haveMet(warps, saved) ? round.again : null;
  } catch (error) {
    if (error instanceof Undecided || error instanceof Unsupported) return null;
    throw error;
  } finally {
    machine.round = null;
  }
}

function goAround(warps: readonly Warp[], own: Warp, round: Round): boolean {
  let left = MAX_ROUND;
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const warp of warps) {
      if (warp.stack.depth === 0 || (warp === own && round.again !== null)) continue;
      const { steps } = warp;
      const { executed } = warp.progress;
      const { length } = steps;
      const stop = warp.run(TURN);
      left -= warp.progress.executed - executed;
      if (round.isGone || stop === 'ended' || left < 0) return false;
      isMoving ||=
        stop !== 'blocked' || warp.progress.executed - executed > 1 || steps.length > length;
    }
  }
  return round.again !== null;
}

/** Whether all warps that did something met, so that rounds are ordered one behind the other. */
function haveMet(warps: readonly Warp[], saved: BlockState): boolean {
  const acting = warps.filter((warp) => warp.steps.length > saved.stepsOf(warp));
  const meetings = acting.map((warp) => {
    const steps = warp.steps.slice(saved.stepsOf(warp));
    return new Set(
      steps.flatMap((step) => {
        const isWhole = step.op === 'named' && step.isSync && step.isPartOfWarp !== true;
        return isWhole && step.threads === acting.length * LANES ? [step.id] : [];
      }),
    );
  });
  const [first] = meetings;
  return first !== undefined && [...first].some((id) => meetings.every((ids) => ids.has(id)));
}

/** Whether the block waits where it did, but for the warp, which is at an access. */
function isBack(
  { warp: own, instruction }: GlobalAccess,
  found: GlobalAccess,
  warps: readonly Warp[],
  saved: BlockState,
): boolean {
  const isSameAccess = found.instruction === instruction;
  const isThere = (warp: Warp): boolean => {
    const old: SavedWarp = saved.stateOf(warp);
    if (!isPlain(warp)) return false;
    if (warp === own && !isSameAccess) return true;
    const isSame = warp.stack.equals(old.stack) && warp.local.equals(old.local);
    return isSame && (warp === own || (warp.wait.pending !== undefined) === old.isWaiting);
  };
  return saved.isSameBarriers() && warps.every(isThere);
}
