// Proves a program in slices: from one run where it has no choices, else from every order of them.
import type { Assumption } from '@poundlock/core/internal/finding';
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
import { noTraits, type LearnedTraits } from './run-state.ts';
import { CertifyingRun } from './run.ts';
import type { FailedCondition } from './certificate-failure.ts';
import { shadowSteps } from './shadow-run.ts';
import { executionContext, type ExecutionContext } from './execution-context.ts';
import type { MemoryProfile } from '../options.ts';
import { isWarning, keyOfWarning, type Practice } from './memory/fault.ts';
import type { ShownFault } from './memory/notes.ts';

export interface Proof {
  /** `certify` from one run, `hybrid` from runs that differ in their choices. */
  readonly engine: 'certify' | 'hybrid';
  /** Why nothing is proved; `null` when the program is right. */
  readonly failure: FailedCondition | null;
  readonly events: number;
  /** States in which a choice was made or everything had ended, and choices made. */
  readonly states: number;
  readonly transitions: number;
  /** Whether something is left over at the end, which is a warning (M13, A03). */
  readonly hasLeftovers: boolean;
  /** What the proof takes for certain and only a sample shows (T7). */
  readonly assumptions: readonly Assumption[];
  /** The memory profile that it has. */
  readonly profile: MemoryProfile;
  /** How many places rely on each practice about memory. */
  readonly practices: ReadonlyMap<Practice, number>;
  /** What was found about memory: one error, or warnings. */
  readonly faults: readonly ShownFault[];
}

export interface ProofBounds extends Pick<CheckOptions, 'maxEvents' | 'maxStates' | 'pause'> {
  /** Whether a try that is a choice ends the proof (T7). */
  readonly areTriesNoChoices?: boolean;
  /** The memory profile that is asked for; unless specified, the program decides. */
  readonly memory?: MemoryProfile | undefined;
}
/** Called between slices; a sentence ends the proof. */
export type StopReason = () => string | null;

/** A proof by one run, and the run: what it shows of roles that are not deterministic. */
export interface OneRun {
  readonly proof: Proof;
  readonly run: CertifyingRun;
}

/**
 * Runs a program once; a `failure` with `choice` means that it has choices. When the run turns out
 * to be long, `shortcut` is tried, which may prove more than is asked in fewer steps.
 */
export async function proveByOneRun(
  program: Program,
  bounds: ProofBounds,
  stopReason: StopReason,
  known: ExecutionContext | null = null,
  shortcut?: (context: ExecutionContext) => Promise<Proof | null>,
): Promise<OneRun> {
  let shorter: Proof | null = null;
  const [run, failure] = await toTheEnd(
    (learned) => new CertifyingRun(program, learned, known),
    CERTIFY_SLICE,
    program,
    bounds,
    stopReason,
    shortcut === undefined
      ? null
      : {
          events: FIRST_EVENTS * shadowSteps(program) * program.roles.length,
          isEnough: async (long) => {
            if (long.isDeterministicSoFar()) shorter = await shortcut(long.context);
            return shorter !== null;
          },
        },
  );
  if (shorter !== null) return { proof: shorter, run };
  const { events, hasLeftovers, assumptions, memory } = run;
  const { practices } = memory;
  const { memory: profile } = run.learned;
  const none = { states: 0, transitions: 0 };
  const proof = { engine: 'certify', failure, events, ...none, hasLeftovers, assumptions } as const;
  const isShown = failure?.memory !== undefined || memory.warnings.length > 0;
  if (!isShown) return { proof: { ...proof, profile, practices, faults: [] }, run };
  const again = recorded(program, run.learned);
  const error = again.failure?.memory;
  const faults = (error === undefined ? again.memory.warnings : [error]).map((fault) => {
    return { fault, order: again.order };
  });
  return { proof: { ...proof, profile, practices, faults }, run };
}

/** The same run once more, with a record of its operations. */
function recorded(program: Program, learned: LearnedTraits) {
  const run = new CertifyingRun(program, learned);
  const order = run.record();
  let failure: FailedCondition | 'running' | null;
  do failure = run.run(CERTIFY_SLICE);
  while (failure === 'running');
  return { order, failure, memory: run.memory };
}

/** The same run once more, for a failure with its two operations (T11). */
export function failureAgain(program: Program, { learned }: CertifyingRun): FailedCondition | null {
  const run = new CertifyingRun(program, learned, null, true);
  let failure: FailedCondition | 'running' | null;
  do failure = run.run(CERTIFY_SLICE);
  while (failure === 'running');
  return failure;
}

/** A proof by choices, and the tiles that there were when nothing could be proved any more. */
export interface Explored {
  readonly proof: Proof;
  readonly lead: number;
  /** The fewest tiles with which something is left over, −1 for none. */
  readonly leftoverTiles: number;
}

