// What the margin of a diagram shows beside a row: barriers that it changed, or what it does.
import type { BarrierState, TraceStep } from '@poundlock/core/internal/finding';
import { grouped } from '@poundlock/core/internal/base';

/** A line of the margin. */
export interface Fact {
  readonly text: string;
  /** Whether a phase completes, a barrier changes, or a step says what it does. */
  readonly kind: 'completes' | 'barrier' | 'step';
  /** The arrivals of the open phase as boxes; absent where there are too many. */
  readonly arrivals?: { readonly arrived: number; readonly expected: number };
}

/** The most arrivals that are boxes, and the most facts of a row. */
const MAX_BOXES = 8;
const MAX_FACTS = 4;

/** The facts of the steps of a row: of a barrier that several of them change, the last one. */
export function factsOfRow(steps: readonly TraceStep[]): Fact[] {
  const last = new Map<string, BarrierState>();
  for (const { barriers } of steps) for (const state of barriers) last.set(state.name, state);
  const completed = steps.flatMap(({ effects }) => effects);
  const facts = [...last.values()].map((state) => barrierFact(state, completed));
  if (facts.length > 0) return shortened(facts);
  const [{ waited, verb, text }] = steps as [TraceStep];
  if (waited !== undefined) return [{ text: waited, kind: 'step' }];
  return [{ text: withoutVerb(verb, text), kind: 'step' }];
}

/** The mark beside it has the verb: `32,768 B into ab[0]` of `start a copy of …`. */
function withoutVerb(verb: string, text: string): string {
  const start = /^start (?:a copy of|asynchronous work that) /.exec(text)?.[0] ?? `${verb} `;
  return text.startsWith(start) ? text.slice(start.length) : text;
}

function shortened(facts: readonly Fact[]): Fact[] {
  if (facts.length <= MAX_FACTS) return [...facts];
  const more = grouped(facts.length - MAX_FACTS + 1);
  return [...facts.slice(0, MAX_FACTS - 1), { text: `and ${more} more barriers`, kind: 'step' }];
}

function barrierFact(state: BarrierState, effects: readonly string[]): Fact {
  const { name, phase, pending, expected, txBytes } = state;
  const completed = effects.filter((effect) => effect.startsWith(`${name} phase `)).length;
  if (completed === 1) return { text: `${name} phase ${phase - 1} completes`, kind: 'completes' };
  if (completed > 1) {
    const text = `${name} phases ${phase - completed} to ${phase - 1} complete`;
    return { text, kind: 'completes' };
  }
  const bytes = txBytes === 0 ? '' : `, ${bytesOf(txBytes)}`;
  const isPlain = expected > 0 && expected <= MAX_BOXES && pending >= 0 && pending <= expected;
  if (!isPlain) {
    const text = `${name} phase ${phase}: ${grouped(pending)} of ${grouped(expected)} pending`;
    return { text: text + bytes, kind: 'barrier' };
  }
  const arrivals = { arrived: expected - pending, expected };
  return { text: `${name} phase ${phase}${bytes}`, kind: 'barrier', arrivals };
}

/** Bytes that a phase still needs; below 0 they came before a step expected them. */
function bytesOf(missing: number): string {
  return missing < 0 ? `${grouped(-missing)} B early` : `${grouped(missing)} B open`;
}
