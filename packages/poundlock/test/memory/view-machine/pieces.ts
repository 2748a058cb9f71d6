// The pieces of memory: what lies between the begins and ends of all ranges, or a whole location.
import type { LitmusProgram } from '../litmus-program.ts';

export type Space = 'sh' | 'tm' | 'gl' | 'reg' | 'map' | 'bar';

export interface Location {
  readonly name: string;
  readonly space: Space;
  readonly cta: number;
}

type Memory = NonNullable<LitmusProgram['mem']>;
type NamedBarrier = readonly [name: string, barrier: { readonly cta?: number }];

export interface Pieces {
  readonly locations: readonly Location[];
  /** The locations that a name stands for; those of a barrier's bytes have a `#` before it. */
  readonly pieces: ReadonlyMap<string, readonly number[]>;
}

/** Cuts the memory of a program, and adds the bytes of barriers that it initializes. */
export function piecesOf(memory: Memory, barriers: readonly NamedBarrier[]): Pieces {
  const locations: Location[] = [];
  const pieces = new Map<string, readonly number[]>();
  const locate = (name: string, space: Space, cta: number): number => {
    const known = locations.findIndex((location) => location.name === name);
    return known < 0 ? locations.push({ name, space, cta }) - 1 : known;
  };
  const cuts = cutsOf(memory);
  for (const [name, { space = 'sh', cta = 0, at, bytes }] of Object.entries(memory)) {
    if (at === undefined) {
      pieces.set(name, [locate(name, space, cta)]);
      continue;
    }
    const inside = cuts.filter((cut) => cut >= at && cut <= at + bytes!);
    const parts = inside.slice(1).map((end, k) => {
      return locate(`${space} ${cta}: ${inside[k]!}-${end}`, space, cta);
    });
    pieces.set(name, parts);
  }
  for (const [name, { cta = 0 }] of barriers) pieces.set(`#${name}`, [locate(`#${name}`, 'bar', cta)]);
  return { locations, pieces };
}

function cutsOf(memory: Memory): number[] {
  const ranges = Object.values(memory).filter(({ at }) => at !== undefined);
  const cuts = new Set(ranges.flatMap(({ at, bytes }) => [at!, at! + bytes!]));
  return [...cuts].sort((a, b) => a - b);
}