/**
 * Follows every order of choices; counts of any number are followed for every number. `context`
 * are the steps of a program that differs in its numbers of items at most.
 */
export async function proveByChoices(
  program: Program,
  bounds: ProofBounds,
  stopReason: StopReason,
  context = executionContext(program),
): Promise<Explored> {
  const maxStates = Math.min(bounds.maxStates ?? DEFAULT_MAX_STATES, MAX_CHOICE_POINTS);
  const faults: ShownFault[] = [];
  const warned = new Set<string>();
  for (;;) {
    const [exploration, failure] = await toTheEnd(
      (learned) => {
        learned.warned = warned;
        return new Exploration(program, maxStates, learned, context);
      },
      EXPLORE_SLICE,
      program,
      bounds,
      stopReason,
    );
    const fault = failure?.memory;
    if (fault !== undefined) {
      // The same way once more: a failure of its own says where its places are.
      const { order, failure: again } = exploration.repeat();
      faults.push({ fault: again?.memory ?? fault, order });
      if (isWarning(fault) && warned.size < MAX_WARNINGS) {
        warned.add(keyOfWarning(fault));
        continue;
      }
    }
    return exploredBy(exploration, failure, faults);
  }
}

/** The most warnings about memory of a proof by choices: each begins it anew. */
const MAX_WARNINGS = 16;

function exploredBy(
  { events, states, transitions, lead, leftoverTiles, memory, profile }: Exploration,
  failure: FailedCondition | null,
  faults: readonly ShownFault[],
): Explored {
  const hasLeftovers = leftoverTiles >= 0;
  const counts = { events, states, transitions };
  const proof = {
    engine: 'hybrid',
    failure,
    ...counts,
    hasLeftovers,
    assumptions: [],
    profile,
    practices: memory.practices,
    faults,
  } as const;
  return { proof, lead, leftoverTiles };
}

interface Engine {
  readonly events: number;
  run(budget: number): FailedCondition | 'running' | null;
}

/** A single question to an engine that runs for long, after so many events. */
interface WhenLong<E> {
  readonly events: number;
  /** Whether to leave it there. */
  readonly isEnough: (engine: E) => Promise<boolean>;
}

/** A slice that ends where the bound is exceeded. */
function sliceOf({ events }: Engine, slice: number, maxEvents: number): number {
  return Math.min(slice, Math.max(1, maxEvents + 1 - events));
}

/** Whether the operations of a program ask for rules of memory that it was run without. */
function isOfMemory(
  learned: LearnedTraits,
  memory: MemoryProfile | undefined,
  program: Program,
): boolean {
  return memory === undefined && learned.memory === 'none' && program.usesMemory;
}

/**
 * Whether a run is repeated with what it has learned. H15: fences around barriers may bring what it
 * lacks, and the next one relies on them.
 */
function isRepeated(learned: LearnedTraits, { condition, memory }: FailedCondition): boolean {
  if (condition === 'again') return true;
  if (memory === undefined || isWarning(memory)) return false;
  if (learned.memory !== 'practice' || learned.fencedMeetings !== 'seen') return false;
  learned.fencedMeetings = 'relied on';
  return true;
}

function whyOver({ events }: Engine, maxEvents: number): string | null {
  if (events <= maxEvents) return null;
  return `the bound max-events of ${formatNumber(maxEvents)} was reached`;
}

/** Runs an engine to its end, and restarts it with what it has learned where it requests that. */
async function toTheEnd<E extends Engine>(
  make: (learned: LearnedTraits) => E,
  slice: number,
  program: Program,
  { maxEvents = DEFAULT_MAX_EVENTS, pause, areTriesNoChoices = false, memory }: ProofBounds,
  stopReason: StopReason,
  whenLong: WhenLong<E> | null = null,
): Promise<[E, FailedCondition | null]> {
  const learned = noTraits();
  learned.areTriesNoChoices = areTriesNoChoices;
  learned.memory = memory ?? (program.usesMemory ? 'practice' : 'none');
  let engine = make(learned);
  let hasTried = whenLong === null;
  for (;;) {
    const failure = engine.run(sliceOf(engine, hasTried ? slice : whenLong!.events, maxEvents));
    if (failure === null && isOfMemory(learned, memory, program)) {
      // What it performs says how memory is ordered: the same once more, with memory.
      learned.memory = 'practice';
      engine = make(learned);
      continue;
    }
    if (failure === null && engine.events <= maxEvents) return [engine, null];
    if (failure === null || failure === 'running') {
      if (!hasTried && (await whenLong!.isEnough(engine))) return [engine, null];
      hasTried = true;
      await pause?.();
      const why = whyOver(engine, maxEvents) ?? stopReason();
      if (why !== null) return [engine, { condition: 'bound', why }];
    } else if (isRepeated(learned, failure)) engine = make(learned);
    else return [engine, failure];
  }
}
