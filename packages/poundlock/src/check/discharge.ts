// Assumptions that the text of a program proves are none, and one that it contradicts stays.
import type { Position } from '@poundlock/core/internal/base';
import type { Assumption, AssumptionName, CheckResult } from '@poundlock/core/internal/finding';
import { Program, SymbolicParameter, type Kernel } from '@poundlock/core/internal/program';
import type { ProgramText } from '../text/index.ts';
import type { Contradictions } from './claim.ts';
import { orRefused } from './sizes/try-size.ts';

/** The most different numbers of a text that are tried. */
const MAX_CONSTANTS = 32;

/** A result without what the text proves, and what the text says instead of the rest. */
export interface Discharged {
  readonly result: CheckResult;
  readonly contradictions: Contradictions;
}

/** Removes the assumptions that the text of the kernel's program proves. */
export async function dischargedByText(result: CheckResult, kernel: Kernel): Promise<Discharged> {
  const contradictions = new Map<AssumptionName, string>();
  const { assumptions, every } = result.scope;
  const isOpen = assumptions.some(({ name }) => OF_TEXT.has(name));
  const text = isOpen ? await textOf(kernel) : null;
  if (text === null) return { result, contradictions };
  const single = every.flatMap((name) => text.use(kernel.name, name)?.single ?? []);
  if (single[0] !== undefined) contradictions.set('single-values', single[0]);
  const left = assumptions.flatMap((one) => remaining(one, result, kernel, text) ?? []);
  return { result: { ...result, scope: { ...result.scope, assumptions: left } }, contradictions };
}

const OF_TEXT: ReadonlySet<AssumptionName> = new Set([
  'loop-state',
  'try-results',
  'single-values',
]);

/** An assumption with the place that keeps the text from proving it; `null` where it is proved. */
function remaining(
  one: Assumption,
  { params, scope: { every } }: CheckResult,
  kernel: Kernel,
  text: ProgramText,
): Assumption | null {
  if (one.name === 'single-values') {
    const isProved = every.every((name) => {
      const places = countedAt(kernel, params, name);
      return text.use(kernel.name, name, places)?.onlyCounts === true;
    });
    return isProved ? null : one;
  }
  if (one.name !== 'loop-state' && one.name !== 'try-results') return one;
  const open = one.name === 'loop-state' ? text.change : text.decisiveTry;
  if (open === null) return null;
  const { what, place } = open;
  const why = one.name === 'loop-state' ? `a function may change ${what}` : `${what} may not`;
  return { ...one, text: `${one.text}; ${why}`, place };
}

/** The calls in the text of a kernel that count with a parameter. */
function countedAt(kernel: Kernel, params: CheckResult['params'], name: string): Position[] {
  const symbolic = new SymbolicParameter(name);
  orRefused(() => new Program(kernel, params, symbolic));
  return symbolic.countedAt;
}

/** Numbers that a parameter may be compared with, as far as the text is understood. */
export async function constantsOfText(kernel: Kernel, parameter: string): Promise<number[]> {
  const text = await textOf(kernel);
  return [...(text?.use(kernel.name, parameter)?.constants ?? [])].slice(0, MAX_CONSTANTS);
}

const texts = new WeakMap<Kernel, ProgramText | null>();

/** The text of a kernel's program; `null` where it is not there, or not understood. */
export async function textOf(kernel: Kernel): Promise<ProgramText | null> {
  if (kernel.source === undefined) return null;
  const known = texts.get(kernel);
  if (known !== undefined) return known;
  // The parser is loaded where something rests on it.
  const { ProgramText: Reader } = await import('../text/index.ts');
  const text = Reader.of(kernel.source);
  texts.set(kernel, text);
  return text;
}
