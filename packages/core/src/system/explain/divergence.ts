// Explains a role that is not deterministic.
import { currentPosition } from '../../base/index.ts';
import { severityOf, type Finding, type SourceLocation } from '../../finding/index.ts';
import type { Divergence } from '../../program/index.ts';
import { describe } from '../describe.ts';
import type { Names } from '../names.ts';
import type { System } from '../system.ts';

/** Why runs of a role differ. */
type Cause = 'captures' | 'sharing' | 'unknown';

interface CauseTexts {
  readonly message: (who: string) => string;
  readonly note: string;
  readonly helps: readonly string[];
}

const TEXTS: Readonly<Record<Cause, CauseTexts>> = {
  captures: {
    message: (who) =>
      `the body of a loop in ${who} changes a variable that is declared outside of it`,
    note: 'a round is restored from the state of the loop alone: other changes are lost',
    helps: ['carry the value in the state of the loop, and return it from each round'],
  },
  sharing: {
    message: (who) => `the body of role ${who} depends on a variable that another role changes`,
    note:
      'roles share nothing but operations: ' +
      'what one role assigns to a variable, another does not see',
    helps: ['pass the value by a cell or a barrier, or declare the variable in the role'],
  },
  unknown: {
    message: (who) =>
      `the body of role ${who} is not deterministic: equal results lead to different operations`,
    note: 'common causes are Date.now, Math.random and module variables',
    helps: [],
  },
};

export function explainDivergence(system: System, names: Names, found: Divergence): Finding {
  const { rule, role, foundAt } = found;
  const who = names.agent(role);
  const cause = causeOf(found);
  const { message, note, helps } = TEXTS[cause];
  const isCapture = cause === 'captures';
  const run = `${isCapture ? 'an uninterrupted' : 'another'} run of ${who} performs there`;
  const instead = foundAt === undefined ? [`${run}: ${performed(names, found)}`] : [];
  const fallback = system.program.rolePosition(role) ??
    system.program.kernel.position ??
    currentPosition() ?? { file: '', line: 1, column: 1 };
  const places = placesOf(system, names, found);
  const [primary = { ...fallback, text: `in role ${who}` }, ...labels] = places;
  return {
    rule,
    severity: severityOf(rule),
    message: message(who),
    primary,
    labels,
    notes: isCapture ? [note, ...instead] : [...instead, note],
    helps,
  };
}

function causeOf({ rule, isShared }: Divergence): Cause {
  if (rule === 'loop-captures') return 'captures';
  return isShared === true ? 'sharing' : 'unknown';
}

/** Where the two runs differ. */
function placesOf(system: System, names: Names, found: Divergence): SourceLocation[] {
  const { role, expected, foundAt, expectedAt } = found;
  const who = names.agent(role);
  const isCapture = causeOf(found) === 'captures';
  // A role that only its captured variables mislead can be run again to find the place.
  const recordedAt = isCapture && expected >= 0 ? system.steps.position(expected) : undefined;
  const firstAt = expectedAt ?? recordedAt;
  const places: SourceLocation[] = [];
  if (foundAt !== undefined) {
    const run = isCapture ? `an uninterrupted run of ${who} performs here` : 'one run performs';
    places.push({ ...foundAt, role: who, text: `${run}: ${performed(names, found)}` });
  }
  if (firstAt !== undefined) {
    const run = isCapture ? 'a round restored from its state' : 'another run';
    const instruction = expected < 0 ? null : system.steps.instruction(expected);
    const before = instruction === null ? NO_OPERATION : describe(names, instruction);
    places.push({ ...firstAt, role: who, text: `${run} performs: ${before}` });
  }
  return places;
}

const NO_OPERATION = 'no operation, the role ends';

/** What the run performs that differs from the recorded one. */
function performed(names: Names, { found, foundAt }: Divergence): string {
  if (found !== null) return describe(names, found);
  return foundAt === undefined ? NO_OPERATION : 'use a handle that it does not own';
}
