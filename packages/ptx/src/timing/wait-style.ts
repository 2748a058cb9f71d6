// How warps wait for mbarriers: which lanes do, and how many tries the loop of a wait has.
import { successors } from '../flow/successors.ts';
import { isPhaseWait, mayBeObserved } from '../isa/questions.ts';
import type { WarpSteps } from '../steps/run.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';
import type { WaitStyle } from '@poundlock/core/internal/program';

/** The tries of the loop that a try is in. */
function triesAround(code: PtxFunction, at: number): number {
  const { instructions } = code;
  // Others can observe nothing of a loop but its tries.
  const isOf = (one: Instruction | undefined): boolean =>
    one !== undefined && (isPhaseWait(one) || !mayBeObserved(one));
  const reached = new Set<number>();
  const before = new Map<number, number[]>();
  const open = [at];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const to of successors(code, instructions[next]!)) {
      if (!isOf(instructions[to])) continue;
      before.set(to, [...(before.get(to) ?? []), next]);
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  // Back from the try: what lies on a way around.
  const around = new Set<number>();
  const back = [at];
  for (let next = back.pop(); next !== undefined; next = back.pop())
    for (const from of before.get(next) ?? [])
      if (!around.has(from)) {
        around.add(from);
        back.push(from);
      }
  const same = barrierText(instructions[at]!);
  const tries = [...around].filter((one) => {
    const instruction = instructions[one]!;
    return isPhaseWait(instruction) && barrierText(instruction) === same;
  });
  return Math.max(1, tries.length);
}

function barrierText({ operands }: Instruction): string {
  return JSON.stringify(operands[1]);
}

/** The style of most waits of a warp; a warp that waits for no mbarrier waits as a whole. */
export function waitStyleOf({ steps, threads }: WarpSteps, code: PtxFunction): WaitStyle {
  const counts = new Map<WaitStyle, number>();
  const whole = threads >= 32 ? -1 : 2 ** threads - 1;
  for (const step of steps) {
    if (step.op !== 'wait') continue;
    const { lanes = whole } = step;
    const isLone = (lanes & (lanes - 1)) === 0;
    const style = isLone ? (triesOf(code, step.at) > 1 ? 'diverged' : 'lane') : 'warp';
    counts.set(style, (counts.get(style) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 'warp';
}

const known = new WeakMap<PtxFunction, Map<number, number>>();

function triesOf(code: PtxFunction, at: number): number {
  let tries = known.get(code);
  if (tries === undefined) known.set(code, (tries = new Map()));
  let count = tries.get(at);
  if (count === undefined) tries.set(at, (count = triesAround(code, at)));
  return count;
}
