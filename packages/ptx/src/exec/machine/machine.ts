// The machine of a reference run: shared memory, barriers and what the run has to report.
import type { AssumptionName } from '@poundlock/core/internal/finding';
import { volume, type Launch } from '../../launch/launch.ts';
import type { Assumption, PlacedNote, RunFault } from '../../steps/run.ts';
import { namer } from '../../steps/names.ts';
import type { GlobalPlaces, Pointer, SharedVariable } from '../../steps/names.ts';
import { roleName } from '../../text/names.ts';
import { GlobalPages, PAGE, isShared } from '../../steps/pages.ts';
import type { Step } from '../../steps/step.ts';
import type { Operand, PtxModule } from '../../text/module.ts';
import type { Program } from '../warp/program.ts';
import type { Round } from '../warp/round.ts';
import type { Warp } from '../warp/warp.ts';
import { pointersOf, variablesOf } from '../grid/pointers.ts';
import { sharedStoreOf } from '../grid/shared-words.ts';
import { GlobalWords } from '../grid/words.ts';
import { Choices, type Wanted } from '../grid/choices.ts';
import type { LastDraws } from '../grid/draws.ts';
import type { LockOrders } from '../grid/locks.ts';
import { NO_PLANS } from '../grid/word-plan.ts';
import type { WordPlans } from '../grid/word-plan.ts';
import type { BulkStores } from '../footprints/equal-bulk.ts';
import { Addresses } from './addresses.ts';
import { Barriers } from './barriers.ts';
import { GlobalMemory } from './global-memory.ts';
import { bothOf } from '../origins/causes.ts';
import type { Causes } from '../origins/causes.ts';
import type { Compared } from '../footprints/own-meetings.ts';
import { GlobalTouches } from '../footprints/touches.ts';
import { Decisions } from './decisions.ts';
import type { Answers } from '../../steps/decision.ts';
import { clusterText } from './cluster-barriers.ts';
import { BlockDecisions } from '../origins/block-decisions.ts';
import { clustersOf } from './cta.ts';
import { CopiedMaps } from './copied-maps.ts';
import { DeviceTensorMaps } from './device-tensor-maps.ts';
import { SharedMemory } from './shared-memory.ts';
import { StrongLoads } from './strong-loads.ts';
import { Placement } from './placement.ts';
import { Practices } from './practices.ts';
import { reachesNone, reportNone, reportOutside } from './shared-bounds.ts';
import { sharedVariables } from './symbols.ts';
import type { Layout } from './symbols.ts';
import { NamedBarriers } from './named-barriers.ts';
import { followerOf } from './observer.ts';
import type { Observer } from './observer.ts';
import type { UnsizedStore } from './solve-store-boxes.ts';
import { TensorColumns } from './tensor-columns.ts';

/** The most steps of one warp. */
export const MAX_STEPS = 4_000_000;

