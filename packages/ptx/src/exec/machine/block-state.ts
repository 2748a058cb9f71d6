// The state of one block in the midst of a run, to return to: its warps, its shared memory and its
// named barriers.
import type { Warp } from '../warp/warp.ts';
import type { WarpState } from '../warp/peek.ts';
import type { Machine } from './machine.ts';

/** A warp at one time. */
export interface SavedWarp extends WarpState {
  readonly steps: number;
  readonly isWaiting: boolean;
}

/** A saved state of a block. */
export interface BlockState {
  /** How many steps a warp had made. */
  stepsOf(warp: Warp): number;
  stateOf(warp: Warp): SavedWarp;
  /** Whether as many threads wait at each named barrier as did. */
  isSameBarriers(): boolean;
  /** The addresses of words of shared memory that are not what they were. */
  changedWords(): readonly number[];
  /** Puts everything back. */
  restore(): void;
}

/** Saves the state of the block of some warps, which are all of its warps. */
export function saveBlock(machine: Machine, warps: readonly Warp[]): BlockState {
  const { rank } = warps[0]!.cta;
  const bank = machine.memory.save(rank);
  const restore = machine.save();
  const waiting = machine.named.text(rank);
  const all = new Map(warps.map((warp) => [warp, saved(warp)]));
  const rest = new Map(warps.map((warp) => [warp, restOf(warp)]));
  return {
    stepsOf: (warp) => all.get(warp)!.steps,
    stateOf: (warp) => all.get(warp)!,
    isSameBarriers: () => machine.named.text(rank) === waiting,
    changedWords: () => machine.memory.changedSince(rank, bank),
    restore: () => {
      machine.memory.restore(rank, bank);
      restore();
      for (const [warp, { registers, steps, local, stack, clock }] of all) {
        warp.registers.restore(registers);
        warp.local = local.copy();
        warp.stack.set(stack);
        warp.clock = clock;
        warp.steps.length = steps;
        rest.get(warp)!();
      }
    },
  };
}

function saved(warp: Warp): SavedWarp {
  const { registers, local, stack, steps } = warp;
  const { clock } = warp.progress;
  const { pending } = warp.wait;
  return {
    registers: registers.copy(),
    local: local.copy(),
    stack: stack.copy(),
    clock,
    steps: steps.length,
    isWaiting: pending !== undefined,
  };
}

/** Puts back what else belongs to a warp, as it is now. */
function restOf(warp: Warp): () => void {
  const { progress, turns, wait, apart } = warp;
  const { executed, addition } = progress;
  const { quietSince } = turns;
  const own = { ...wait };
  const { isForced } = apart;
  const joins = apart.joins.copy();
  return () => {
    Object.assign(progress, { executed, addition });
    turns.quietSince = quietSince;
    Object.assign(warp.wait, own);
    apart.joins = joins.copy();
    apart.force(isForced);
  };
}
