// Clusters of a grid that meet in global memory: a kernel for each two of them.
import type {
  BlockAccess,
  ExecutedBlocks,
  PlacedText,
  ReferenceAssumption,
} from '@poundlock/core/internal/program';
import { BlockFootprints } from '../exec/footprints/between.ts';
import type { BlockMeeting, Party } from '../exec/footprints/between.ts';
import type { ClassTouches } from '../exec/footprints/groups.ts';
import type { Buffer } from '../exec/footprints/misplaced.ts';
import { TooMuchMemory } from '../exec/footprints/too-much.ts';
import { placeOf } from '../exec/origins/classes.ts';
import type { Classes } from '../exec/origins/classes.ts';
import type { Launch } from '../launch/launch.ts';
import { positionOf } from '../places/place.ts';
import { globalName } from '../steps/names.ts';
import type { ExecutedRun } from '../steps/run.ts';
import { takesBlocks, blockOf, reaches } from './executed-clusters.ts';
import type { KernelIn } from './executed-clusters.ts';

/** The most meetings that are looked at. */
const MAX_MEETINGS = 32;

/** A launch whose blocks are all in classes. */
interface Classified {
  readonly kernelIn: KernelIn;
  readonly launch: Launch;
  readonly run: ExecutedRun;
  readonly classes: Classes;
  readonly all: readonly ClassTouches[];
  readonly isOver: () => boolean;
  /** Notes what the comparison rests on. */
  readonly assume: (assumption: ReferenceAssumption) => void;
}

/** The clusters that meet; why not all are compared is returned. */
export function* meetingsOf(
  classified: Classified,
): Generator<ExecutedBlocks, PlacedText | null, boolean> {
  const { classes, all, run, launch, isOver } = classified;
  if (run.touches === null || classes.sizes.reduce((sum, size) => sum + size, 0) < 2) return null;
  try {
    const handedOut = handedOutBy(run, launch, classes);
    const classOf = (each: number): number => (handedOut.has(each) ? 0 : classes.classOf(each));
    const by = { isLate: isOver, pointersOf: run.pointersOf };
    const footprints = new BlockFootprints(launch, classes.across, all, classOf, by);
    for (const { cluster, isOfOne } of footprints.misplaced((address) =>
      bufferAt(classified, address),
    )) {
      yield { kind: 'member', ...alone(classified, cluster), isWarning: isOfOne };
    }
    let count = 0;
    for (const meeting of footprints.meetings()) {
      if (++count > MAX_MEETINGS) return openAt(run, meeting);
      const isCertified = yield together(classified, meeting);
      if (isCertified) footprints.storesSame(meeting);
    }
    for (const cluster of footprints.membersThatMeet()) {
      if (++count > MAX_MEETINGS) return { text: MEMBERS };
      yield { kind: 'member', ...alone(classified, cluster), isWarning: false };
    }
    const { separateAt } = footprints;
    if (separateAt !== null)
      classified.assume({
        name: 'separate-buffers',
        text: WITHIN,
        position: positionOf(run.places(separateAt)),
      });
    return openBetween(classified);
  } catch (error) {
    if (!(error instanceof TooMuchMemory)) throw error;
    if (isOver()) return { text: 'the time limit was reached' };
    const text = 'what blocks touch of global memory is too much to be compared';
    return { text, isOfSize: true };
  }
}

const MEMBERS = 'threads of one block meet in global memory, and not all such blocks were executed';

const WITHIN = 'what is too much to be computed lies in the buffer that its pointer leads to';

const UNKNOWN =
  'what blocks touch here, at an address that data decides, others may touch, too: a launch that ' +
  'gives the data, as "int32" of its pointer, is decided';

/** An address that is not known, where blocks of different classes may meet. */
function openBetween({ run, all }: Classified): PlacedText | null {
  // The runs of one class say so themselves.
  const known = new Set(all.flatMap(({ runs }) => runs.flatMap((own) => run.unknownAmong([own]))));
  const open = run.unknownAmong(all.flatMap(({ runs }) => runs)).find((at) => !known.has(at));
  return open === undefined ? null : { text: UNKNOWN, position: positionOf(run.places(open)) };
}

/** A cluster that is executed by itself. */
function alone({ kernelIn, classes, launch }: Classified, cluster: number) {
  const own = { places: [placeOf(cluster, classes.across)], decided: [], touched: [] };
  return { block: blockOf(cluster, classes, launch), kernel: kernelIn(own) };
}

const WINDOW = 2 ** 32;

/** The bytes of the buffer or the variable that an address lies in; `null`: they are not known. */
function bufferAt({ launch: { bounds }, run }: Classified, address: number): Buffer {
  for (const { address: from, bytes = 0 } of run.global.pointers)
    if (from <= address && address < from + bytes) return [from, from + bytes, true];
  const window = Math.floor(address / WINDOW);
  const buffer = bounds.get(window);
  return buffer === undefined ? null : [window * WINDOW, window * WINDOW + buffer.bytes, false];
}

/** The clusters that the first one is handed out, which then do not run. */
function handedOutBy(run: ExecutedRun, launch: Launch, classes: Classes): ReadonlySet<number> {
  if (!takesBlocks(run)) return new Set();
  const { clusterLaunchControl, cluster } = launch;
  const [width] = classes.across;
  return new Set(clusterLaunchControl.map((block) => Math.floor(block / cluster[0]) % width));
}

/** Clusters with a barrier of their own would all meet at one barrier. */
function hasClusterBarrier(run: ExecutedRun): boolean {
  return reaches(run, (effect) => effect.kind === 'barrier' && effect.of === 'cluster');
}

function openAt(run: ExecutedRun, { one }: BlockMeeting): PlacedText {
  const text = 'blocks store into the same bytes here, and not all pairs of them were executed';
  return { text, position: positionOf(run.places(one.at)) };
}

/** Two clusters that meet, as one kernel. */
function together(classified: Classified, meeting: BlockMeeting): ExecutedBlocks {
  const { kernelIn, launch, run, classes } = classified;
  const { one, other, where } = meeting;
  const clusters = [one.cluster, other.cluster].toSorted((first, second) => first - second);
  const places = clusters.map((each) => placeOf(each, classes.across));
  const accessOf = ({ at, isWrite, cluster }: Party): BlockAccess => ({
    text: isWrite ? 'writes' : 'reads',
    position: positionOf(run.places(at)),
    block: blockOf(cluster, classes, launch),
    isWrite,
  });
  const isNumber = typeof where === 'number';
  return {
    kind: 'meeting',
    accesses: [accessOf(one), accessOf(other)],
    name: isNumber ? globalName(run.global.pointers, where) : `a box of the tensor at ${where}`,
    isCertain: !one.isPossible && !other.isPossible,
    kernel: hasClusterBarrier(run) ? null : kernelIn({ places, decided: [], touched: [] }),
  };
}
