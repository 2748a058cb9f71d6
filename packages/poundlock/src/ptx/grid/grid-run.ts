// Executes all blocks of a grid where they communicate through global memory: again and again,
// until what one run shows of the values of polled words is what the next one is made with.
import { readsOf } from '../flow/liveness.ts';
import { volume } from '../launch/launch.ts';
import type { Launch } from '../launch/launch.ts';
import { clustersOf } from '../machine/cta.ts';
import { execute } from '../machine/execute.ts';
import type { Decision } from '../machine/decisions.ts';
import type { Execution, RunBounds } from '../machine/execute.ts';
import type { Assumption } from '../steps/run.ts';
import type { Instruction, PtxFunction, PtxModule } from '../text/module.ts';
import { LANES } from '../values/register-file.ts';
import { prepare } from '../warp/prepare.ts';
import { destinationsOf } from '../warp/slots.ts';
import { addressOf } from '../steps/pages.ts';
import { NO_PLANS, planWords } from './word-plan.ts';
import type { WordPlans } from './word-plan.ts';

/** The most blocks and warps that are executed together. */
const MAX_BLOCKS = 64;
const MAX_WARPS = 256;
/** The most runs until the values of words are those that the run was made with. */
const MAX_RUNS = 6;

const ORDERED = new Set(['volatile', 'relaxed', 'acquire', 'mmio']);
const OTHER_SPACES = /^(shared|local|param|const)/;

/** The registers that instructions read. */
function usedBy({ instructions }: PtxFunction): ReadonlySet<number> {
  return new Set(instructions.flatMap((instruction) => readsOf(instruction)));
}

/** Whether an instruction reads global memory in a way that sees what other blocks write. */
function reads(instruction: Instruction, used: ReadonlySet<number>): boolean {
  const { parts } = instruction;
  if (parts.some((part) => OTHER_SPACES.test(part))) return false;
  if (parts[0] === 'atom') return destinationsOf(instruction).some((one) => used.has(one));
  return parts[0] === 'ld' && parts.some((part) => ORDERED.has(part));
}

/** What all blocks of a grid did, or why that is not known. */
export interface GridOutcome {
  readonly execution: Execution | null;
  readonly plans: WordPlans;
  readonly reason: Assumption | null;
}

/** A kernel and its launch. */
interface Case {
  readonly module: PtxModule;
  readonly code: PtxFunction;
  readonly launch: Launch;
  readonly bounds: RunBounds;
  /** Tensor maps in memory that the kernel changes. */
  readonly maps: Iterable<string>;
  /** What unknown data decided in the run of the first cluster. */
  readonly decisions: readonly Decision[];
}

/**
 * Executes all blocks of a grid, if some instruction reads what other blocks may have written, and
 * the launch does not say what it reads; `null` if there is no need to.
 */
export function runGrid(kernel: Case): GridOutcome | null {
  const { module, code, launch, maps, decisions } = kernel;
  const used = usedBy(code);
  const reading = code.instructions.find((instruction) => reads(instruction, used));
  if (reading === undefined || launch.atomicAnswers.length > 0) return null;
  const none = (text: string): GridOutcome => {
    return { execution: null, plans: NO_PLANS, reason: { at: reading.index, text } };
  };
  const clusters = clustersOf(launch);
  const blocks = clusters * volume(launch.cluster);
  const warps = blocks * Math.ceil(volume(launch.block) / LANES);
  if (blocks > MAX_BLOCKS || warps > MAX_WARPS)
    return none(
      `it reads what other blocks write, and only ${MAX_BLOCKS} blocks or ${MAX_WARPS} warps are ` +
        `executed together, not ${blocks} blocks of ${warps} warps: give a launch of fewer blocks`,
    );
  const isHandedOut = code.instructions.some(({ parts }) => parts[0] === 'clusterlaunchcontrol');
  if (isHandedOut && clusters > 1)
    return none('blocks are handed out to others, and all blocks cannot be executed together');
  // The roles of all clusters would meet at one barrier.
  const meets = code.instructions.some(
    ({ parts }) => parts[0] === 'barrier' && parts[1] === 'cluster',
  );
  if (meets && clusters > 1)
    return none('clusters with a barrier of their own are not executed together');
  if (decisions.length > 0) return none('unknown data decides what they do');
  // A way is one for the first cluster: other blocks may read other data.
  const { maxInstructions, isOver } = kernel.bounds;
  const program = prepare(code, module.file, {
    isGrid: true,
    isFollowing: launch.earlier.length > 0,
  });
  let plans = NO_PLANS;
  for (let run = 0; run < MAX_RUNS; run++) {
    const execution = execute(
      module,
      program,
      launch,
      { maxInstructions, isOver },
      { maps, grid: { clusters, plans } },
    );
    const next = plansOf(execution);
    if (execution.machine.undecidedReasons.length > 0) return { execution, plans, reason: null };
    const [failure] = next.failures;
    if (failure !== undefined) {
      execution.machine.noteUndecided(failure.at, failure.text);
      return { execution, plans: next, reason: null };
    }
    if (next.isComplete && isSame(next, plans)) return { execution, plans: next, reason: null };
    plans = next;
  }
  return none('the values of a word that blocks poll are not the same from run to run');
}

/** The plans that a run asks for, with the polls at which it got stuck. */
function plansOf({ machine, warps }: Execution): WordPlans {
  const { program } = machine;
  const words = machine.words!;
  for (const { stack, blockedOn, number, cta } of warps) {
    if (stack.depth === 0 || blockedOn?.op !== 'poll') continue;
    const { at } = blockedOn;
    const word = addressOf(machine.places.pages, blockedOn.word);
    const key = words.key(word, number, at);
    const isOfSystem = program.code.instructions[at]!.parts.includes('sys');
    const by = { warp: number, cta: cta.rank, at, isOfSystem };
    const poll = { key, ...by, after: -1, passes: new Map() };
    words.history(word).polls.push(poll);
  }
  return planWords(words.histories.values());
}

function isSame(one: WordPlans, other: WordPlans): boolean {
  const text = (plans: WordPlans): string =>
    JSON.stringify([...plans.words.values()], (_key, value: unknown) => {
      return value instanceof Map ? [...value] : value;
    });
  return text(one) === text(other);
}
