// How far addresses are in each cluster of a grid from where they are in the first one.
import type { Dimensions } from '../../launch/launch.ts';
import type { Origin, Place } from '../../values/origin.ts';
import type { Moves } from '../../values/reach.ts';
import type { Wide } from '../../values/wide.ts';
import { unsignedBig } from '../../values/wide.ts';
import type { Work } from '../origins/work.ts';
import { Evaluator } from '../origins/evaluate.ts';

const out: Wide = { low: 0, high: 0 };

/** The shifts of all clusters, by how addresses move. */
export class Shifts {
  readonly #places: readonly Place[];
  readonly #work: Work;
  readonly #found = new Map<string, Float64Array>();
  readonly #names = new Map<object, number>();

  constructor(places: readonly Place[], work: Work) {
    this.#places = places;
    this.#work = work;
  }

  /** A name of moves that equal ones have in common. */
  nameOf(moves: Moves): string {
    const parts = [...moves].map(([mover, by]) => {
      if (typeof mover === 'number') return `${'xyz'[mover]!}:${by}`;
      let name = this.#names.get(mover);
      if (name === undefined) this.#names.set(mover, (name = this.#names.size));
      return `${name}:${by}`;
    });
    return parts.toSorted().join(' ');
  }

  /** By cluster: how far addresses with these moves are from 0. */
  of(moves: Moves): Float64Array {
    const name = this.nameOf(moves);
    let shifts = this.#found.get(name);
    if (shifts === undefined) this.#found.set(name, (shifts = this.#shiftsOf(moves)));
    return shifts;
  }

  #shiftsOf(moves: Moves): Float64Array {
    const shifts = new Float64Array(this.#places.length);
    const origins: Origin[] = [];
    for (const [mover, by] of moves)
      if (typeof mover === 'number') {
        for (const [cluster, place] of this.#places.entries())
          shifts[cluster]! += place[mover]! * by;
      } else origins.push(mover as Origin);
    if (origins.length === 0) return shifts;
    const evaluator = new Evaluator(origins, { isOfFirstLane: true });
    for (const [cluster, place] of this.#places.entries()) {
      if (!this.#work.takes(evaluator.cost)) return shifts;
      evaluator.at(place);
      let sum = 0n;
      for (const origin of origins) {
        evaluator.valueOf(origin, 0, out);
        sum += unsignedBig(out.low, out.high) * BigInt(moves.get(origin)!);
      }
      shifts[cluster]! += Number(BigInt.asIntN(64, sum));
    }
    return shifts;
  }
}

/** The places of all clusters of a grid, in their order. */
export function allPlaces([width, height, depth]: Dimensions): Place[] {
  const places: Place[] = [];
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) places.push([x, y, z]);
  return places;
}