/** A kernel that needs something which the interpreter does not have. */
export class Unsupported extends Error {
  /** The instruction, or -1. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Addresses that no memory has: pages that stand for whole buffers. */
const EARLIER = 2 ** 52;
const NO_BOX = 'the launch does not give the box of the tensor map';
const DECLARED = 'variables that blocks add to hold what they are declared with before the launch';
const UNKNOWN_WRITE = 'what one of them writes there is not known';
const WAITS = 'it waits for global memory, which other blocks write';
const GIVE_CONTENTS = 'give what it holds at first, as "int32" of its pointer';

/** What is assumed of an address that is not known. */
export const WITHIN_VARIABLE = 'an address that depends on data stays within its variable';

type OfAddress = Pick<Assumption, 'isOfAddress'>;

/** Ends a run that stands for no launch any more. */
export class Undecided extends Error {}

/** A copy whose bytes the launch does not say. */
export interface UnsizedCopy {
  /** Boxes of the map that it moves. */
  readonly boxes: number;
  readonly at: number;
  readonly map: string;
  readonly destination: number;
  readonly barrier: number;
  /** Whether the map lies where a copy can read it; else the copy is a fault by itself. */
  readonly isReadable: boolean;
}

/** All blocks of a grid are executed together. */
export interface GridRun {
  readonly clusters: number;
  readonly plans: WordPlans;
  /** The draws that have to come last; of other words the run decides. */
  readonly last: LastDraws;
  /** By word: who takes the lock in turn; missing where the run decides. */
  readonly locks?: LockOrders | undefined;
  /** What the run has to choose; missing where nothing is chosen. */
  readonly choices?: Wanted | undefined;
  /** Words of shared memory that warps wait for, by their offsets in each block. */
  readonly sharedWords?: ReadonlySet<number> | undefined;
  /** Whether warps poll words only when no other warp goes on. */
  readonly arePollsLate?: boolean | undefined;
  /** How often waits fail in which a block meets, and the keys of these waits. */
  readonly failing?: { readonly times: number; readonly keys: ReadonlySet<string> } | undefined;
}

/** The first cluster by itself. */
const ONE_CLUSTER: GridRun = { clusters: 1, plans: NO_PLANS, last: new Map() };

/** How many clusters are executed, and what is noted of them for others. */
function executedIn(launch: Launch, grid: GridRun | null) {
  if (grid !== null) {
    const notes = { isOfClusters: false, blocks: null, touches: null };
    return { executed: grid.clusters, notes };
  }
  const executed = launch.executed?.length ?? 1;
  const isOfClusters = executed > 1;
  const blocks = !isOfClusters && clustersOf(launch) > 1 ? new BlockDecisions() : null;
  return { executed, notes: { isOfClusters, blocks, touches: new GlobalTouches() } };
}

/** What the warps of a cluster share. */
export class Machine {
  readonly program: Program;
  readonly launch: Launch;
  readonly layout: Layout;
  readonly placement: Placement;
  readonly memory: SharedMemory;
  readonly strongLoads: StrongLoads;
  readonly global: GlobalMemory;
  readonly barriers = new Barriers();
  named = new NamedBarriers();
  readonly ctas: number;
  /** CTAs of a cluster. */
  readonly clusterSize: number;
  /** Threads of a CTA. */
  readonly threads: number;
  /** 1 for each instruction that was executed. */
  readonly reached: Uint8Array;
  readonly unsizedCopies: UnsizedCopy[] = [];
  readonly unsizedStores: UnsizedStore[] = [];
  /** Tensor maps, also those that the kernel makes. */
  readonly tensorMaps: DeviceTensorMaps;
  readonly copiedMaps: CopiedMaps;
  readonly tensorColumns: TensorColumns;
  readonly addresses: Addresses;
  readonly practices = new Practices();
  /** Variables in shared memory. */
  readonly variables: readonly SharedVariable[];
  /** The name of a shared address; that of another CTA names its rank. */
  readonly nameOf: (address: number) => string;
  /** Global memory that blocks change, where all of them are executed; else `null`. */
  readonly words: GlobalWords | null;
  /** The places of global memory that warps touched. */
  readonly pages = new GlobalPages();
  readonly places: GlobalPlaces;
  /** The names of addresses. */
  readonly pointers: Pointer[] = [];
  /** Places that stand for the buffers that the kernel before writes. */
  readonly earlier: number[] = [];
  /** What an earlier run showed of the words that are polled. */
  readonly plans: WordPlans;
  /** The draws that have to wait for all others of their word. */
  readonly lastDraws: LastDraws;
  /** What the order of the blocks decides in this run; `null`: nothing may depend on it. */
  readonly choices: Choices | null;
  /** An instruction whose copies of global memory are not compared; `null`: there is none. */
  uncompared: number | null = null;
  /** Instructions that accessed global memory at an unknown address. */
  readonly unknownAddresses = new Set<number>();
  /** All warps. */
  warps: readonly Warp[] = [];
  /** Turns of warps so far. */
  turn = 0;
  /** The round of a block that is tried. */
  round: Round | null = null;
  /** Whether waits that could give up are taken not to. */
  endsWaits = false;
  /** Whether blocks meet in loops that wait for words. */
  hasRounds = false;
  /** What differs from run to run of a grid. */
  readonly order: GridRun;
  /** Words of shared memory that warps were found to wait for, by their offsets. */
  readonly waitedFor = new Set<number>();
  /** By word: who takes the lock, in this order. */
  readonly lockOrders: LockOrders;
  /** How many blocks cluster launch control has handed out. */
  handedOut = 0;
  /** Whether clusters that meet are executed together. */
  readonly isOfClusters: boolean;
  /** What bulk copies stored, to be compared: by the bytes in global memory. */
  readonly bulkStores: BulkStores = new Map();
  /** What rests on where the blocks lie; `null` where all blocks are executed. */
  readonly blocks: BlockDecisions | null;
  /** What is compared of global memory; `null`: nothing is. */
  readonly compared: Compared | null;
  /** What the warps touch in global memory; `null` where all blocks are executed. */
  readonly touches: GlobalTouches | null;
  /** Follows the run; `null`: nothing does. */
  readonly observer: Observer | null;
  /** Notifies it of an instruction. */
  readonly follow: ((warp: Warp, at: number, mask: number) => void) | null;
  /** The same for instructions that no lane executes, and for those of looks ahead. */
  readonly followAll: Machine['follow'];
  readonly #unknownRanges = new Map<number, readonly number[]>();
  readonly #assumptions = new Map<string, Assumption>();
  readonly #placed = new Map<string, Assumption>();
  readonly #undecided = new Map<string, PlacedNote>();
  readonly #faults = new Map<string, RunFault>();
  #atomics = 0;
  #fresh = 0;

