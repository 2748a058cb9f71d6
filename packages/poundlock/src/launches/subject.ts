// A kernel whose launch is inferred, and one run of it: what came of a launch that was tried.
import { check, type CheckOptions } from '../check/index.ts';
import { INSTRUCTION, InputError } from '@poundlock/core/internal/base';
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import type {
  Kernel,
  KernelReference,
  PlacedText,
  ReferenceFault,
} from '@poundlock/core/internal/program';
import { resolveParameters } from '@poundlock/core/internal/program';
import { isAtGuessedPlace } from '@poundlock/ptx/internal/infer/data-of';
import { launchDocument } from '@poundlock/ptx/internal/infer/skeleton';
import type { LaunchChoice, Skeleton } from '@poundlock/ptx/internal/infer/skeleton';
import { kernelOf } from '@poundlock/ptx/internal/kernel/kernel';
import { requireLegal } from '@poundlock/ptx/internal/launch/legal';
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import { guessedRace } from './guessed-race.ts';
import type { GuessedRace } from './guessed-race.ts';
import type { SpecialValue, ValueRole } from './values.ts';

/** The name of an inferred launch in messages. */
export const INFERRED = 'the inferred launch';

/** What came of a launch: what does not fit is no launch of the kernel. */
export type Outcome = 'certified' | 'error' | 'open' | 'vacuous' | 'refused' | 'unended';

/** One launch that was tried. */
export interface LaunchRun {
  readonly choice: LaunchChoice;
  readonly role: ValueRole;
  /** What all numbers are that nothing else says. */
  readonly base: number;
  /** The number that was varied; `null` where all are ordinary. */
  readonly special: SpecialValue | null;
  readonly kernel: Kernel;
  readonly result: CheckResult;
  readonly reference: KernelReference;
  readonly outcome: Outcome;
  /** What shows that it does not fit. */
  readonly fault: ReferenceFault | GuessedRace | null;
  /** Instructions that synchronize and that were executed. */
  readonly reached: ReadonlySet<number>;
}

/** The first place where unknown data decides a run. */
export function decidedByData({ ways }: KernelReference): PlacedText | undefined {
  return ways?.first.answers.find(({ by }) => by === 'data')?.open;
}

/** What is known of a launch that is tried: mistakes that rest on a guess are none. */
export interface KnownParts {
  /** Whether the block and the cluster are not guessed. */
  readonly shape: boolean;
  /** Whether no number is guessed. */
  readonly values: boolean;
  /** Whether the compiler says how much shared memory there is. */
  readonly shared: boolean;
}

/** Which guess a mistake of a run may rest on; `kernel`: on none. */
const OF_FAULT: Readonly<Record<ReferenceFault['rule'], 'value' | 'shape' | 'kernel'>> = {
  'out-of-bounds': 'value',
  misaligned: 'value',
  trap: 'value',
  'barrier-count': 'value',
  'tensor-map': 'value',
  'cluster-mask': 'shape',
  'non-coherent': 'kernel',
  'named-barrier': 'shape',
  'member-mask': 'shape',
  'unjoined-lanes': 'shape',
  'over-arrival': 'kernel',
  'uninitialized-barrier': 'kernel',
  'register-in-flight': 'kernel',
  'missing-wgmma-fence': 'kernel',
  'tensor-memory': 'kernel',
  stuck: 'kernel',
};

/** A kernel at the launches that its text allows. */
export interface LaunchSubject {
  readonly skeleton: Skeleton;
  readonly ptx: { readonly file: string; readonly text: string };
  /** Remarks on each verdict about it: where its launch is said. */
  readonly notes?: readonly string[];
}

/** Bounds of one run. */
export interface RunLimits {
  readonly maxInstructions: number;
  readonly timeoutMs: number;
}

