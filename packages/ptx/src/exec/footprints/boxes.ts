// Boxes of tensors that copies read and write: which of them overlap. Only boxes of one tensor map
// are compared: each map has memory of its own.
import type { Launch } from '../../launch/launch.ts';
import type { BoxTouch } from '../../steps/touches.ts';

/** A box at a known place, and who touches it. */
export interface PlacedBox {
  readonly touch: BoxTouch;
  readonly map: string;
  readonly corner: readonly number[];
  /** Boxes of one do not meet. */
  readonly by: number;
}

/** Two boxes that meet. */
export type BoxPair = readonly [PlacedBox, PlacedBox];

/** The key of a box: equal ones are one box. */
export function boxKey({ map, corner }: Pick<PlacedBox, 'map' | 'corner'>): string {
  return `${map} ${corner.join()}`;
}

function mayNotMeet({ effect: one }: BoxTouch, { effect: other }: BoxTouch): boolean {
  const areOrdered = one.kind !== 'plain' && other.kind !== 'plain';
  return (one.isWrite || other.isWrite) && !areOrdered;
}

/** The cells that a box of given lengths has parts in, where cells are as long as boxes. */
function cellsOf({ map, corner }: PlacedBox, lengths: readonly number[]): string[] {
  let cells: string[] = [map];
  for (const [dimension, at] of corner.entries()) {
    const length = lengths[dimension] ?? 1;
    const first = Math.floor(at / length);
    const own = at % length === 0 ? [first] : [first, first + 1];
    cells = cells.flatMap((cell) => own.map((each) => `${cell} ${each}`));
  }
  return cells;
}

function overlap(one: PlacedBox, other: PlacedBox, lengths: readonly number[]): boolean {
  return one.corner.every(
    (at, dimension) => Math.abs(at - other.corner[dimension]!) < (lengths[dimension] ?? 1),
  );
}

/** Pairs of boxes that meet; of a map whose lengths are not given, those at one place. */
export function* meetingBoxes(
  boxes: readonly PlacedBox[],
  { tensorMaps }: Pick<Launch, 'tensorMaps'>,
  count: () => void,
): Generator<BoxPair> {
  const written = new Set(boxes.flatMap(({ touch, map }) => (touch.effect.isWrite ? [map] : [])));
  const byCell = new Map<string, PlacedBox[]>();
  for (const box of boxes) {
    if (!written.has(box.map)) continue;
    const lengths = tensorMaps.get(box.map)?.box ?? [];
    const seen = new Set<PlacedBox>();
    for (const cell of cellsOf(box, lengths)) {
      const others = byCell.get(cell) ?? [];
      byCell.set(cell, others);
      for (const other of others) {
        count();
        if (other.by === box.by || seen.has(other) || !mayNotMeet(other.touch, box.touch)) continue;
        seen.add(other);
        if (overlap(other, box, lengths)) yield [other, box];
      }
      others.push(box);
    }
  }
}

/** Virtual bytes of boxes that meet: those of two boxes have some in common. */
export class ComparedBoxes {
  readonly #bytes = new Map<string, number[]>();
  #next = 0;

  constructor(pairs: Iterable<BoxPair>) {
    for (const pair of pairs) {
      const keys = new Set(pair.map(boxKey));
      const byte = this.#next++;
      for (const key of keys) this.#bytes.set(key, [...(this.#bytes.get(key) ?? []), byte]);
    }
  }

  get isEmpty(): boolean {
    return this.#next === 0;
  }

  /** The bytes that stand for a box; none where it meets no other one. */
  of(map: string, corner: readonly number[]): readonly number[] {
    return this.#bytes.get(boxKey({ map, corner })) ?? [];
  }
}
