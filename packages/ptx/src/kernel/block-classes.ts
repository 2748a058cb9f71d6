// The classes of blocks of a launch: a kernel for one cluster of each, and for those that meet.
import type {
  BlockClasses,
  ExecutedBlocks,
  PlacedText,
  ReferenceAssumption,
} from '@poundlock/core/internal/program';
import type { BlockDecision } from '../steps/block-decision.ts';
import { ownTouch } from '../exec/footprints/groups.ts';
import type { ClassTouches } from '../exec/footprints/groups.ts';
import { ValuesNeeded } from '../exec/footprints/too-much.ts';
import { Classes, MANY_COMPUTATIONS, MAX_COMPUTATIONS, placeOf } from '../exec/origins/classes.ts';
import { branchesToOpen } from '../exec/origins/branches-to-open.ts';
import { volume } from '../launch/launch.ts';
import type { Launch } from '../launch/launch.ts';
import { positionOf } from '../places/place.ts';
import type { ExecutedRun } from '../steps/run.ts';
import { meetingsOf } from './block-meetings.ts';
import { blockOf, takesBlocks } from './executed-clusters.ts';
import type { ClassRun, KernelIn, RunsOf } from './executed-clusters.ts';

/** The most classes. */
const MAX_CLASSES = 64;
/** Where so many classes have no more than a share of all clusters, there are likely too many. */
const EARLY_CLASSES = 16;
const EARLY_SHARE = EARLY_CLASSES / MAX_CLASSES;
/** So often more branches are taken to stand for those of all blocks. */
const MAX_OPENINGS = 3;

/** The number of the cluster that a launch executes. */
function numberOf({ executed = [[0, 0, 0]] }: Launch, { across }: Classes): number {
  const [x, y, z] = executed[0]!;
  return x + across[0] * (y + across[1] * z);
}

/** All that runs of a cluster rest on. */
function allOf({ decided }: RunsOf): [BlockDecision[], boolean] {
  return [decided.flatMap(({ list }) => list), decided.every(({ isFull }) => !isFull)];
}

/** What is executed, and how. */
interface OfClasses {
  readonly kernelIn: KernelIn;
  readonly launch: Launch;
  readonly run: ExecutedRun;
  /** From now on, runs compute all values. */
  readonly computeAll: () => void;
}

type Others = Generator<ExecutedBlocks, PlacedText | null, boolean>;

/** Executes a cluster of each class, and those that meet. */
class ClassRuns {
  readonly #of: OfClasses;
  readonly assumptions: ReferenceAssumption[] = [];
  classes: Classes;
  #isOver = (): boolean => false;
  #all: ClassTouches[] = [];
  /** Branches that stand for those of all blocks. */
  #opened: ReadonlySet<number> = new Set();
  /** What decides in the run that was added last. */
  #decisions: readonly BlockDecision[] = [];
  /** Whether it was tried already to do with fewer classes, and whether it is now. */
  #isTried = false;
  #isEarlyOne = false;

  constructor(of: OfClasses) {
    this.#of = of;
    this.classes = this.#classesWith(MANY_COMPUTATIONS);
  }

  #classesWith(most: number): Classes {
    return new Classes(this.#of.launch, () => this.#isOver(), most);
  }

  /** All others than the first one, of which all runs are known. */
  *others(first: RunsOf, isOver: () => boolean): Others {
    this.#isOver = isOver;
    const { launch } = this.#of;
    this.#add(numberOf(launch, this.classes), first);
    try {
      let why = yield* this.#beside();
      if (why === EARLY) why = yield* this.#early();
      return why === TOO_MANY ? yield* this.#inFewer() : why;
    } catch (error) {
      if (!(error instanceof ValuesNeeded)) throw error;
    }
    this.#of.computeAll();
    return yield* this.#again();
  }

