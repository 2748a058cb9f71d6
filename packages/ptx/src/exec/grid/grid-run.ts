// Executes all blocks of a grid where they communicate through global memory: again and again,
// until what one run shows of the values of polled words is what the next one is made with.
import { readsOf } from '../../flow/liveness.ts';
import type { Effect } from '../../isa/effect.ts';
import { accessOf, globalAccessOf, isAtomic } from '../../isa/questions.ts';
import { volume } from '../../launch/launch.ts';
import type { Launch } from '../../launch/launch.ts';
import { instructionsOf } from '../footprints/touches.ts';
import { clustersOf } from '../machine/cta.ts';
import { execute } from '../machine/execute.ts';
import type { Execution, RunBounds } from '../machine/execute.ts';
import type { GridRun, Machine } from '../machine/machine.ts';
import type { PlacedNote } from '../../steps/run.ts';
import type { Instruction, PtxFunction, PtxModule } from '../../text/module.ts';
import { LANES } from '../../values/register-file.ts';
import type { Program } from '../warp/program.ts';
import { prepare } from '../warp/prepare.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import { addressOf } from '../../steps/pages.ts';
import { chosenRuns } from './chosen-runs.ts';
import { textOf } from './choices.ts';
import type { Wanted } from './choices.ts';
import type { ChosenRuns } from './chosen-runs.ts';
import { countOfLast, drawsIn, lastOf } from './draws.ts';
import type { Draws, LastDraws } from './draws.ts';
import { foundAddress } from './found-addresses.ts';
import { noteClusters } from './several-clusters.ts';
import { lockOrders, MAX_ORDERS } from './locks.ts';
import { NO_PLANS, planWords } from './word-plan.ts';
import type { WordPlans } from './word-plan.ts';

/** The most blocks and warps that are executed together. */
const MAX_BLOCKS = 1_024;
const MAX_WARPS = 4_096;
/** The most runs until the values of words are those that the run was made with. */
const MAX_RUNS = 6;
/** The most ways in which words have another draw as their last. */
const MAX_DRAWS = 64;

/** The registers that instructions read. */
function usedBy({ instructions }: PtxFunction): ReadonlySet<number> {
  return new Set(instructions.flatMap((instruction) => readsOf(instruction)));
}

/** Whether an instruction reads global memory in a way that sees what other blocks write. */
function reads(instruction: Instruction, used: ReadonlySet<number>): boolean {
  const access = globalAccessOf(instruction);
  if (access?.op === 'atomic') return destinationsOf(instruction).some((one) => used.has(one));
  return access?.op === 'load' && access.isStrong;
}

/** What all blocks of a grid did, or why that is not known. */
export interface GridOutcome {
  readonly execution: Execution | null;
  readonly plans: WordPlans;
  readonly reason: PlacedNote | null;
  /** Whether the launch is the reason, and not what the blocks do. */
  readonly isOfLaunch?: boolean;
  /** Numbers that blocks draw. */
  readonly draws: readonly Draws[];
  /** Whether the run is one that no order of the blocks leads to. */
  readonly isImpossible?: boolean;
  /** In how many orders the blocks have to be executed, of which this is one. */
  readonly orders: number;
}

/** A kernel and its launch. */
interface Case {
  readonly module: PtxModule;
  readonly code: PtxFunction;
  readonly launch: Launch;
  readonly bounds: RunBounds;
  /** Tensor maps in memory that the kernel changes. */
  readonly maps: Iterable<string>;
}

/**
 * Executes all blocks of a grid, if some instruction reads what other blocks may have written, and
 * the launch does not say what it reads; `null` if there is no need to.
 *
 * @param first The machine of the run of the first cluster.
 */