/** Executes and checks one launch. */
export async function runLaunch(
  { skeleton, ptx }: LaunchSubject,
  choice: LaunchChoice,
  about: Pick<LaunchRun, 'role' | 'base' | 'special'> & { readonly known: KnownParts },
  options: CheckOptions,
  limits: RunLimits,
): Promise<LaunchRun> {
  const { module, entry } = skeleton;
  const text = JSON.stringify(launchDocument(skeleton, choice));
  const launch = { file: INFERRED, text };
  const file = readLaunchFile(text, INFERRED);
  requireLegal(module, entry, file.launch(0, entry, {}));
  const clock = options.now ?? (() => 0);
  const end = clock() + limits.timeoutMs;
  const isLate = (): boolean => options.now !== undefined && clock() > end;
  const kernel = kernelOf(module, entry, file, {
    ptx,
    launch,
    assumeBoxes: true,
    maxInstructions: limits.maxInstructions,
    shouldStop: isLate,
  });
  const bounds = options.now === undefined ? {} : { timeoutMs: limits.timeoutMs };
  const own = { ...options, params: undefined, loadAgain: undefined, every: undefined };
  const accept = [...new Set([...(options.accept ?? []), 'boxes' as const])];
  const isOne = own.replay !== undefined || own.example === true;
  const sizes = isOne ? {} : { sizes: 'requested' as const };
  const { role, base, special } = about;
  const tried = { choice, role, base, special, kernel };
  // Whether it was too much for the memory of the launch, or for the time.
  let isTooMuch = false;
  let isTimeUp = false;
  const isGuessedPlace = ({ position, isOfSize }: PlacedText): boolean => {
    if (isOfSize === true) isTooMuch = true;
    const at = position?.[INSTRUCTION];
    return at !== undefined && isAtGuessedPlace(skeleton, at);
  };
  let result: CheckResult;
  try {
    const onTimeout = (): void => {
      isTimeUp = true;
    };
    const about = { ...own, ...bounds, ...sizes, accept };
    result = await check(kernel, { ...about, isGuessedPlace, onTimeout });
  } catch (error) {
    // What a guess leads to says nothing of the kernel.
    if (!(error instanceof InputError) || (about.known.shape && about.known.values)) throw error;
    return { ...tried, ...refusedBy(error, kernel) };
  }
  const reference = kernel.reference!(resolveParameters(kernel, {}).values);
  const reached = new Set(
    (reference.coverage?.synchronizing ?? []).filter((at) => reference.coverage!.reached[at] === 1),
  );
  const fault = misfit(reference, about.known) ?? guessedRace(result, skeleton);
  // Numbers that were chosen too large are no reason to be undecided: smaller ones are tried.
  const isChosen = role === 'ordinary' && !about.known.values;
  const isOver = (): boolean => isTooMuch || isLate() || (isTimeUp && isChosen);
  const outcome = outcomeOf({ result, reference, fault, reached, special, isLate: isOver });
  return { ...tried, result, reference, outcome, fault, reached };
}

/** A launch that the kernel cannot be executed with. */
function refusedBy(
  { message, position }: InputError,
  { name }: Kernel,
): Pick<LaunchRun, 'result' | 'reference' | 'outcome' | 'fault' | 'reached'> {
  const place = position === undefined ? {} : { position };
  const fault = { rule: 'stuck' as const, text: message, ...place };
  const undecided = { text: message, ...place };
  return {
    result: {
      kernel: name,
      params: {},
      verdict: 'inconclusive',
      scope: { params: {}, every: [], assumptions: [], sizes: [] },
      findings: [],
      reason: message,
      stats: { engine: 'certify', events: 0, states: 0, transitions: 0, elapsedMs: 0 },
    },
    reference: { undecided, faults: [], assumptions: [], possible: [], coverage: null },
    outcome: 'refused',
    fault,
    reached: new Set(),
  };
}

/** A mistake that may rest on what is guessed. */
function misfit({ faults }: KernelReference, known: KnownParts): ReferenceFault | null {
  const isGuessed = ({ rule, isOfIsa }: ReferenceFault): boolean => {
    if (isOfIsa === true) return false;
    if (OF_FAULT[rule] === 'shape') return !known.shape;
    if (rule === 'out-of-bounds' && known.shared && known.shape) return false;
    return OF_FAULT[rule] === 'value' && !(known.values && known.shape);
  };
  return faults.find(isGuessed) ?? null;
}

function outcomeOf({
  result,
  reference,
  fault,
  reached,
  special,
  isLate,
}: Pick<LaunchRun, 'result' | 'reference' | 'fault' | 'reached' | 'special'> & {
  readonly isLate: () => boolean;
}): Outcome {
  if (fault !== null) return 'refused';
  if (result.verdict === 'certified') return 'certified';
  if (result.verdict === 'counterexample') return 'error';
  const { coverage, undecided } = reference;
  // A search of a special value that was cut short has not shown that the value fits.
  if (coverage === null || (isLate() && special === null)) return 'unended';
  if (undecided === null && coverage.synchronizing.length > 0 && reached.size === 0)
    return 'vacuous';
  return 'open';
}

/** The first error of a run. */
export function errorOf({ result }: LaunchRun): Finding | undefined {
  return result.findings.find(({ severity }) => severity === 'error');
}

/** Whether a launch fits the kernel. */
export function fits({ outcome }: LaunchRun): boolean {
  return outcome !== 'refused' && outcome !== 'unended';
}