  /** What unknown data decides in this run. */
  readonly decisions: Decisions;

  constructor(
    module: PtxModule,
    program: Program,
    layout: Layout,
    launch: Launch,
    answers: Answers | null,
    maps: Iterable<string>,
    grid: GridRun | null = null,
    observer: Observer | null = null,
    compared: Compared | null = null,
    varying: Iterable<number> = [],
  ) {
    this.decisions = new Decisions(program.code, answers);
    this.program = program;
    this.observer = observer;
    this.follow = followerOf(observer);
    this.followAll = observer?.isThorough === true ? this.follow : null;
    this.launch = launch;
    this.layout = layout;
    this.placement = new Placement(layout);
    this.addresses = new Addresses(launch, layout);
    this.clusterSize = volume(launch.cluster);
    this.threads = volume(launch.block);
    this.order = grid ?? ONE_CLUSTER;
    const { plans, last, locks, choices } = this.order;
    const { executed, notes } = executedIn(launch, grid);
    this.ctas = this.clusterSize * executed;
    this.isOfClusters = notes.isOfClusters;
    this.blocks = notes.blocks;
    this.compared = compared;
    this.touches = notes.touches;
    this.plans = plans;
    this.lastDraws = last;
    this.choices = choices === undefined ? null : new Choices(choices);
    this.lockOrders = locks ?? new Map();
    this.memory = new SharedMemory(this.ctas, layout.sharedBytes);
    this.strongLoads = new StrongLoads(this.memory, varying);
    this.tensorMaps = new DeviceTensorMaps(launch.tensorMaps, maps);
    this.global = new GlobalMemory(module, layout, launch);
    this.copiedMaps = new CopiedMaps(this.global, launch.tensorMaps.keys());
    this.words = grid === null ? null : this.#globalWords();
    // What happens to a word is followed from its beginning.
    for (const { address, bytes } of this.plans.words.values())
      if (!isShared(address)) this.words?.history(address, bytes);
    this.variables = sharedVariables(layout);
    const { pointers } = this;
    pointers.push(...pointersOf(program.code, launch), ...variablesOf(layout));
    for (const [index, { name }] of launch.earlier.entries()) {
      const address = EARLIER + index * PAGE;
      pointers.push({ name, address });
      this.earlier.push(this.pages.place(address)!);
    }
    this.places = { pages: this.pages.list, pointers };
    this.nameOf = namer(this.variables, this.ctas, this.places);
    this.reached = new Uint8Array(program.code.instructions.length);
    this.tensorColumns = new TensorColumns(this.ctas);
  }

  #globalWords(): GlobalWords {
    const { global } = this;
    return new GlobalWords(
      (low, high, bytes, out) => global.load(low, high, bytes, out),
      (low, high, bytes, out) => {
        const isDeclared = global.loadDeclared(low, high, bytes, out);
        if (isDeclared) this.assume(0, 'initial-word', DECLARED);
        return isDeclared;
      },
      sharedStoreOf(this),
    );
  }