export function runGrid(kernel: Case, first: Machine): GridOutcome | null {
  const { code, launch } = kernel;
  const used = usedBy(code);
  const { waitedFor } = first;
  const reading = code.instructions.find((instruction) => reads(instruction, used));
  if (reading === undefined && waitedFor.size === 0) return null;
  const at = reading?.index ?? first.undecidedReasons[0]!.at;
  const clusters = clustersOf(launch);
  if (launch.atomicAnswers.length > 0 && clusters === 1) return null;
  const obstacle = obstacleOf(kernel, clusters);
  if (obstacle !== null) {
    const seen = touchesGlobal(first);
    if (!code.instructions.some((each) => reads(each, used) && seen(each))) return null;
    return { ...notExecuted(at, obstacle), isOfLaunch: true };
  }
  return new BlockOrders(kernel, at, clusters, new Set(waitedFor)).outcome();
}

/** Whether an instruction accessed global memory in the run of one cluster, or might have. */
function touchesGlobal({ touches, undecidedReasons, program }: Machine) {
  if (touches === null || undecidedReasons.length > 0) return () => true;
  const touching = new Set([...touches.list.flatMap(instructionsOf), ...touches.unknown.keys()]);
  return ({ index }: Instruction) => touching.has(index) || program.touchings[index] === null;
}

function notExecuted(at: number, text: string): GridOutcome {
  const reason = { at, text };
  return { execution: null, plans: NO_PLANS, reason, draws: [], orders: 1, isOfLaunch: false };
}

/** Why the blocks of a launch cannot be executed together; `null` if they can. */
function obstacleOf({ code, launch }: Case, clusters: number): string | null {
  const blocks = clusters * volume(launch.cluster);
  if (launch.atomicAnswers.length > 0) return 'the launch says what the first block draws alone';
  const warps = blocks * Math.ceil(volume(launch.block) / LANES);
  if (blocks > MAX_BLOCKS || warps > MAX_WARPS)
    return (
      `it reads what other blocks write, and only ${MAX_BLOCKS} blocks or ${MAX_WARPS} warps are ` +
      `executed together, not ${blocks} blocks of ${warps} warps: give a launch of fewer blocks`
    );
  const has = (isOf: (effect: Effect) => boolean): boolean =>
    clusters > 1 && code.instructions.some(({ effect }) => isOf(effect));
  if (has(({ kind }) => kind === 'launch control'))
    return 'blocks are handed out to others, and all blocks cannot be executed together';
  return launch.executed === undefined ? null : 'one of the blocks is executed without the others';
}

/** The orders in which the blocks of a launch have to be executed. */
class BlockOrders {
  readonly #kernel: Case;
  /** The instruction that reads what other blocks write. */
  readonly #reading: number;
  readonly #clusters: number;
  readonly #program: Program;
  /** Words of shared memory that warps wait for; more of them may turn out to be. */
  readonly #sharedWords: Set<number>;
  /** Which of the orders is asked for. */
  readonly #number: number;

  constructor(kernel: Case, reading: number, clusters: number, sharedWords: Set<number>) {
    const { module, code, launch, bounds } = kernel;
    this.#kernel = kernel;
    this.#reading = reading;
    this.#clusters = clusters;
    this.#sharedWords = sharedWords;
    const isFollowing = launch.earlier.length > 0;
    this.#program = prepare(code, module.file, { isGrid: true, isFollowing });
    this.#number = bounds.order ?? 0;
  }

  /** The run in the order that is asked for. */
  outcome(): GridOutcome {
    const isWay = this.#kernel.bounds.isWay === true;
    const own = isWay ? notExecuted(this.#reading, UNKNOWN_DATA) : this.#inOrder();
    if (!isUndecided(own)) return own;
    // What the launch leaves open may decide it.
    const answered = this.#run({ last: NO_LAST, isAnswered: true });
    const isFew = questionsOf(answered) <= MAX_QUESTIONS;
    return isFew && isOfOneOrder(answered) ? answered : own;
  }

  #inOrder(): GridOutcome {
    const { launch, bounds } = this.#kernel;
    const known = chosenByLaunch.get(launch);
    if (known !== undefined && known.ways.length > 0 && bounds.order !== undefined)
      return this.#ofWay(known);
    const first = this.#run({ last: NO_LAST });
    const isOpen = isUndecided(first);
    if (isOpen || hasDoubt(first)) {
      const decided = this.#withLastDraw(first) ?? this.#withChoices(isOpen);
      if (decided !== null) return decided;
    }
    return isOpen ? first : this.#inLockOrder(first);
  }

