// What a reference run means for a verdict: why there is none, faults, assumptions, coverage.
import type {
  InstructionPlace,
  KernelReference,
  OrderedWord,
  PlacedText,
} from '@poundlock/core/internal/program';
import { meetingStores } from '../exec/grid/equal-copies.ts';
import type { Doubt } from '../lower/doubt.ts';
import { deciderOf, openText } from '../exec/origins/open-text.ts';
import type { Subject } from '../steps/decision.ts';
import { Cause } from '../values/origin.ts';
import { positionOf } from '../places/place.ts';
import { reachOf } from '../steps/reach.ts';
import type { Counter, PlacedNote, ReferenceRun } from '../steps/run.ts';

const NO_DOUBTS: ReadonlyMap<number, Subject> = new Map();
const OF_DATA: Subject = { bits: Cause.data, sources: [] };

const IF_BOTH =
  'if both touch the same bytes: data decides which ones this access touches; a launch that ' +
  'gives it, as "int32" of its pointer, is decided';

/** What has to be the case so that an access which unknown data decides is one to given bytes. */
function conditionOf(doubt: Doubt, subject: Subject): string {
  return doubt === 'happens' || doubt === 'whether'
    ? `if the access happens: ${openText(subject, 'this access')}`
    : IF_BOTH;
}

/** That an access which unknown data decides is one to given bytes for some data. */
const FOR_SOME_DATA: Readonly<Record<Doubt, string>> = {
  happens: 'decides whether one of the accesses happens: it is an error where it does',
  each: 'decides which bytes one of the accesses touches, and some leads it to these',
  whether: '',
  some: '',
};

/** An access that unknown data decides. */
function possibleAccess({ assumptions }: ReferenceRun, at: number, doubt: Doubt, subject: Subject) {
  const isElsewhere = assumptions.some((each) => each.at === at && each.isOfAddress === true);
  const known = isElsewhere ? 'some' : doubt;
  const note = FOR_SOME_DATA[known];
  const decider = known === 'happens' ? deciderOf(subject) : 'data';
  const text = conditionOf(known, subject);
  return { at, text, forSomeData: note === '' ? null : `${decider} ${note}` };
}

/**
 * The report of a run to the engines; `possible` are the accesses that may not happen, or
 * elsewhere, `doubts` what decides it, where that is not unknown data.
 */
export function referenceOf(
  run: ReferenceRun,
  possible: ReadonlyMap<number, Doubt>,
  doubts: ReadonlyMap<number, Subject> = NO_DOUBTS,
): KernelReference {
  const { coverage } = run;
  const placed = ({ text, at }: PlacedNote): PlacedText => {
    if (at < 0) return { text };
    return { text, position: positionOf(run.places(at)) };
  };
  const [undecided] = run.undecided;
  const placeOf = (at: number): InstructionPlace => {
    const place = run.places(at);
    return { opcode: place.opcode, textLine: place.ptxLine, position: positionOf(place) };
  };
  const meeting = meetingStores(run.warps);
  const strong = strongAccesses(run);
  const words = [...run.counters.words.values()].filter(({ isExact }) => !isExact);
  return {
    undecided: undecided === undefined ? null : placed(undecided),
    faults: [
      ...run.faults.map(({ rule, certain, isOfIsa, ...fault }) => {
        const common = { rule, ...placed(fault), ...(isOfIsa === true ? { isOfIsa } : {}) };
        if (certain === undefined) return common;
        const { opcode, ptxLine } = run.places(fault.at);
        const instruction = ptxLine > 0 ? `${opcode} (PTX line ${ptxLine})` : opcode;
        return { ...common, certain: { ...certain, instruction } };
      }),
      ...stuckAt(run).map((each) => ({ rule: 'stuck' as const, ...placed(each) })),
    ],
    assumptions: run.assumptions.map((each) => ({ name: each.name, ...placed(each) })),
    possible: [...possible].map(([at, doubt]) => {
      const access = possibleAccess(run, at, doubt, doubts.get(at) ?? OF_DATA);
      return { ...placed(access), forSomeData: access.forSomeData };
    }),
    coverage: coverage === null ? null : { ...coverage, placeOf },
    unwritten: run.unwritten.map(placed),
    ...(meeting.size === 0
      ? {}
      : {
          meeting: [...meeting].map((at) => placed({ text: 'if they store different bytes', at })),
        }),
    ...(strong.length === 0 ? {} : { strong: strong.map(placed) }),
    ...(run.counters.guards === 0
      ? {}
      : { guarded: guardedIn(run).map(placed), linked: linkedIn(run).map(placed) }),
    ...(run.openFences.length === 0 ? {} : { fences: run.openFences.map(placed) }),
    ...(words.length === 0 ? {} : { words: words.map((word) => ordered(word, placed)) }),
  };
}

/** Accesses with scopes; none where all scopes include all threads. */
function strongAccesses({ warps, effectOf }: ReferenceRun): PlacedNote[] {
  const found = new Map<number, PlacedNote>();
  let isNarrow = false;
  for (const { steps } of warps)
    for (const { at } of steps) {
      const effect = found.has(at) ? null : effectOf(at);
      if (effect?.kind !== 'access' || effect.scope === null) continue;
      const reach = reachOf(effect);
      isNarrow ||= reach !== undefined;
      const text = reach === undefined ? '' : `the scope .${reach} does not include the other one`;
      found.set(at, { at, text });
    }
  return isNarrow ? [...found.values()] : [];
}

/** Waits at which the run ended: what follows them is not known, so that nothing is proved. */
function stuckAt({ warps }: ReferenceRun): PlacedNote[] {
  return warps.flatMap(({ warp, stuck }) => {
    if (stuck === null) return [];
    return [{ text: `the run ends while warp ${warp} waits here`, at: stuck.at }];
  });
}

/** Polls that may see another value where writes of the word are not ordered with them. */
function guardedIn({ warps }: ReferenceRun): PlacedNote[] {
  const found = new Set<number>();
  for (const { steps } of warps)
    for (const step of steps)
      if (step.op === 'poll' && step.before.length + step.after.length > 0) found.add(step.at);
  const text = 'the order of the blocks decides which of its values this poll sees';
  return [...found].map((at) => ({ at, text }));
}

/** Stores that a poll may find instead of others, which write guards with these. */
function linkedIn({ warps }: ReferenceRun): PlacedNote[] {
  const found = new Set<number>();
  for (const { steps } of warps)
    for (const step of steps)
      if (step.op === 'signal' && step.guards.length > 0) found.add(step.at);
  const text = 'a poll may find what this leaves, which is not known to carry what it waits for';
  return [...found].map((at) => ({ at, text }));
}

/** A word whose values are not the same in each order of its writes. */
function ordered(
  { name, arrivals, writers, at, free }: Counter,
  placed: (open: PlacedNote) => PlacedText,
): OrderedWord {
  const text = `the order of the writes of ${name} is not proved, on which its polls rest`;
  return { name, arrivals, writers, ...(free && { free }), open: placed({ at, text }) };
}
