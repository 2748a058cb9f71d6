// Other runs of a launch as kernels: the ways that data may lead it, and the orders of its blocks.
import type { KernelReference, OtherWay, PlacedText, Ways } from '@poundlock/core/internal/program';
import { RunBoundError } from '../exec/machine/execute.ts';
import { inStrands } from '../lanes/strands.ts';
import { rolesOf } from '../lower/kernel.ts';
import { lowerRun } from '../lower/roles.ts';
import { CONSTANT_WORDS } from '../paths/ways.ts';
import { positionOf } from '../places/place.ts';
import type { ExecutedRun } from '../steps/run.ts';
import { readableName } from '../text/names.ts';
import { builtKernel } from './built-kernel.ts';
import { referenceOf } from './reference.ts';
import { unendedRun } from './unended-run.ts';
import type { Executed } from './unended-run.ts';

/** The first place where unknown data decides. */
function decidedIn({ decisions, places }: ExecutedRun): PlacedText {
  const position = positionOf(places(decisions[0]!.at));
  return { text: 'unknown data decides this branch', position };
}

/** The kernels of runs, which add what they reach; what the runs return is returned. */
export function* kernelsOf(
  name: string,
  reached: Uint8Array,
  runs: Generator<ExecutedRun, string | null>,
): Generator<OtherWay, string | null> {
  for (let each = runs.next(); ; each = runs.next()) {
    if (each.done === true) return each.value;
    yield wayOf(name, reached, each.value);
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
      // A run of the first cluster alone stands for no order.
      const isOne = executed.orders === first.orders;
      const undecided = way.reference.undecided ?? NOT_EACH;
      yield isOne ? way : { ...way, reference: { ...way.reference, undecided } };
    } catch (error) {
      const reference = endedBy(error, launched);
      return yield {
        kernel: builtKernel(name, {}, () => []),
        reference,
        questions: 0,
        performed: new Set(),
      };
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

/** What unknown data decides in a run, and where else it may lead. */
export function waysOf(run: ExecutedRun, others: Ways['others']): Ways {
  const questions = run.decisions.length;
  const performed = performedIn(run);
  return {
    decided: decidedIn(run),
    questions,
    performed,
    assumption: OF_CONSTANT_WORDS,
    others,
  };
}

const OLDER =
  'it goes wrong if this load finds an older value than in the other orders of the blocks, which ' +
  'is not known to happen';

/** The instructions whose operations a run has. */
function performedIn({ warps }: ExecutedRun): ReadonlySet<number> {
  return new Set(warps.flatMap(({ steps }) => steps.map(({ at }) => at)));
}

/** A run as a kernel, which adds what it reaches. */
function wayOf(name: string, reached: Uint8Array, run: ExecutedRun): OtherWay {
  for (const [at, flag] of run.coverage.reached.entries()) reached[at]! |= flag;
  const strands = inStrands(run);
  const plan = lowerRun(strands);
  const reference = referenceOf(strands, plan.possible);
  const kernel = builtKernel(name, {}, rolesOf(plan, run));
  const questions = run.decisions.length;
  const performed = performedIn(run);
  if (run.older === undefined) return { kernel, reference, questions, performed };
  const older = { text: OLDER, position: positionOf(run.places(run.older)) };
  return { kernel, reference: { ...reference, older }, questions, performed };
}
