// Global memory that several threads of one cluster touch, one of them to write: there its accesses
// are compared like those of shared memory.
import { volume } from '../../launch/launch.ts';
import type { Launch } from '../../launch/launch.ts';
import { ComparedBoxes, meetingBoxes } from './boxes.ts';
import type { PlacedBox } from './boxes.ts';
import { ByteSet } from './byte-set.ts';
import { isOrderedBetween } from './groups.ts';
import { meeting } from './meeting.ts';
import type { Span } from './meeting.ts';
import { TooMuchMemory } from './too-much.ts';
import { addressesOf, rangesOf } from './touches.ts';
import type { BoxTouch, NotedTouches, Touch } from '../../steps/touches.ts';

/** What is compared of global memory: bytes, and boxes of tensors. */
export interface Compared {
  readonly bytes: ByteSet;
  readonly boxes: ComparedBoxes;
}

/** The most pairs of boxes that are looked at. */
const MAX_PAIRS = 1_000_000;

/** The boxes that meet, of which each has a number of who touches it. */
function comparedBoxes(boxes: readonly PlacedBox[], launch: Launch): ComparedBoxes {
  let left = MAX_PAIRS;
  const count = (): void => {
    if (--left < 0) throw new TooMuchMemory();
  };
  return new ComparedBoxes(meetingBoxes(boxes, launch, count));
}

function placed(touch: BoxTouch, by: number): PlacedBox[] {
  const { map, corner } = touch;
  return map === null || corner === null ? [] : [{ touch, map, corner, by }];
}

/** What threads and copies of one cluster meet in. */
export function ownMeetings(touches: NotedTouches, launch: Launch): Compared {
  const boxes = touches.boxes.flatMap((touch, index) => placed(touch, index));
  return { bytes: ownBytes(touches, launch), boxes: comparedBoxes(boxes, launch) };
}

/** The bytes of all touches that meet those of another thread, or of a copy. */
function ownBytes({ dense: list }: NotedTouches, { cluster }: Launch): ByteSet {
  const isOneCta = volume(cluster) === 1;
  const written = new ByteSet(list.flatMap((touch) => (touch.isWrite ? rangesOf(touch) : [])));
  if (written.isEmpty) return written;
  const near = list.filter((touch) => touch.isWrite || isNear(touch, written));
  const found: Span[] = [];
  const spans = near.flatMap((touch, index) =>
    spansOf(
      touch,
      touch.isCopy === true ? -1 - index : touch.warp,
      touch.kind !== 'plain' && (isOneCta || touch.reach !== 'cta'),
    ),
  );
  addMet(found, spans);
  const byWarp = Map.groupBy(near, ({ warp }) => warp);
  for (const own of byWarp.values()) addMet(found, lanesThatMayMeet(own));
  return new ByteSet(found.flatMap(({ from, to }) => [from, to]));
}

/** What clusters meet in, or threads of one of them do. */
export function clusterMeetings(clusters: readonly NotedTouches[], launch: Launch): Compared {
  const spans = clusters.flatMap(({ dense }, by) =>
    dense.flatMap((touch) => spansOf(touch, by, isOrderedBetween(touch))),
  );
  const found: Span[] = [];
  addMet(found, spans);
  const own = clusters.flatMap((each) => [...ownBytes(each, launch).ranges]);
  const bytes = new ByteSet([...own, ...found.flatMap(({ from, to }) => [from, to])]);
  const boxes = clusters.flatMap((each, by) => each.boxes.flatMap((touch) => placed(touch, by)));
  return { bytes, boxes: comparedBoxes(boxes, launch) };
}

/** Whether several warps read words that may order what they do. */
export function sharesWords({ list }: NotedTouches): boolean {
  const words = list.filter(({ kind, isRead }) => kind !== 'plain' && isRead);
  const spans = words.flatMap((touch) =>
    spansOf(touch, touch.warp).map((span) => ({ ...span, isWrite: true, isOrdered: false })),
  );
  return meeting(spans).includes(1);
}

function isNear(touch: Touch, written: ByteSet): boolean {
  const ranges = rangesOf(touch);
  return ranges.some((from, index) => index % 2 === 0 && written.meets(from, ranges[index + 1]!));
}

function addMet(found: Span[], spans: readonly Span[]): void {
  const isMet = meeting(spans);
  for (const [index, span] of spans.entries()) if (isMet[index] === 1) found.push(span);
}

function spansOf(touch: Touch, by: number, isOrdered = touch.kind !== 'plain'): Span[] {
  const { isWrite } = touch;
  const ranges = rangesOf(touch);
  return ranges.flatMap((from, index) =>
    index % 2 === 0 ? [{ from, to: ranges[index + 1]!, by, isWrite, isOrdered }] : [],
  );
}

/** What the lanes of a warp touch, where the places of one instruction are not those of another. */
function lanesThatMayMeet(own: readonly Touch[]): Span[] {
  const threads = own.filter(({ isCopy }) => isCopy !== true);
  const shapes = [...Map.groupBy(threads, shapeOf).values()];
  const spans = shapes.flatMap((alike, by) => alike.flatMap((touch) => spansOf(touch, by)));
  const isMet = meeting(spans);
  const met = new Set(spans.flatMap(({ by }, index) => (isMet[index] === 1 ? [by] : [])));
  return shapes.flatMap((alike, index) => {
    const isOfOneLane = !met.has(index) && !overlapsItself(alike[0]!);
    return isOfOneLane ? [] : alike.flatMap(laneSpans);
  });
}

/** Touches with the same shape have each lane at the same place. */
function shapeOf({ base, stride, list, lanes, bytes }: Touch): string {
  return `${base} ${stride} ${lanes} ${bytes} ${list?.join() ?? ''}`;
}

/** Whether two lanes of a touch have a byte in common. */
function overlapsItself(touch: Touch): boolean {
  const { list, stride, bytes, lanes } = touch;
  if ((lanes & (lanes - 1)) === 0) return false;
  if (list === null) return Math.abs(stride) < bytes;
  const sorted = list.toSorted();
  return sorted.some((from, index) => index > 0 && from < sorted[index - 1]! + bytes);
}

/** The spans of each lane, by the lane. */
function laneSpans(touch: Touch): Span[] {
  const { lanes, bytes, isWrite, kind } = touch;
  const addresses = addressesOf(touch);
  const spans: Span[] = [];
  for (let rest = lanes, index = 0; rest !== 0; rest &= rest - 1, index++) {
    const from = addresses[index]!;
    const by = 31 - Math.clz32(rest & -rest);
    spans.push({ from, to: from + bytes, by, isWrite, isOrdered: kind !== 'plain' });
  }
  return spans;
}
