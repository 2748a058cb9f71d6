// Explains a role that is not deterministic.
import { currentPosition } from '../../base/index.ts';
import { severityOf, type Finding, type SourceLocation } from '../../finding/index.ts';
import type { Divergence } from '../../program/index.ts';
import { describe } from '../describe.ts';
import type { Names } from '../names.ts';
import type { System } from '../system.ts';

const CAUSES = 'common causes are Date.now, Math.random and module variables';

const SHARED =
  'roles share nothing but operations: what one role assigns to a variable, another does not see';
const MESSAGE_NEEDED = 'pass the value by a cell or a barrier, or declare the variable in the role';

export function explainDivergence(system: System, names: Names, found: Divergence): Finding {
  const { rule, role, expected, foundAt, expectedAt } = found;
  const who = names.agent(role);
  const instruction = expected < 0 ? null : system.steps.instruction(expected);
  const before =
    instruction === null ? 'no operation, the role ends' : describe(names, instruction);
  const nothing =
    foundAt === undefined ? 'no operation, the role ends' : 'use a handle that it does not own';
  const now = found.found === null ? nothing : describe(names, found.found);
  const isCapture = rule === 'loop-captures';
  const isShared = found.isShared === true;
  // A role that only its captured variables mislead can be run again to find the place.
  const recordedAt = isCapture && expected >= 0 ? system.steps.position(expected) : undefined;
  const firstAt = expectedAt ?? recordedAt;
  const places: SourceLocation[] = [];
  if (foundAt !== undefined) {
    const text = isCapture
      ? `an uninterrupted run of ${who} performs here: ${now}`
      : `one run performs: ${now}`;
    places.push({ ...foundAt, role: who, text });
  }
  if (firstAt !== undefined) {
    const text = isCapture
      ? `a round restored from its state performs: ${before}`
      : `another run performs: ${before}`;
    places.push({ ...firstAt, role: who, text });
  }
  const instead =
    foundAt === undefined
      ? [`${isCapture ? 'an uninterrupted' : 'another'} run of ${who} performs there: ${now}`]
      : [];
  const fallback = system.program.rolePosition(role) ??
    system.program.kernel.position ??
    currentPosition() ?? { file: '', line: 1, column: 1 };
  const [primary = { ...fallback, text: `in role ${who}` }, ...labels] = places;
  return {
    rule,
    severity: severityOf(rule),
    message: messageOf(who, isCapture, isShared),
    primary,
    labels,
    notes: isCapture
      ? ['a round is restored from the state of the loop alone: other changes are lost', ...instead]
      : [...instead, isShared ? SHARED : CAUSES],
    helps: isCapture
      ? ['carry the value in the state of the loop, and return it from each round']
      : isShared
        ? [MESSAGE_NEEDED]
        : [],
  };
}

function messageOf(who: string, isCapture: boolean, isShared: boolean): string {
  if (isCapture) {
    return `the body of a loop in ${who} changes a variable that is declared outside of it`;
  }
  if (isShared) return `the body of role ${who} depends on a variable that another role changes`;
  const what = 'equal results lead to different operations';
  return `the body of role ${who} is not deterministic: ${what}`;
}
