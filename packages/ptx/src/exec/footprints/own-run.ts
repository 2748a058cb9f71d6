// The cluster once more, where its threads meet in global memory: with the accesses that do.
import type { Launch } from '../../launch/launch.ts';
import type { PtxModule } from '../../text/module.ts';
import { clustersOf } from '../machine/cta.ts';
import { execute } from '../machine/execute.ts';
import type { Execution, RunBounds } from '../machine/execute.ts';
import type { Machine } from '../machine/machine.ts';
import type { Program } from '../warp/program.ts';
import { ComparedBoxes } from './boxes.ts';
import { ByteSet } from './byte-set.ts';
import { ownMeetings, sharesWords } from './own-meetings.ts';
import type { Compared } from './own-meetings.ts';
import { reportNonCoherent } from './non-coherent.ts';
import { TooMuchMemory } from './too-much.ts';
import type { BoxTouch } from '../../steps/touches.ts';
import { unknownPlaces } from './unknown-places.ts';

const APART = 'at an address that is data, threads touch nothing that others touch at the time';
const WITHIN = 'an address that data decides lies in the buffer that its pointer leads to';
const BOXES_APART =
  'boxes at different places of a tensor do not overlap: the launch does not give their lengths ' +
  '("box")';
const WORDS =
  'warps of a block that exchange words of global memory touch no other of it at the same time';

/** A kernel, as it is executed where global memory is compared. */
export interface OwnCase {
  readonly module: PtxModule;
  /** The program with accesses to global memory that others may observe. */
  readonly program: Program;
  readonly launch: Launch;
  readonly bounds: RunBounds;
  readonly maps: Iterable<string>;
}

/** The run in which what threads of the cluster touch in global memory is compared. */
export function withOwnMeetings(first: Execution, kernel: () => OwnCase): Execution {
  const { machine } = first;
  if (machine.undecidedReasons.length > 0) return first;
  const compared = comparedIn(machine);
  if (isNothing(compared)) return assumingApart(first);
  if (sharesWords(machine.touches!)) {
    machine.assume(
      machine.touches!.list.find(({ kind }) => kind !== 'plain')!.at,
      'disjoint-data',
      WORDS,
    );
    return assumingApart(first);
  }
  const { module, program, launch, bounds, maps } = kernel();
  return assumingApart(execute(module, program, launch, bounds, { maps, compared }));
}

/** Whether threads of a cluster meet in global memory. */
export function meetsInGlobal({ machine }: Execution): boolean {
  return !isNothing(comparedIn(machine));
}

function isNothing({ bytes, boxes }: Compared): boolean {
  return bytes.isEmpty && boxes.isEmpty;
}

/** What threads meet in, and what a run passed over may meet in. */
function comparedIn({ touches, program, launch }: Machine): Compared {
  const { meeting } = unknownPlaces([touches!], { program, launch });
  const passed = meeting.filter(({ isPassed }) => isPassed);
  try {
    const met = ownMeetings(touches!, launch);
    return passed.length === 0 ? met : { ...met, bytes: EVERYWHERE };
  } catch (error) {
    if (!(error instanceof TooMuchMemory)) throw error;
    return { bytes: EVERYWHERE, boxes: new ComparedBoxes([]) };
  }
}

const EVERYWHERE = new ByteSet([0, 2 ** 53]);

/** Says what is assumed of accesses at addresses that are not known. */
function assumingApart(run: Execution): Execution {
  const { machine } = run;
  const { touches, program, launch } = machine;
  const { meeting, separate } = unknownPlaces([touches!], { program, launch });
  for (const { at } of meeting) machine.assume(at, 'disjoint-data', APART);
  if (separate.length > 0) machine.assume(separate[0]!.at, 'separate-buffers', WITHIN);
  assumeBoxesApart(machine, touches!.boxes);
  reportNonCoherent(machine);
  return run;
}

/** Says what is assumed of boxes that are not compared, or of which the launch says too little. */
function assumeBoxesApart(machine: Machine, boxes: readonly BoxTouch[]): void {
  const { launch } = machine;
  const byMap = Map.groupBy(boxes, ({ map }) => map);
  const unknown = byMap.get(null) ?? [];
  for (const [map, own] of byMap) {
    const others = map === null ? boxes : [...own, ...unknown];
    if (!others.some(({ effect }) => effect.isWrite) || areOne(others, clustersOf(launch) > 1))
      continue;
    const open = own.find(({ corner }) => map === null || corner === null);
    if (open !== undefined) machine.assume(open.at, 'disjoint-data', APART);
    else if (launch.tensorMaps.get(map!)?.box === undefined)
      machine.assume(own[0]!.at, 'separate-buffers', BOXES_APART);
  }
}

/** Whether all boxes are one box, in all blocks. */
function areOne(boxes: readonly BoxTouch[], areMany: boolean): boolean {
  const [first] = boxes;
  const isOfBlock = areMany && boxes.some(({ origins }) => origins.some((each) => each !== null));
  const { corner } = first!;
  if (isOfBlock || corner === null) return false;
  return boxes.every((box) => box.corner?.join() === corner.join());
}