  #run(order: Order): GridOutcome {
    const grid = { clusters: this.#clusters, sharedWords: this.#sharedWords };
    const outcome = settled(this.#kernel, this.#program, grid, order);
    return outcome ?? notExecuted(this.#reading, UNSTABLE);
  }

  /** One of the runs with another draw as the last of its word; `null` where these do not do. */
  #withLastDraw({ draws }: GridOutcome): GridOutcome | null {
    const orders = countOfLast(draws);
    if (draws.length === 0 || orders > MAX_DRAWS) return null;
    const outcome = this.#run({ last: lastOf(draws, this.#number) });
    return isUndecided(outcome) || !hasOneOrder(outcome) ? null : { ...outcome, orders };
  }

  /** One of the runs of all that the order of blocks decides; `null` where these do not do. */
  #withChoices(isOpen: boolean): GridOutcome | null {
    const chosen = this.#chosen(isOpen);
    // None where each run is one that no order of the blocks leads to.
    if (chosen.ways.length > 0 && (chosen.why === null || isOpen)) return this.#ofWay(chosen);
    return chosen.why === 'too many' && isOpen ? notExecuted(this.#reading, TOO_MANY_WAYS) : null;
  }

  #chosen(isOpen: boolean): ChosenRuns {
    const { launch, bounds } = this.#kernel;
    let chosen = chosenByLaunch.get(launch);
    if (chosen === undefined) {
      const run = (choices: Wanted): GridOutcome => this.#run({ last: NO_LAST, choices });
      const isUsable = (outcome: GridOutcome): boolean =>
        !isUndecided(outcome) &&
        hasOneOrder(outcome) &&
        holdsAll(outcome) &&
        (isOpen || !hasDoubt(outcome));
      chosen = chosenRuns({ run, isUsable, isOver: bounds.isOver });
      chosenByLaunch.set(launch, chosen);
    }
    return chosen;
  }

