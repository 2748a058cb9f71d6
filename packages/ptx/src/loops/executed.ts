// An instruction that a warp executes, beside what is known of its registers in other rounds.
import type { Warp } from '../exec/warp/warp.ts';
import type { Context, Follower } from './follower.ts';
import type { Look } from './look.ts';
import type { InstructionPlan } from './plan.ts';
import type { Part, Shade } from './reach.ts';
import type { Shades } from './shades.ts';

/** An instruction as lanes of a warp execute it. */
export interface Executed {
  readonly look: Look;
  readonly follower: Follower;
  readonly context: Context;
  readonly shades: Shades;
  readonly warp: Warp;
  readonly at: number;
  readonly mask: number;
  readonly part: Part;
  readonly plan: InstructionPlan;
}

/** Gives all results one shade. */
export function setAll({ shades, warp, mask, plan }: Executed, shade: Shade): void {
  for (const register of plan.destinations) shades.set(register, shade, mask, warp.lanes);
}
