// Other runs of a launch as kernels: the ways that data may lead it, and the orders of its blocks.
import type {
  AnsweredWay,
  KernelReference,
  OtherWay,
  PlacedText,
  Ways,
} from '@poundlock/core/internal/program';
import { RunBoundError } from '../exec/machine/execute.ts';
import { NO_TIMEOUT } from '../exec/warp/mbarriers.ts';
import { inStrands } from '../lanes/strands.ts';
import type { Sized } from '../loops/find-period.ts';
import { rolesOf } from '../lower/kernel.ts';
import { lowerRun } from '../lower/roles.ts';
import { answersOf } from '../paths/open-answers.ts';
import { CONSTANT_WORDS } from '../paths/ways.ts';
import { positionOf } from '../places/place.ts';
import type { Decision } from '../steps/decision.ts';
import type { Constancy, ExecutedRun, ReferenceRun } from '../steps/run.ts';
import { readableName } from '../text/names.ts';
import { builtKernel } from './built-kernel.ts';
import { referenceOf } from './reference.ts';
import { unendedRun } from './unended-run.ts';
import type { Executed } from './unended-run.ts';

/** The kernels of runs, which add what they reach; what the runs return is returned. */
export function* kernelsOf(
  name: string,
  reached: Uint8Array,
  runs: Generator<ExecutedRun, string | null>,
): Generator<AnsweredWay, string | null> {
  for (let each = runs.next(); ; each = runs.next()) {
    if (each.done === true) return each.value;
    yield { ...wayOf(name, reached, each.value), ...answersOf(each.value) };
  }
}

const NOT_EACH: PlacedText = { text: 'the blocks cannot be executed in each order' };

/** The kernel in each other order of its blocks. */
export function* otherOrders(
  launched: Executed,
  first: ExecutedRun,
  run: (order: number) => ExecutedRun,
): Generator<OtherWay> {
  const name = readableName(launched.entry.name);
  for (let order = 1; order < first.orders; order++) {
    try {
      const executed = run(order);
      const way = wayOf(name, first.coverage.reached, executed);
      // A run of the first cluster alone stands for no order, nor does one of several ways.
      const isOne = executed.orders === first.orders && executed.decisions.length === 0;
      const undecided = way.reference.undecided ?? NOT_EACH;
      yield isOne ? way : { ...way, reference: { ...way.reference, undecided } };
    } catch (error) {
      const reference = endedBy(error, launched);
      return yield { kernel: builtKernel(name, {}, () => []), reference };
    }
  }
}

/** What is known of a run that a bound ended. */
export function endedBy(error: unknown, launched: Executed): KernelReference {
  if (!(error instanceof RunBoundError)) throw error;
  const undecided = unendedRun(error, launched);
  return { undecided, faults: [], assumptions: [], possible: [], coverage: null };
}

const OF_CONSTANT_WORDS = { name: 'constant-data', text: CONSTANT_WORDS } as const;
/** What is assumed of words that decide, by what the kernel writes of them. */
const ASSUMED: Readonly<Record<Constancy, Ways['assumption']>> = {
  'never written': null,
  'written elsewhere': {
    name: 'separate-buffers',
    text: 'a word that decides a branch lies in no buffer that another pointer leads to',
  },
  open: OF_CONSTANT_WORDS,
};

/** What unknown data decides in a run, and where else it may lead. */
export function waysOf(run: ExecutedRun, others: Ways['others']): Ways {
  const noTimeout = noTimeoutOf(run);
  return { first: answersOf(run), assumption: ASSUMED[run.constancy], noTimeout, others };
}

/** What is taken for granted where no wait of a run gives up; `null` where none can. */
function noTimeoutOf({ decisions, places }: ExecutedRun): Ways['noTimeout'] {
  const wait = decisions.find(({ subject }) => subject.wait === 'loop');
  if (wait === undefined) return null;
  return { name: 'no-timeout', text: NO_TIMEOUT, position: positionOf(places(wait.at)) };
}

/** The first place where something is open in a run of several orders; `null`: there is none. */
export function openOf(run: ExecutedRun): PlacedText | null {
  const [open] = answersOf(run).answers;
  return open?.open ?? null;
}

/** Whether an answer is not about a wait that could give up. */
export function isNoTimeout({ subject }: Decision): boolean {
  return subject.wait !== 'loop';
}

/** Whether an answer is that a wait does not give up. */
export function isPatient({ subject, isTrue }: Decision): boolean {
  return subject.wait === 'loop' && !isTrue;
}

/** A run whose assumptions say that no wait gives up, where one can. */
export function patient(run: Sized['run']): ReferenceRun {
  const wait = run.decisions?.find(({ subject }) => subject.wait === 'loop');
  if (wait === undefined) return run;
  const assumption = { name: 'no-timeout', text: NO_TIMEOUT, at: wait.at } as const;
  return { ...run, assumptions: [...run.assumptions, assumption] };
}

/** Warps whose waits give up in a run at tries that cannot fail in it: they come too late. */
export function lateWarps({ decisions }: ExecutedRun): ReadonlySet<number> {
  const late = decisions.filter(({ subject, isTrue }) => {
    return subject.wait !== undefined && isTrue && subject.mayFail !== true;
  });
  return new Set(late.flatMap(({ subject: { warp } }) => (warp === undefined ? [] : [warp])));
}

const OLDER =
  'it goes wrong if this load finds an older value than in the other orders of the blocks, which ' +
  'is not known to happen';

/** A run as a kernel, which adds what it reaches. */
function wayOf(name: string, reached: Uint8Array, run: ExecutedRun): OtherWay {
  for (const [at, flag] of run.coverage.reached.entries()) reached[at]! |= flag;
  const strands = inStrands(run);
  const plan = lowerRun(strands);
  const reference = referenceOf(strands, plan.possible, run.doubts);
  const kernel = builtKernel(name, {}, rolesOf(plan, run));
  if (run.older === undefined) return { kernel, reference };
  const older = { text: OLDER, position: positionOf(run.places(run.older)) };
  return { kernel, reference: { ...reference, older } };
}
