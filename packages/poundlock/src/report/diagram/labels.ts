// The words beside the marks of a diagram, and its rows as sentences.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { grouped } from '@poundlock/core/internal/base';
import { agentName } from '../lanes.ts';
import type { Column } from './columns.ts';
import { cut } from './metrics.ts';

/** The verb; with the number of roles, or the role where only some of the column make the step. */
export function labelOf(
  trace: readonly TraceStep[],
  { members }: Column,
  steps: readonly number[],
): string {
  const { verb, agent } = trace[steps[0]!]!;
  if (members.length === 1) return verb;
  if (steps.length > 1) return `${verb} ×${steps.length}`;
  return `${verb} ${cut(ownPart(agent, members), MAX_OWN)}`.trim();
}

/** The most characters of the part of a name that only one role of a column has. */
const MAX_OWN = 12;

/** `cta1` of `cta1.warp0` beside `cta2.warp0`. */
function ownPart(name: string, members: readonly string[]): string {
  const parts = name.split('.');
  const others = members.map((member) => member.split('.'));
  const own = parts.filter((part, at) => others.some((other) => other[at] !== part));
  return own.join('.');
}

/** `4`, or `5–8`: steps from 1. */
export function stepNumbers(first: number, last: number): string {
  return first === last ? grouped(first + 1) : `${grouped(first + 1)}–${grouped(last + 1)}`;
}

/** `step 4: (tma): complete the copy into ab[0]; ab.full[0] phase 0 completes`. */
export function sentenceOf(step: TraceStep, index: number): string {
  const passed = step.from === undefined ? '' : `, let pass by step ${grouped(step.from)}`;
  const effects = step.effects.map((effect) => `; ${effect}`).join('');
  return `step ${grouped(index + 1)}: ${agentName(step)}: ${step.text}${passed}${effects}`;
}
