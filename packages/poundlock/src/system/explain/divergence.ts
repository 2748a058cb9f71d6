// Explains a role that does not do the same thing twice.
import { currentPosition } from '../../base/index.ts';
import { severityOf, type Finding, type Place } from '../../finding/index.ts';
import type { Divergence } from '../../program/index.ts';
import { CATALOGUE } from '../../op/index.ts';
import { describe } from '../describe.ts';
import type { Names } from '../names.ts';
import type { System } from '../system.ts';

const CAUSES = 'Date.now, Math.random and variables of the module are the usual causes';

export function explainDivergence(system: System, names: Names, found: Divergence): Finding {
  const { rule, role, expected, foundAt, expectedAt } = found;
  const who = names.agent(role);
  const instruction = expected < 0 ? null : system.steps.instruction(expected);
  const before = instruction === null ? 'ended' : describe(names, instruction);
  const now = found.found === null ? 'ended' : CATALOGUE[found.found.kind]!.name;
  const isCapture = rule === 'loop-captures';
  const places: Place[] = [];
  if (foundAt !== undefined) {
    const text = isCapture
      ? `in place, ${who} makes this next: ${now}`
      : `the second run makes this: ${now}`;
    places.push({ ...foundAt, role: who, text });
  }
  if (expectedAt !== undefined) {
    const text = isCapture
      ? `a fresh round makes this: ${before}`
      : `the first run makes this: ${before}`;
    places.push({ ...expectedAt, role: who, text });
  }
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
      ? ['rounds are restored from their state alone: what else they change is lost']
      : [CAUSES],
    helps: isCapture
      ? ['carry the value in the state of the loop, and return it from each round']
      : [],
  };
}
