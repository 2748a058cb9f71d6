// Steps as texts that are equal where the steps are, whatever is stored and in whichever phase.
import type { Step } from '../steps/step.ts';

const known = new WeakMap<Step, string>();

/** What each round has of its own is left out: its phases, and the identities of stored values. */
const OWN = { phase: undefined, values: undefined };

/** The text of a step. */
export function textOf(step: Step): string {
  let text = known.get(step);
  if (text === undefined) {
    const own = step.op === 'copy' ? { ...OWN, signals: step.signals.map(withoutPhase) } : OWN;
    known.set(step, (text = JSON.stringify({ ...step, ...own })));
  }
  return text;
}

function withoutPhase<Signal extends object>(signal: Signal): Signal {
  return { ...signal, phase: undefined };
}