  get assumptions(): readonly Assumption[] {
    return [...this.#assumptions.values(), ...this.#placed.values(), ...this.practices.assumptions];
  }

  get undecidedReasons(): readonly PlacedNote[] {
    return [...this.#undecided.values()];
  }

  get faults(): readonly RunFault[] {
    return [...this.#faults.values(), ...this.practices.faults.values()];
  }

  /** By instruction: what decides whether its accesses happen. */
  readonly doubts = new Map<number, Causes>();

  /** Something decides whether accesses of an instruction happen. */
  doubt(at: number, causes: Causes): void {
    const before = this.doubts.get(at);
    this.doubts.set(at, before === undefined ? causes : bothOf(before, causes));
  }

  /** The warp whose next wait passes although it never ends; what it does then proves nothing. */
  passing: Warp | null = null;

  /** Whether a wait of a warp passes although it never ends: from then on it knows no memory. */
  passes(warp: Warp): boolean {
    if (this.passing !== warp) return false;
    this.passing = null;
    warp.turns.passBlindly();
    return true;
  }

  /** Adds a step of a warp. */
  record(warp: Warp, step: Step): void {
    if (warp.steps.length >= MAX_STEPS)
      throw new Unsupported(
        `a warp does more than ${MAX_STEPS} operations: choose smaller sizes`,
        step.at,
      );
    if (reachesNone(step, this.ctas)) return reportNone(this, warp, step.at);
    warp.steps.push(this.memory.ranges.inWork(step));
  }

  /** A number that no other value has. */
  fresh(): number {
    return ++this.#fresh;
  }

  assume(at: number, name: AssumptionName, text: string, more: OfAddress = {}): void {
    this.#assumptions.set(`${at}:${text}`, { name, at, text, ...more });
  }

  /** Assumes where a variable lies, which nothing else rests on. */
  assumeLayout(at: number, text: string): void {
    this.#placed.set(text, { name: 'layout', at, text });
  }

  /** Says why the run stands for no launch from here on. */
  noteUndecided(at: number, text: string): void {
    this.#undecided.set(`${at}:${text}`, { at, text });
  }

  /** The run stands for no launch from here on, for a reason: it ends. */
  undecided(at: number, text: string): never {
    this.noteUndecided(at, text);
    throw new Undecided(text);
  }

  fault(rule: RunFault['rule'], at: number, text: string): void {
    const key = `${rule}:${at}:${text}`;
    if (!this.#faults.has(key)) this.#faults.set(key, { rule, at, text });
  }

  /**
   * A mistake that the kernel makes on every schedule if nothing but the launch led the warp there;
   * `rule` is what the PTX ISA asks for. One that rests on the order of accesses is a mistake of
   * every schedule where that order is proved.
   */
  misuse(
    kind: RunFault['rule'],
    at: number,
    text: string,
    rule: string,
    warp: Warp | null,
    more: Pick<NonNullable<RunFault['certain']>, 'isOrdered' | 'isOnEachWay'> = {},
  ): void {
    const found = this.certainty(warp, rule);
    if (found === undefined) {
      if (warp !== null && this.certainty(warp, rule, true) !== undefined)
        warp.mode.way?.misuses.push({ kind, at, text, rule, lanes: warp.mode.accessing });
      return this.fault(kind, at, text);
    }
    const certain = { ...found, ...more };
    this.#faults.set(`${kind}:${at}:${text}`, { rule: kind, at, text, certain });
  }

  /**
   * Who makes a mistake, if no data, guess or assumption has decided anything so far; `isOnWay`:
   * but for the branch whose way the warp is on.
   */
  certainty(warp: Warp | null, rule: string, isOnWay = false): RunFault['certain'] {
    if (this.launch.areBoxesSolved || this.#undecided.size > 0) return undefined;
    if (this.unsizedCopies.some(({ isReadable }) => isReadable)) return undefined;
    if (this.#assumptions.size > 0 || this.words !== null) return undefined;
    if (warp === null) return { role: null, rule };
    const { mode, ahead, apart } = warp;
    const isOpen = ahead.look !== null || mode.isLast || apart.isForced;
    if (isOpen || (mode.isUncertain && !isOnWay)) return undefined;
    return { role: roleName(this.ctas, warp.cta.rank, warp.index), rule };
  }

  /** Whether the run knows which values words may hold. */
  get isPlanned(): boolean {
    return this.plans !== NO_PLANS;
  }

  /** What a warp does depends on the order of the blocks: no list of operations stands for it. */
  decided(warp: Warp): never {
    return this.undecided(
      warp.stack.depth === 0 ? 0 : warp.stack.counter,
      'the order of the blocks decides what the warp does',
    );
  }

  /** A warp waits for a word that other blocks write, and what it holds is not known. */
  spins(at: number): never {
    const why = this.words?.isOfLaunch(at) === true ? UNKNOWN_WRITE : GIVE_CONTENTS;
    return this.undecided(at, this.words === null ? WAITS : `${WAITS}: ${why}`);
  }

  /** Reports bytes that belong to no CTA of the cluster. */
  checkBounds(warp: Warp, at: number, address: number, bytes: number): void {
    if (!this.memory.has(address, bytes)) reportOutside(this, warp, at, address, bytes);
  }

  /** A copy out of shared memory through a map without a box: how much it reads is not known. */
  unsizedStore(store: UnsizedStore): void {
    if (!store.isReadable) return;
    this.unsizedStores.push(store);
    const text = `${NO_BOX} ("boxBytes"), so what is read is not known`;
    this.#undecided.set(`${store.at}:${text}`, { at: store.at, text });
  }

  /** A try by a warp that has not waited for the phase before the one that it asks for. */
  assumeNext(at: number): void {
    this.assume(
      at,
      'older-state',
      'a try is made only when the phase before the one that it asks for is complete',
    );
  }

  /** Whether an unknown address is derived from a shared variable. */
  isDerivedFromShared(at: number, operand: Operand): boolean {
    if (this.#unknownRanges.has(at)) return true;
    const names = this.program.provenance.variablesOf(operand, at) ?? [];
    return [...names].some((name) => this.layout.symbols.get(name)?.space === 'shared');
  }

  /**
   * Where a shared access with an unknown address may lie: in the variables that the address is
   * derived from, as offsets `[from, to)` within a CTA.
   */
  rangesOf(at: number, operand: Operand): readonly number[] {
    const known = this.#unknownRanges.get(at);
    if (known !== undefined) return known;
    const names = this.program.provenance.variablesOf(operand, at);
    if (names === null) throw new Unsupported('a shared address is unknown data', at);
    const ranges = [...names].flatMap((name) => {
      const symbol = this.layout.symbols.get(name);
      return symbol?.space === 'shared' ? [symbol.offset, symbol.offset + symbol.size] : [];
    });
    if (ranges.length === 0) throw new Unsupported('a shared address is unknown data', at);
    this.#unknownRanges.set(at, ranges);
    return ranges;
  }

  /** The next answer of an atomic on a work counter; `undefined` if none is given. */
  atomicAnswer(): number | undefined {
    const { atomicAnswers } = this.launch;
    const answer = atomicAnswers[Math.min(this.#atomics, atomicAnswers.length - 1)];
    this.#atomics++;
    return answer;
  }

  /** Saves what was said of the run, and its named barriers, to return to. */
  save(): () => void {
    const named = this.named.copy();
    const notes: Map<string, unknown>[] = [this.#assumptions, this.#placed, this.#undecided];
    notes.push(this.#faults, this.practices.faults);
    const copies = notes.map((each) => [...each]);
    return () => {
      this.named = named.copy();
      for (const [index, note] of notes.entries()) {
        note.clear();
        for (const [key, value] of copies[index]!) note.set(key, value);
      }
    };
  }

  /** What the warps share beside memory, as a text that equal states have in common. */
  get text(): string {
    const barriers = [...this.barriers.all].map(([address, barrier]) => {
      const { expected, pending, bytes, phase, isLoose } = barrier;
      return [address, expected, pending, bytes, phase & 1, isLoose].join();
    });
    const parts = [barriers.toSorted(), this.named.text(), this.tensorMaps.text];
    const counts = [clusterText(this.warps), this.handedOut, this.#atomics];
    return [...parts, counts, this.tensorColumns.text, this.global.text].join('; ');
  }
}