  #ofWay({ ways, areAll, why }: ChosenRuns): GridOutcome {
    const way = ways[this.#number] ?? ways[0]!;
    const outcome = this.#run({ last: NO_LAST, ...way });
    const { machine } = outcome.execution ?? {};
    const isAgain =
      machine !== undefined && textOf(machine.choices!.list) === textOf(way.run.choices);
    // All others are checked before.
    if (!isAgain || this.#number === ways.length)
      machine?.noteUndecided(this.#reading, why === 'too many' ? TOO_MANY_WAYS : OTHERS);
    return { ...outcome, orders: ways.length + (areAll ? 0 : 1) };
  }

  /** The run in one of the orders in which blocks may take their locks. */
  #inLockOrder(first: GridOutcome): GridOutcome {
    const stray = foundAddressOf(first);
    const orders = ordersOf(first);
    if (orders === null) return notExecuted(this.#reading, TOO_MANY_ORDERS);
    const order = orders[this.#number];
    const outcome = order === undefined || order === orders[0] ? first : this.#run(order);
    // The orders that were executed are checked before.
    if (stray !== null && this.#number === orders.length)
      outcome.execution?.machine.noteUndecided(stray, FOUND_ADDRESS);
    return { ...outcome, orders: orders.length + (stray === null ? 0 : 1) };
  }
}

const NO_LAST: LastDraws = new Map();

/** The most questions of one run whose answers are tried, in one order of the blocks each. */
const MAX_QUESTIONS = 6;
const UNKNOWN_DATA = 'unknown data decides what they do';

const FOUND_ADDRESS =
  'its address is what blocks find in words that others write, and may be others in other orders';

const OTHERS =
  'the order of the blocks decides what they do, and may do so in other ways than were executed';

const TOO_MANY_WAYS =
  'the order of the blocks decides what they do in more ways than are tried: give a launch of ' +
  'fewer blocks, or less work';

/** The runs of all that the order of blocks decides, by launch: they are made once. */
const chosenByLaunch = new WeakMap<Launch, ChosenRuns>();

const UNSTABLE = 'the values of a word that blocks poll are not the same from run to run';

const TOO_MANY_ORDERS =
  `blocks may take locks in more than ${MAX_ORDERS} orders: give a launch in which fewer blocks ` +
  'share a lock';
const NOT_EACH_ORDER = 'the blocks cannot take their locks in each order';

/** How often a wait fails in which a block meets: each round is beside those before and behind. */
const FAILING = 3;

/** What differs from run to run. */
interface Order extends Omit<GridRun, 'clusters' | 'plans' | 'sharedWords'> {
  /** Whether questions about what the launch leaves open are answered; else they stay open. */
  readonly isAnswered?: boolean;
  /** What another run showed. */
  readonly plans?: WordPlans;
}

/** The runs that all orders of the blocks are made of, the first one first. */
function ordersOf({ execution, plans }: GridOutcome): readonly Order[] | null {
  const { words, hasRounds } = execution!.machine;
  const locks = lockOrders(words!.histories.values());
  if (locks === null) return null;
  const failing = hasRounds ? { times: FAILING, keys: waitsOf(plans) } : undefined;
  const others = hasRounds && locks.length === 1 ? locks : locks.slice(1);
  const late: Order[] = mayMiss(plans) ? [{ last: NO_LAST, arePollsLate: true }] : [];
  return [
    { last: NO_LAST },
    ...late,
    ...others.map((each) => ({ last: NO_LAST, locks: each, failing, plans })),
  ];
}

/** Whether some poll may come too late for what it waits for, unless something orders it. */
function mayMiss({ words }: WordPlans): boolean {
  return [...words.values()].some(({ waits }) => {
    return [...waits.values()].some(({ after }) => after.length > 0);
  });
}

/** Whether neither locks nor waits of whole blocks ask for runs of their own. */
function hasOneOrder({ execution }: GridOutcome): boolean {
  const { words, hasRounds } = execution!.machine;
  return !hasRounds && lockOrders(words!.histories.values())?.length === 1;
}

/** Whether the words whose values are chosen hold all of them in the order of the run. */
function holdsAll({ execution, plans }: GridOutcome): boolean {
  const { words, choices } = execution!.machine;
  return [...choices!.words].every((address) => {
    const { initial, writes } = words!.histories.get(address)!;
    const held = new Set([initial, ...writes.map(({ value }) => value)]);
    return plans.words.get(address)?.values.every((value) => held.has(value)) ?? true;
  });
}

/** How many questions a run has answered. */
function questionsOf({ execution }: GridOutcome): number {
  return execution?.machine.decisions.list.length ?? 0;
}

/** Whether a run is decided, and the only one that its answers lead to. */
function isOfOneOrder(outcome: GridOutcome): boolean {
  if (isUndecided(outcome) || hasDoubt(outcome)) return false;
  return outcome.draws.length === 0 && ordersOf(outcome)?.length === 1;
}

/** The keys of accesses that wait for something. */
function waitsOf({ words }: WordPlans): ReadonlySet<string> {
  const keys = [...words.values()].flatMap(({ waits }) => [...waits]);
  return new Set(keys.flatMap(([key, { phase }]) => (phase !== null && phase >= 0 ? [key] : [])));
}

function isUndecided({ execution, reason }: GridOutcome): boolean {
  return reason !== null || execution!.machine.undecidedReasons.length > 0;
}

/** An access whose address the order of the blocks may decide; `null`: there is none. */
function foundAddressOf({ execution }: GridOutcome): number | null {
  const { program, unknownAddresses, words } = execution!.machine;
  const { code } = program;
  const used = usedBy(code);
  // What no warp writes is the same in each order.
  const findsOthers = (each: Instruction): boolean =>
    isAtomic(each) || unknownAddresses.has(each.index) || words!.findsWritten(each.index);
  return foundAddress(code, unknownAddresses, (each) => reads(each, used) && findsOthers(each));
}

/** Whether unknown data decides some accesses: what blocks draw may be that data. */
function hasDoubt(outcome: GridOutcome): boolean {
  if (foundAddressOf(outcome) !== null) return true;
  return outcome.execution!.warps.some(({ steps }) =>
    steps.some((step) => step.op === 'access' && step.isPossible === true),
  );
}

/** Runs again until a run shows what it was run with; `null` if that does not come. */
function settled(
  { module, launch, maps, bounds }: Case,
  program: Program,
  { clusters, sharedWords }: { readonly clusters: number; readonly sharedWords: Set<number> },
  { plans: known = NO_PLANS, isAnswered = false, ...order }: Order,
): GridOutcome | null {
  const { maxInstructions, isOver, answers } = bounds;
  const own = { maxInstructions, isOver, ...(isAnswered && answers ? { answers } : {}) };
  let plans = known;
  let draws: readonly Draws[] = [];
  for (let run = 0; run < MAX_RUNS; run++) {
    const shared = sharedWords.size > 0 ? { sharedWords } : {};
    const grid = { ...order, ...shared, clusters, plans };
    const execution = execute(module, program, launch, own, { maps, grid });
    const early = execution.warps.find(({ stack, turns }) => stack.depth > 0 && turns.isEarly);
    if (early !== undefined) execution.machine.noteUndecided(early.stack.counter, NOT_EACH_ORDER);
    const { size } = sharedWords;
    for (const word of execution.machine.waitedFor) sharedWords.add(word);
    if (sharedWords.size > size) continue;
    noteClusters(execution);
    const { undecidedReasons } = execution.machine;
    // The first run takes all draws as they come.
    if (run === 0) draws = drawsIn(execution.machine.words!);
    const hasChoices = order.choices !== undefined;
    const next = plansOf(execution, order.last, hasChoices);
    const isImpossible = hasChoices && early !== undefined;
    const outcome = { execution, reason: null, draws, orders: 1, isImpossible };
    if (undecidedReasons.length > 0) return { ...outcome, plans };
    const [failure] = next.failures;
    if (failure !== undefined) execution.machine.noteUndecided(failure.at, failure.text);
    // A run without plans takes what atomic accesses answer as it comes.
    const histories = [...execution.machine.words!.histories.values()];
    const isFirst = plans === NO_PLANS && histories.some(({ answers }) => answers.length > 0);
    const isSettled = !isFirst && next.isComplete && isSame(next, plans);
    if (failure !== undefined || isSettled) return { ...outcome, plans: next };
    plans = next;
  }
  return null;
}

/** The plans that a run asks for, with the polls at which it got stuck. */
function plansOf({ machine, warps }: Execution, last: LastDraws, areTurns: boolean): WordPlans {
  const { program } = machine;
  const words = machine.words!;
  for (const { stack, wait, number, cta } of warps) {
    if (stack.depth === 0 || wait.on?.op !== 'poll') continue;
    const { at } = wait.on;
    const word = addressOf(machine.places.pages, wait.on.word);
    const key = words.key(word, number, at);
    const isOfSystem = accessOf(program.code.instructions[at]!)?.scope === 'sys';
    const by = { warp: number, cta: cta.rank, at, lanes: stack.mask, isOfSystem };
    const poll = { key, ...by, after: -1, passes: new Map() };
    words.history(word).notePoll(poll);
  }
  return planWords(words.histories.values(), last, areTurns);
}

function isSame(one: WordPlans, other: WordPlans): boolean {
  const text = (plans: WordPlans): string =>
    JSON.stringify([...plans.words.values()], (_key, value: unknown) => {
      return value instanceof Map ? [...value] : value;
    });
  return text(one) === text(other);
}
