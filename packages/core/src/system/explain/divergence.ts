// Explains a role that does not do the same thing twice.
import { currentPosition } from '../../base/index.ts';
import { severityOf, type Finding, type SourceLocation } from '../../finding/index.ts';
import type { Divergence } from '../../program/index.ts';
import { describe } from '../describe.ts';
import type { Names } from '../names.ts';
import type { System } from '../system.ts';

const CAUSES = 'Date.now, Math.random and variables of the module are the usual causes';

export function explainDivergence(system: System, names: Names, found: Divergence): Finding {
  const { rule, role, expected, foundAt, expectedAt } = found;
  const who = names.agent(role);
  const instruction = expected < 0 ? null : system.steps.instruction(expected);
  const before = instruction === null ? 'nothing: it ends' : describe(names, instruction);
  const nothing = foundAt === undefined ? 'ends' : 'use a handle that it does not own';
  const now = found.found === null ? nothing : describe(names, found.found);
  const isCapture = rule === 'loop-captures';
  // A role that only its captured variables mislead can be run again to find the place.
  const recordedAt = isCapture && expected >= 0 ? system.steps.position(expected) : undefined;
  const firstAt = expectedAt ?? recordedAt;
  const places: SourceLocation[] = [];
  if (foundAt !== undefined) {
    const text = isCapture
      ? `in one go, ${who} makes this next: ${now}`
      : `one run makes this: ${now}`;
    places.push({ ...foundAt, role: who, text });
  }
  if (firstAt !== undefined) {
    const text = isCapture
      ? `restored from its state alone, the round makes this: ${before}`
      : `another run makes this: ${before}`;
    places.push({ ...firstAt, role: who, text });
  }
  const instead =
    foundAt === undefined
      ? [`run ${isCapture ? 'in one go' : 'once more'}, ${who} ${now} there instead`]
      : [];
  const fallback = system.program.kernel.position ??
    currentPosition() ?? { file: '', line: 1, column: 1 };
  const [primary = { ...fallback, text: `in role ${who}` }, ...labels] = places;
  return {
    rule,
    severity: severityOf(rule),
    message: isCapture
      ? `a round of the loop in ${who} changes a variable from outside the round`
      : `${who} does something else when it is run again with the same answers`,
    primary,
    labels,
    notes: isCapture
      ? ['rounds are restored from their state alone: what else they change is lost', ...instead]
      : [...instead, CAUSES],
    helps: isCapture
      ? ['carry the value in the state of the loop, and return it from each round']
      : [],
  };
}
