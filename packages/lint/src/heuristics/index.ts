// The heuristics of the default tier, which a configuration can switch off one by one. None of them
// is asked in sound files.
import { InputError, nearest } from '@poundlock/core/internal/base';

/** A heuristic: what it takes for granted, and what was counted. */
export interface Heuristic {
  readonly id: string;
  readonly assumes: string;
  /** Of the 96 disposable results that three repositories drop, and others that were counted. */
  readonly evidence: string;
}

export const HEURISTICS = [
  {
    id: 'fluent-calls',
    assumes: 'a method whose result has the type of its receiver returns the receiver',
    evidence: '53 of 96 dropped results',
  },
  {
    id: 'lookup-verbs',
    assumes:
      'a function without a body whose name begins with a verb of looking up lends its result',
    evidence: 'not counted by itself',
  },
  {
    id: 'subscriptions',
    assumes: 'a subscription ends with its emitter, unless the code shows that that stays',
    evidence:
      '14 of 96 dropped results end with their emitter, 21 do not; of emitters in fields, or ' +
      'passed by their owner, 9 of 10 of a later round do',
  },
  {
    id: 'self-ending',
    assumes: 'what has an event or a property for its end may end by itself',
    evidence: 'not counted by itself',
  },
  {
    id: 'emitters',
    assumes: 'an emitter of one event ends, with its listeners, with the object that holds it',
    evidence: '43 of 43 that two extensions do not dispose of lose memory at most',
  },
  {
    id: 'parts',
    assumes: 'what a method of a disposable object makes may end with that object',
    evidence: '5 of 5 run profiles in two extensions end with their controller',
  },
  {
    id: 'ended-locals',
    assumes: 'a local that a function creates and ends on one path is owned by it on all',
    evidence: '1 of 15 more findings in seven repositories was false',
  },
  {
    id: 'process-lifetime',
    assumes: 'what code that runs once acquires, and releases on no path, is meant to stay',
    evidence:
      '12 of 82 findings in eleven repositories, none of which loses anything but at its end',
  },
  {
    id: 'shown-ownership',
    assumes:
      'what only a class of the project suggests is owned by code that releases it on another ' +
      'path; of models, only a release and a use in one function are a misuse',
    evidence: 'about 35 of 44 such findings in three rounds on fresh repositories were false',
  },
] as const satisfies readonly Heuristic[];

/** The name of a heuristic. */
export type HeuristicId = (typeof HEURISTICS)[number]['id'];

/** Which heuristics are off. */
export type HeuristicChoice = Readonly<Partial<Record<HeuristicId, boolean>>>;

/** Whether a heuristic is asked. */
export type IsOn = (id: HeuristicId) => boolean;

export function heuristicsOf(choice: HeuristicChoice = {}): IsOn {
  return (id) => choice[id] !== false;
}

/** Throws for a name that no heuristic has. */
export function requireHeuristics(choice: HeuristicChoice): void {
  const names: string[] = HEURISTICS.map(({ id }) => id);
  const unknown = Object.keys(choice).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, names);
  const help = meant === undefined ? '' : `: did you mean '${meant}'?`;
  throw new InputError(`lint.heuristics has no ${unknown}${help} (there are ${names.join(', ')})`);
}
