// The catalogue of assumptions: what a verdict may rest on beyond what was proved, and of which
// class each is. A verdict that rests on what is not proved is inconclusive until it is accepted.
import { formatPosition, findName, InputError, nearest, type Position } from '../base/index.ts';

/**
 * `practice`: hardware does so, and working kernels rely on it, although the PTX ISA does not
 * promise it. `about`: it is part of what was asked. `discharge`: the text of the program proves
 * it, or nothing does. `unproved`: it is taken for granted.
 */
export type AssumptionClass = 'practice' | 'about' | 'discharge' | 'unproved';

interface AssumptionRow {
  readonly class: AssumptionClass;
  /** A clause in lower case without a period. */
  readonly title: string;
  /** Why it is needed, and what proves it or makes it needless. */
  readonly page: string;
}

function row(kind: AssumptionClass, title: string, page: string): AssumptionRow {
  return { class: kind, title, page };
}

const IN_ISA = '`--memory isa` reports where a kernel relies on it.';
const ISA_SAME = 'It is not counted, and `--memory isa` lets it pass, too.';

/** Every assumption, by its name. */
const ASSUMPTION_CATALOGUE = {
  H1: row(
    'practice',
    'a read of a thread is over before the asynchronous write that follows its release',
    'A thread reads a stage and gives it back; a copy overwrites it without a proxy fence ' +
      'between. ' +
      `The main loops of CUTLASS, DeepGEMM and Triton do so. ${IN_ISA}`,
  ),
  H2: row(
    'practice',
    'an arrival of CTA scope gives memory back to another CTA',
    'A remote arrival that only says that memory is free has a scope that is too narrow for the ' +
      `ISA, as in ClusterBarrier of CUTLASS. ${IN_ISA}`,
  ),
  H3: row(
    'practice',
    'tensor memory is ordered by barriers without the fences of tcgen05',
    'The ISA wants tcgen05.fence at both sides of the barrier; the C++ of CUTLASS has none. ' +
      `${IN_ISA}`,
  ),
  H4: row(
    'practice',
    'a thread knows of the wgmma groups of its whole warpgroup after its own wait',
    `One thread releases a stage after the wait that all threads of its warpgroup make. ${IN_ISA}`,
  ),
  H5: row(
    'practice',
    'a barrier that a join has published can be used by a copy without a proxy fence',
    `The ISA promises it from PTX 9.3 on; CUTLASS and Triton rely on it before. ${ISA_SAME}`,
  ),
  H6: row(
    'practice',
    'what cp.async wrote is read asynchronously without a proxy fence',
    `The kernels of CUTLASS for sm_100 rely on it. ${IN_ISA}`,
  ),
  H7: row(
    'practice',
    'a CTA ends while its own copies still read its shared memory',
    'The hardware keeps the shared memory of a CTA until its own copies end, as measured on two ' +
      `GPUs. ${IN_ISA}`,
  ),
  H8: row(
    'practice',
    'data of a multicast copy is waited for at CTA scope',
    `The CTA that waits need not be the one that issued the copy. ${ISA_SAME}`,
  ),
  H9: row(
    'practice',
    'exchanges between lanes, and what a warp executes as one, join its lanes',
    'shfl, vote, match, redux and elect order the accesses of the lanes that take part, and ' +
      'lanes ' +
      `that only wait keep up with those that act after the same wait. ${ISA_SAME}`,
  ),
  H10: row(
    'practice',
    'threads overwrite the source of a store after a wait for its reads and a join',
    'One thread waits for the reads of a bulk store, and others write behind a barrier. ' +
      `${ISA_SAME}`,
  ),
  H11: row(
    'practice',
    'a relaxed arrival at the cluster barrier publishes barriers behind fence.mbarrier_init',
    `Work may lie between the arrival and its wait. ${ISA_SAME}`,
  ),
  H12: row(
    'practice',
    'warps that follow another one through mbarriers follow its wait for the grid before',
    `One warp executes griddepcontrol.wait for all. ${ISA_SAME}`,
  ),
  H13: row(
    'practice',
    'a fence that orders nothing is harmless',
    `Fences that no access needs are no finding. ${ISA_SAME}`,
  ),
  H14: row(
    'practice',
    'one thread acquires a tensor map for the others of its CTA, which use it after a barrier',
    `Triton does so with descriptors that a kernel makes. ${IN_ISA}`,
  ),
  H15: row(
    'practice',
    'what all threads of a block fence at a barrier, one of them signals or awaits for all',
    'The code is __threadfence(), __syncthreads() and a relaxed access of one thread. The ISA ' +
      `promises it for the fences of that thread alone. ${IN_ISA}`,
  ),
  H16: row(
    'practice',
    'the block with the last ticket reads what the others wrote without a fence behind its ticket',
    'The last block has not read these words before, so that no cache has an old value. In ' +
      '`--memory isa` nothing is proved then.',
  ),
  H17: row(
    'practice',
    'the bytes of an mbarrier that nothing uses any more are used again without mbarrier.inval',
    'Data is written over it, or its thread initializes it again before any use, where the last ' +
      'initialization counts, or lanes of a warp initialize it at once, alike. ' +
      IN_ISA,
  ),
  H18: row(
    'practice',
    'a CTA ends while its own copies still write its shared memory',
    'The hardware keeps the shared memory of a CTA until its own copies end, as measured on two ' +
      `GPUs. ${IN_ISA}`,
  ),
  H19: row(
    'practice',
    'what a warp wrote before it exited is visible behind the barrier that its exit released',
    'The ISA says that an exit releases barriers of all threads, and not what is visible behind ' +
      'them. In `--memory isa` nothing is proved then.',
  ),
  H20: row(
    'practice',
    'a member mask names threads that the block does not have',
    `The last warp of a block that is not full uses full masks, as CUB does. ${IN_ISA}`,
  ),
  H21: row(
    'practice',
    'ptxas adds the wgmma.fence that registers of wgmma.mma_async need',
    `The ISA asks for the fence in the text; ptxas adds it and says so (C7519). ${IN_ISA}`,
  ),
  H22: row(
    'practice',
    'warps of a warpgroup change their registers again without a join in between',
    'The ISA asks all warps of a warpgroup to synchronize between two setmaxnreg. Each warp ' +
      'gives and takes its own registers, whatever the others do. In `--memory isa` nothing is ' +
      'proved then.',
  ),
  H23: row(
    'practice',
    'lanes that have ended count as arrived at an aligned barrier of their warp',
    'The ISA asks all threads of a warp to execute it. GPUs since 7.0 go on without those that ' +
      'have returned before, or past a branch around the barrier. In `--memory isa` nothing is ' +
      'proved then.',
  ),
  H24: row(
    'practice',
    'what a retry loop expects at first is read while others change it',
    'A compare-and-swap fails where the value is an old one, and the loop goes on with what it ' +
      'found. The ISA takes a weak read for a race. In `--memory isa` nothing is proved then.',
  ),
  H25: row(
    'practice',
    'what lanes of a warp read of a clock, or of the machine, by one instruction is one value',
    'A branch on a clock, or on the warp or the multiprocessor that the machine chose, takes all ' +
      'lanes one way. The ISA promises each thread a value of its own. In `--memory isa` nothing ' +
      'is proved then.',
  ),
  'initial-word': row(
    'about',
    'a word of global memory holds before each launch what it holds before this one',
    'The kernel leaves another value than it found. The launch file, or the declaration of the ' +
      'variable, says what it holds at first; a second launch needs the same.',
  ),
  'cooperative-grid': row(
    'about',
    'all blocks of a cooperative launch run at the same time',
    'The launch file says that the launch is cooperative, which promises it.',
  ),
  'fitting-grid': row(
    'about',
    'all blocks of the grid have room on the device at the same time',
    'There are no more blocks than the smallest device of the target has multiprocessors, or ' +
      'than the launch file says: "multiprocessors". Kernels that run beside it end.',
  ),
  'written-by': row(
    'about',
    'the kernel before this one writes what the launch file says, and nothing else',
    'It is what this kernel may touch behind griddepcontrol.wait alone: "writtenBy".',
  ),
  layout: row(
    'about',
    'a variable of shared memory has the alignment that this layout gives it',
    'The text declares less than an instruction needs. Declare the variable with this alignment.',
  ),
  'separate-buffers': row(
    'about',
    'memory of different parameters, tensor maps and textures does not overlap',
    'The launch gives each its own memory.',
  ),
  'ignored-setmaxnreg': row(
    'about',
    'setmaxnreg is ignored',
    'ptxas ignores it in a kernel that does not say how many registers its threads have.',
  ),
  'largest-size': row(
    'about',
    'a number is at most the largest one that its type or its proof admits',
    'The verdict line names the number up to which every value is proved.',
  ),
  'whole-log': row(
    'about',
    'a log has all operations, with the lanes of a warp joined between them',
    'A verdict about a log is about the operations in it.',
  ),
  'loop-state': row(
    'discharge',
    'a round of a loop depends on its state and the results of its operations alone',
    'Rounds with equal states are explored once. The text proves it: neither the body of the ' +
      'loop ' +
      'nor a function that it calls writes a variable from outside of it or changes an object ' +
      'that ' +
      'it captures. What is not understood counts as a write. Carry such values in the state ' +
      'of the ' +
      'loop: take them as the argument of the body, and return the next ones.',
  ),
  'try-results': row(
    'discharge',
    'the result of a try only decides whether a wait follows',
    'Sequences of results were compared, and not all of them. The text proves it: the result is ' +
      'only passed to a wait of the same handle, or used in one `if (!ready) yield* wait(…)` ' +
      'for the ' +
      'same barrier and phase. A kernel whose every sequence is compared needs no text.',
  ),
  'single-values': row(
    'discharge',
    'no role treats single values of a number in a way of their own',
    'Comparisons by ===, switch, or the key of a table are not observable. The text proves it: ' +
      'the parameter occurs only as the argument of count(), or where the library counts with ' +
      'it, as with the tiles of a TileScheduler. A text that compares the number contradicts ' +
      'it, and it cannot be accepted then.',
  ),
  poll: row(
    'discharge',
    'a try that fails many times in a row is repeated until it succeeds',
    'Fairness holds for a poll without a bound. The text proves it: a loop whose only way out is ' +
      'that the try succeeds.',
  ),
  'other-blocks': row(
    'unproved',
    'nothing goes wrong between blocks of the grid that are not executed together',
    'The blocks communicate, and there are more of them than are executed together. Give a ' +
      'launch of fewer blocks.',
  ),
  'resident-blocks': row(
    'unproved',
    'all blocks of the grid run at the same time',
    'A block waits for another one that might not have started. A cooperative launch promises ' +
      'it: ' +
      '"cooperative": true in the launch file.',
  ),
  boxes: row(
    'unproved',
    'boxes of tensor maps have the sizes that the expected bytes ask for',
    'The launch file leaves them out. Give "boxBytes" for each tensor map: sizes that are solved ' +
      'from the expected bytes hide every mistake about bytes.',
  ),
  period: row(
    'unproved',
    'what each warp does repeats beyond the sizes that were run',
    'It is seen at several sizes and not proved; a note names the instruction where the proof ' +
      'ends.',
  ),
  'no-trap': row(
    'unproved',
    'a wait that traps after some time, or after some tries, ends before',
    'What is ordered by a wait that traps is not looked at. Another trap that data decides needs ' +
      'no assumption: it ends all that runs, and what comes before it is checked without it.',
  ),
  'no-timeout': row(
    'unproved',
    'a wait that gives up after some time, or after some tries, ends before',
    'What happens after it gives up is not looked at. Without this assumption the wait may give ' +
      'up at any try, as it does where other threads are slow.',
  ),
  'address-data': row(
    'unproved',
    'an address that is data leads to where it is meant to lead',
    'It stays within its variable, or outside of shared memory. Give the data as "int32" of its ' +
      'pointer in the launch file.',
  ),
  'disjoint-data': row(
    'unproved',
    'accesses at addresses that are not known do not meet',
    'What blocks, threads or copies touch there is not compared. Give the data as "int32" of its ' +
      'pointer in the launch file.',
  ),
  'constant-data': row(
    'unproved',
    'a word of global memory that decides a branch does not change while the kernel runs',
    'The word was not given, so that both ways were taken, each by all who read it. Give the ' +
      'data as ' +
      '"int32" of its pointer in the launch file.',
  ),
  'tensormap-data': row(
    'unproved',
    'what data decides changes no tensor map in global memory',
    'The kernel changes tensor maps itself, and stores elsewhere at addresses that are data.',
  ),
  'earlier-grid': row(
    'unproved',
    'the kernel before this one touches nothing that this one touches before it waits for it',
    'Name what the kernel before writes with "writtenBy" in the launch file.',
  ),
  'active-mask': row(
    'unproved',
    'activemask returns the lanes that the run had',
    'Which lanes are active together is up to the hardware.',
  ),
  'older-state': row(
    'unproved',
    'a test of an mbarrier is for its current phase or the one before',
    'The state of an older phase, or its parity, may count as complete or not.',
  ),
  'word-order': row(
    'unproved',
    'two relaxed stores of one thread to different words become visible in their order',
    'The ISA promises no order. No counterexample was seen within one device; across devices, ' +
      'kernels hung. A release, or a fence between the two, makes it needless.',
  ),
  'incomplete-phase': row(
    'unproved',
    'an arrival with .noComplete does not end its phase',
    'In the run that was made it does not; another order of the arrivals may differ. A later ' +
      'arrival of its thread at the same phase proves it.',
  ),
  'seen-once': row(
    'unproved',
    'a launch that was logged once makes the same operations in every order',
    'A log has one run. Check the PTX with its launch instead.',
  ),
} as const satisfies Readonly<Record<string, AssumptionRow>>;

