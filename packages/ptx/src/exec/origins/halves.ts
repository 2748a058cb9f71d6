// Boxes of clusters: their halves, and the places in them.
import type { Box, Place } from '../../values/origin.ts';

/** The clusters of a box. */
export function countOf({ from, to }: Box): number {
  return from.reduce((product, least, axis) => product * (to[axis]! - least + 1), 1);
}

/** Their places. */
export function* placesOf({ from, to }: Box): Generator<Place> {
  for (let z = from[2]; z <= to[2]; z++)
    for (let y = from[1]; y <= to[1]; y++) for (let x = from[0]; x <= to[0]; x++) yield [x, y, z];
}

/** The halves of a box along its longest side. */
export function halvesOf({ from, to }: Box): [Box, Box] {
  const lengths = from.map((least, axis) => to[axis]! - least);
  const axis = lengths.indexOf(Math.max(...lengths));
  const middle = from[axis]! + Math.floor(lengths[axis]! / 2);
  const at = (place: Place, value: number): Place =>
    place.map((each, index) => (index === axis ? value : each)) as unknown as Place;
  return [
    { from, to: at(to, middle) },
    { from: at(from, middle + 1), to },
  ];
}
