// Proves a program in slices: from one run where it has no choices, else from every order of them.
import type { Program } from '@poundlock/core/internal/program';
import { formatNumber } from '@poundlock/core/internal/system';
import {
  CERTIFY_SLICE,
  DEFAULT_MAX_EVENTS,
  DEFAULT_MAX_STATES,
  EXPLORE_SLICE,
  FIRST_EVENTS,
  MAX_CHOICE_POINTS,
  type CheckOptions,
} from '../options.ts';
import { Exploration } from './explore.ts';
import { nothingLearned, type Learned } from './run-state.ts';
import { CertifyingRun } from './run.ts';
import type { Undecided } from './certificate-failure.ts';
import { twinSteps } from './shadow-run.ts';
import { unfold, type Unfolded } from './execution-context.ts';

export interface Proof {
  /** `certify` from one run, `hybrid` from runs that differ in their choices. */
  readonly engine: 'certify' | 'hybrid';
  /** Why nothing is proved; `null` when the program is right. */
  readonly undecided: Undecided | null;
  readonly events: number;
  /** States in which a choice was made or everything had ended, and choices made. */
  readonly states: number;
  readonly transitions: number;
  /** Whether something is left over at the end, which is a warning (M13, A03). */
  readonly hasLeftovers: boolean;
}

export type Bounds = Pick<CheckOptions, 'maxEvents' | 'maxStates' | 'pause'>;
/** Called between slices; a sentence ends the proof. */
export type StopReason = () => string | null;

/** A proof by one run, and the run: what it shows of roles that are not deterministic. */
export interface OneRun {
  readonly proof: Proof;
  readonly run: CertifyingRun;
}

/**
 * Runs a program once; `undecided` with `choice` means that it has choices. When the run turns out
 * to be long, `shortcut` is tried, which may prove more than is asked in fewer steps.
 */
export async function proveByOneRun(
  program: Program,
  bounds: Bounds,
  stopReason: StopReason,
  shortcut?: (unfolded: Unfolded) => Promise<Proof | null>,
): Promise<OneRun> {
  let shorter: Proof | null = null;
  const [run, undecided] = await toTheEnd(
    (learned) => new CertifyingRun(program, learned),
    CERTIFY_SLICE,
    bounds,
    stopReason,
    shortcut === undefined
      ? null
      : {
          events: FIRST_EVENTS * twinSteps(program) * program.roles.length,
          isEnough: async (long) => {
            if (long.isDeterministicSoFar()) shorter = await shortcut(long.unfolded);
            return shorter !== null;
          },
        },
  );
  if (shorter !== null) return { proof: shorter, run };
  const { events, hasLeftovers } = run;
  const proof = { engine: 'certify', undecided, events, states: 0, transitions: 0, hasLeftovers };
  return { proof: proof as Proof, run };
}

/** A proof by choices, and the tiles that there were when nothing could be proved any more. */
export interface Explored {
  readonly proof: Proof;
  readonly lead: number;
  /** The fewest tiles with which something is left over, −1 for none. */
  readonly leftoverTiles: number;
}

/**
 * Follows every order of choices; counts of any number are followed for every number. `unfolded`
 * are the steps of a program that differs in its numbers of items at most.
 */
export async function proveByChoices(
  program: Program,
  bounds: Bounds,
  stopReason: StopReason,
  unfolded = unfold(program),
): Promise<Explored> {
  const maxStates = Math.min(bounds.maxStates ?? DEFAULT_MAX_STATES, MAX_CHOICE_POINTS);
  const [exploration, undecided] = await toTheEnd(
    (learned) => new Exploration(program, maxStates, learned, unfolded),
    EXPLORE_SLICE,
    bounds,
    stopReason,
  );
  const { events, states, transitions, lead, leftoverTiles } = exploration;
  const hasLeftovers = leftoverTiles >= 0;
  const proof = { engine: 'hybrid', undecided, events, states, transitions, hasLeftovers } as const;
  return { proof, lead, leftoverTiles };
}

interface Engine {
  readonly events: number;
  run(budget: number): Undecided | 'running' | null;
}

/** What is asked once, after so many events, of an engine that is not over soon. */
interface WhenLong<E> {
  readonly events: number;
  /** Whether to leave it there. */
  readonly isEnough: (engine: E) => Promise<boolean>;
}

/** Runs an engine to its end, and anew with what it has learned where it asks for that. */
async function toTheEnd<E extends Engine>(
  make: (learned: Learned) => E,
  slice: number,
  { maxEvents = DEFAULT_MAX_EVENTS, pause }: Bounds,
  stopReason: StopReason,
  whenLong: WhenLong<E> | null = null,
): Promise<[E, Undecided | null]> {
  const learned = nothingLearned();
  let engine = make(learned);
  let hasAsked = whenLong === null;
  for (;;) {
    const undecided = engine.run(hasAsked ? slice : whenLong!.events);
    if (undecided === null) return [engine, null];
    if (undecided === 'running') {
      if (!hasAsked && (await whenLong!.isEnough(engine))) return [engine, null];
      hasAsked = true;
      await pause?.();
      const why =
        engine.events > maxEvents
          ? `the bound max-events of ${formatNumber(maxEvents)} was reached`
          : stopReason();
      if (why !== null) return [engine, { condition: 'bound', why }];
    } else if (undecided.condition === 'again') engine = make(learned);
    else return [engine, undecided];
  }
}