/** The name of an assumption, for `--accept` and `poundlock explain`. */
export type AssumptionName = keyof typeof ASSUMPTION_CATALOGUE;

/** Practices of the hardware that the PTX ISA does not promise. */
export type PracticeName = Extract<AssumptionName, `H${number}`>;

/** Something that a verdict rests on. */
export interface Assumption {
  /** What `--accept` calls it. */
  readonly name: AssumptionName;
  /** A sentence without a period. */
  readonly text: string;
  /** What it is about, where that is one place. */
  readonly place?: Position;
}

/** All names, in the order of the catalogue. */
export const ASSUMPTION_NAMES = Object.keys(ASSUMPTION_CATALOGUE) as readonly AssumptionName[];

/** The class, the title and the page of an assumption. */
export function assumptionRow(name: AssumptionName): AssumptionRow {
  return ASSUMPTION_CATALOGUE[name];
}

/** Whether a word is the name of an assumption. */
export function isAssumption(word: string): word is AssumptionName {
  return Object.hasOwn(ASSUMPTION_CATALOGUE, word);
}

/** Practices that the text of the PTX ISA lets pass as well: `isa` proves what rests on them. */
const IN_ISA_TOO: ReadonlySet<AssumptionName> = new Set(['H9']);

/** Whether nothing that rests on it is proved by the text of the PTX ISA. */
export function isAgainstIsa(name: AssumptionName): boolean {
  return assumptionRow(name).class === 'practice' && !IN_ISA_TOO.has(name);
}

/** Whether a verdict that rests on it is inconclusive, unless it is accepted by name. */
export function needsAccept(name: AssumptionName): boolean {
  const kind = assumptionRow(name).class;
  return kind === 'discharge' || kind === 'unproved';
}

/**
 * Words as names of assumptions, in lower or upper case.
 *
 * @throws InputError for one that is no name of an assumption.
 */
export function assumptionNames(words: readonly string[]): AssumptionName[] {
  return words.map((word) => {
    const name = findName(word, ASSUMPTION_NAMES);
    if (name !== undefined) return name;
    const guess = nearest(word, ASSUMPTION_NAMES);
    const help = guess === undefined ? '' : `did you mean ${guess}? `;
    throw new InputError(
      `there is no assumption ${word}: ${help}there are ${ASSUMPTION_NAMES.join(', ')}`,
    );
  });
}

/** Its sentence, with its place. */
export function assumptionText({ text, place }: Assumption): string {
  return place === undefined ? text : `${text} (${formatPosition(place)})`;
}

/** Assumptions without those that say the same. */
export function uniqueAssumptions(all: readonly Assumption[]): Assumption[] {
  return [...Map.groupBy(all, assumptionText).values()].map(([first]) => first!);
}