  /** Where there will likely be too many classes: the same with fewer, or else with all of them. */
  *#early(): Others {
    this.#isEarlyOne = true;
    const why = yield* this.#inFewer();
    this.#isEarlyOne = false;
    if (why === null) return null;
    this.#opened = new Set();
    this.assumptions.length = 0;
    yield* this.#anew();
    return yield* this.#beside();
  }

  /** Whether there will likely be too many classes. */
  #isEarly({ sizes }: Classes): boolean {
    if (this.#isTried || this.#opened.size > 0 || sizes.length < EARLY_CLASSES) return false;
    this.#isTried = true;
    const covered = sizes.reduce((sum, size) => sum + size, 0);
    return covered < EARLY_SHARE * volume(this.classes.across);
  }

  /** Compares them anew, each value for itself. */
  *#again(): Others {
    this.#opened = new Set();
    yield* this.#anew();
    const why = yield* this.#beside();
    return why === TOO_MANY ? whyOpen(this.classes, this.#of) : why;
  }

  /** Where there are too many classes: branches that part them stand for those of all blocks. */
  *#inFewer(): Others {
    const why = whyOpen(this.classes, this.#of) ?? EARLY;
    const { isTooMuch } = this.classes;
    for (let count = 0; count < MAX_OPENINGS; count++) {
      const found = branchesToOpen(this.#decisions, this.classes.across, (at) =>
        this.#isBranch(at),
      );
      const { size } = this.#opened;
      this.#opened = new Set([...this.#opened, ...found]);
      if (this.#opened.size === size) break;
      const isCertified = yield* this.#anew();
      const left = isCertified ? yield* this.#beside() : NOT_EACH;
      if (left === null) return null;
      if (left !== TOO_MANY) break;
    }
    return isTooMuch ? yield* this.#again() : why;
  }

  #isBranch(at: number): boolean {
    const effect = this.#of.run.effectOf(at);
    return effect?.kind === 'control' && effect.op === 'branch';
  }

  /** Executes the first cluster of classes that begin anew; whether it is certified. */
  *#anew(): Generator<ExecutedBlocks, boolean, boolean> {
    this.classes = this.#classesWith(MAX_COMPUTATIONS);
    this.#all = [];
    return yield* this.#execute(numberOf(this.#of.launch, this.classes), true);
  }

  *#execute(cluster: number, isFirst: boolean): Generator<ExecutedBlocks, boolean, boolean> {
    const { kernelIn, launch } = this.#of;
    const opened = this.#opened;
    const places = [placeOf(cluster, this.classes.across)];
    const own: ClassRun = { places, decided: [], touched: [], opened };
    const block = blockOf(cluster, this.classes, launch);
    const isOpened = opened.size > 0;
    const isStrict = this.#isEarlyOne;
    const kernel = kernelIn(own);
    const isCertified = yield { kind: 'class', block, kernel, isFirst, isOpened, isStrict };
    this.#add(cluster, own);
    return isCertified;
  }

  #add(cluster: number, runs: RunsOf): void {
    const [decisions, isComplete] = allOf(runs);
    this.#decisions = decisions;
    // What a cluster is handed out beside its own blocks is not for others.
    const isHanded = this.#all.length === 0 && takesBlocks(this.#of.run);
    const own = ownTouch(runs.touched);
    this.classes.add(cluster, decisions, isComplete && !isHanded && own === undefined);
    if (own !== undefined) this.classes.parting = { at: own.at, cluster };
    this.#all.push({ number: this.#all.length + 1, cluster, runs: runs.touched });
  }

  /** Those that the runs so far do not cover, and all that meet. */
  *#beside(): Others {
    const { classes } = this;
    const isOpened = this.#opened.size > 0;
    for (let next = classes.next; next >= 0; next = classes.next) {
      if (this.#isOver()) return { text: 'the time limit was reached' };
      if (whyOpen(classes, this.#of) !== null) return TOO_MANY;
      if (this.#isEarly(classes)) return EARLY;
      const isCertified = yield* this.#execute(next, false);
      if (isOpened && !isCertified) return NOT_EACH;
    }
    const assume = (assumption: ReferenceAssumption): void =>
      void this.assumptions.push(assumption);
    const beside = { classes, all: this.#all, isOver: this.#isOver, assume };
    const meetings = meetingsOf({ ...this.#of, ...beside });
    if (!isOpened) return yield* meetings;
    // What may happen in one block need not do so in another one that is executed for it.
    const first = meetings.next(false);
    return first.done === true ? first.value : NOT_EACH;
  }
}

/** The classes of the clusters of a launch; `first` grows while the first one is checked. */
export function classesOf(of: OfClasses, first: RunsOf): BlockClasses {
  const runs = new ClassRuns(of);
  const { launch } = of;
  return {
    total: volume(launch.grid),
    clusterSize: volume(launch.cluster),
    others: (isOver) => runs.others(first, isOver),
    assumptions: runs.assumptions,
    ranges: () => runs.classes.sizes.map((_size, index) => runs.classes.rangesOf(index)),
  };
}

/** Why the other clusters are in no class. */
function whyOpen(classes: Classes, { launch, run }: OfClasses): PlacedText | null {
  const what = volume(launch.cluster) === 1 ? 'blocks' : 'clusters';
  const many = `the ${what} of the grid are too many to compare`;
  if (classes.isTooMuch) return placedAt(run, classes, many);
  if (classes.sizes.length < MAX_CLASSES) return null;
  const text = `${what} differ here: ${MAX_CLASSES} were executed, others may do something else`;
  return placedAt(run, classes, text);
}

/** That there are too many classes. */
const TOO_MANY: PlacedText = { text: 'blocks are in too many classes' };
const EARLY: PlacedText = { text: 'blocks may be in too many classes' };
const NOT_EACH: PlacedText = { text: 'not all that blocks may do is certified' };

function placedAt(run: ExecutedRun, { parting }: Classes, text: string): PlacedText {
  if (parting === null || parting.at < 0) return { text };
  return { text, position: positionOf(run.places(parting.at)) };
}
