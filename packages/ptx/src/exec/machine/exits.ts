// Threads that exit: a barrier of all threads of a CTA waits for them no more. The PTX ISA says so
// of `exit`: "If the exiting threads are holding up the barrier, the barrier is released".
import type { Assumption, WarpSteps } from '../../steps/run.ts';
import type { NamedStep, Step } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import { LANES } from '../../values/register-file.ts';

const SEEN =
  'what a warp wrote before it exited is visible behind the barrier that its exit released, ' +
  'which the PTX ISA does not promise';

const AT_BREAKPOINT = 'the kernel stops at a breakpoint: without a debugger, its launch fails';

/** What a thread that traps does to its kernel. */
export function trapText({ effect }: Instruction): string {
  const isBreakpoint = effect.kind === 'control' && effect.op === 'breakpoint';
  return isBreakpoint ? AT_BREAKPOINT : 'the kernel traps';
}

/** Whether a named barrier names how many threads it waits for; else it waits for all. */
export function namesThreads({ effect, operands }: Instruction): boolean {
  const isReduction = effect.kind === 'barrier' && effect.op === 'reduce';
  const inputs = isReduction ? operands.slice(1) : operands;
  return inputs[1] !== undefined && inputs[1].kind !== 'not' && (!isReduction || inputs.length > 2);
}

/**
 * The warps of a run, where those that have ended arrive at the barriers of all threads that others
 * come to later: each once at its end, and from then on the others are fewer.
 */
export function withExits(
  warps: readonly WarpSteps[],
  instructions: readonly Instruction[],
): { readonly warps: readonly WarpSteps[]; readonly assumptions: readonly Assumption[] } {
  const isOfAll = (step: Step): step is NamedStep => {
    if (step.op !== 'named') return false;
    const instruction = instructions[step.at]!;
    return instruction.effect.kind === 'barrier' && !namesThreads(instruction);
  };
  // Most kernels come to all barriers with all warps.
  if (!warps.some(({ stuck }) => stuck === null) || !warps.some(({ steps }) => steps.some(isOfAll)))
    return { warps, assumptions: [] };
  const changed = new Map<WarpSteps, readonly Step[]>();
  const assumptions: Assumption[] = [];
  for (const [key, ofOne] of barriersOf(warps, isOfAll)) {
    const rounds = new Map(ofOne.map(([warp, count]) => [warp, count]));
    const last = Math.max(...rounds.values());
    const ended = ofOne.filter(([{ stuck }, count]) => stuck === null && count < last);
    if (ended.length === 0) continue;
    const id = key % BARRIERS;
    /** The threads that are missing in a round, because their warps had ended before. */
    const missing = (round: number): number => {
      return ended.filter(([, count]) => count + 1 < round).length * LANES;
    };
    for (const [warp, count] of ofOne) {
      let round = 0;
      const steps = (changed.get(warp) ?? warp.steps).map((step) => {
        if (!isOfAll(step) || step.id !== id || round === count) return step;
        return { ...step, threads: step.threads - missing(++round) };
      });
      changed.set(warp, steps);
    }
    const [sample] = ofOne.flatMap(([{ steps }]) => steps.filter((step) => isOfAll(step)));
    for (const [warp, count] of ended) {
      const steps = changed.get(warp)!;
      const at = steps.at(-1)?.at ?? sample!.at;
      const writes = warp.steps.some((step) => step.op === 'access' && step.writes.length > 0);
      if (writes && assumptions.length === 0) assumptions.push({ name: 'H19', at, text: SEEN });
      const threads = sample!.threads - missing(count + 1);
      changed.set(warp, [
        ...steps,
        { op: 'named', at, id, threads, arriving: LANES, isSync: false },
      ]);
    }
  }
  const all = warps.map((warp) => ({ ...warp, steps: changed.get(warp) ?? warp.steps }));
  return { warps: all, assumptions };
}

/** Named barriers of a CTA. */
const BARRIERS = 16;

/** By CTA and number of a barrier, how often each warp comes to it; none that are also counted. */
function barriersOf(
  warps: readonly WarpSteps[],
  isOfAll: (step: Step) => step is NamedStep,
): Map<number, (readonly [WarpSteps, number])[]> {
  const counted = new Set<number>();
  const ofAll = new Set<number>();
  for (const { cta, steps } of warps)
    for (const step of steps) {
      if (step.op !== 'named') continue;
      (isOfAll(step) ? ofAll : counted).add(cta * BARRIERS + step.id);
    }
  const found = new Map<number, (readonly [WarpSteps, number])[]>();
  for (const key of ofAll) {
    if (counted.has(key)) continue;
    const [cta, id] = [Math.floor(key / BARRIERS), key % BARRIERS];
    const ofCta = warps.filter((warp) => warp.cta === cta);
    found.set(
      key,
      ofCta.map((warp) => {
        const own = warp.steps.filter((step) => isOfAll(step) && step.id === id);
        return [warp, own.length] as const;
      }),
    );
  }
  return found;
}
