// The pieces of memory: what lies between the begins and ends of all ranges, or a whole location;
// and of those, the part that each strand of a role has where all of them access it (W03).
import type { LitmusProgram } from '../litmus-program.ts';

export type Space = 'sh' | 'tm' | 'gl' | 'reg' | 'map' | 'bar';

export interface Location {
  readonly name: string;
  readonly space: Space;
  readonly cta: number;
  /** By role whose strands have parts: the strand. */
  readonly strands: ReadonlyMap<number, number>;
}

type Memory = NonNullable<LitmusProgram['mem']>;
type NamedBarrier = readonly [name: string, barrier: { readonly cta?: number }];

/** A role of several strands, each of which accesses a part of these locations. */
export interface Sharing {
  readonly role: number;
  readonly strands: number;
  readonly names: ReadonlySet<string>;
}

export interface Pieces {
  readonly locations: readonly Location[];
  /** The locations that a name stands for; those of a barrier's bytes have a `#` before it. */
  readonly pieces: ReadonlyMap<string, readonly number[]>;
}

/** Cuts the memory of a program, and adds the bytes of barriers that it initializes. */
export function piecesOf(
  memory: Memory,
  sharing: readonly Sharing[],
  barriers: readonly NamedBarrier[],
): Pieces {
  const locations: Location[] = [];
  const pieces = new Map<string, readonly number[]>();
  const cuts = cutsOf(memory);
  const ranges = new Map<string, number>();
  for (const [name, { space = 'sh', cta = 0, at, bytes }] of Object.entries(memory)) {
    if (at === undefined) {
      const parts = partsOf(sharing.filter(({ names }) => names.has(name)));
      const numbers = parts.map((strands) => locations.push({ name, space, cta, strands }) - 1);
      pieces.set(name, numbers);
      continue;
    }
    const inside = cuts.filter((cut) => cut >= at && cut <= at + bytes!);
    const numbers = inside.slice(1).map((end, k) => {
      const range = `${space} ${cta}: ${inside[k]!}-${end}`;
      const number =
        ranges.get(range) ?? locations.push({ name: range, space, cta, strands: new Map() }) - 1;
      ranges.set(range, number);
      return number;
    });
    pieces.set(name, numbers);
  }
  for (const [barrier, { cta = 0 }] of barriers) {
    const name = `#${barrier}`;
    pieces.set(name, [locations.push({ name, space: 'bar', cta, strands: new Map() }) - 1]);
  }
  return { locations, pieces };
}

/** All combinations of the strands of roles. */
function partsOf(sharing: readonly Sharing[]): ReadonlyMap<number, number>[] {
  let parts: ReadonlyMap<number, number>[] = [new Map()];
  for (const { role, strands } of sharing) {
    const numbers = Array.from({ length: strands }, (_, strand) => strand);
    parts = parts.flatMap((part) => numbers.map((one) => new Map([...part, [role, one]])));
  }
  return parts;
}

function cutsOf(memory: Memory): number[] {
  const ranges = Object.values(memory).filter(({ at }) => at !== undefined);
  const cuts = new Set(ranges.flatMap(({ at, bytes }) => [at!, at! + bytes!]));
  return [...cuts].sort((a, b) => a - b);
}
