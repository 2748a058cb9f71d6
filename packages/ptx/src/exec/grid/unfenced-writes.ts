// Writes of a word that several warps write in an order that matters. What a warp signals after its
// write lets others write the word later; without a fence between, the PTX ISA lets them be first.
import { accessOf } from '../../isa/questions.ts';
import type { Assumption, Counters, WarpSteps } from '../../steps/run.ts';
import type { FenceKind, Step } from '../../steps/step.ts';
import type { PtxFunction } from '../../text/module.ts';

/** Fences behind which a write carries what its thread knows. */
const RELEASES: ReadonlySet<FenceKind> = new Set(['release', 'acq_rel', 'sc']);

/** Whether writes behind a step carry to the whole GPU what its thread knows. */
export function isReleaseFence(step: Step): boolean {
  return step.op === 'fence' && step.scope === 'gpu' && RELEASES.has(step.fence);
}

/** What is assumed of such writes. */
export function unfencedWrites(
  { instructions }: PtxFunction,
  warps: readonly WarpSteps[],
  { words }: Counters,
): Assumption[] {
  const found = new Map<number, Assumption>();
  const isOrdered = (word: number): boolean => {
    const counter = words.get(word);
    if (counter === undefined || counter.isExact) return false;
    return new Set(counter.writers.map(({ role }) => role)).size > 1;
  };
  for (const { steps } of warps) {
    /** By word: the write that is not fenced yet. */
    const open = new Map<number, number>();
    for (const step of steps) {
      if (isReleaseFence(step)) open.clear();
      if (step.op !== 'signal') continue;
      if (step.sem !== 'relaxed') open.clear();
      const access = accessOf(instructions[step.at]!);
      // Polls of a plain store race with it: nothing waits for it.
      const isFlag = access?.op !== 'store' || access.isStrong;
      for (const [word, at] of open) {
        if (word === step.word || !isFlag) continue;
        const { name } = words.get(word)!;
        found.set(at, { name: 'word-order', at, text: `${name} is written${IN_ORDER}` });
        open.delete(word);
      }
      // What an atomic access answers is there before its warp goes on.
      const isDrawn = access?.op === 'atomic';
      if (!isDrawn && isOrdered(step.word)) open.set(step.word, step.at);
    }
  }
  return [...found.values()];
}

const IN_ORDER =
  ' before what is signaled behind it, which the PTX ISA does not promise without a fence between';
