// Protocols between warps that can be said as a program and as PTX: rings with mistakes in them.
import * as fc from 'fast-check';

/** One operation of a warp. */
export type Operation =
  | {
      readonly op: 'wait';
      readonly barrier: number;
      readonly parity: number;
      readonly isRelaxed?: boolean;
    }
  | { readonly op: 'arrive'; readonly barrier: number; readonly isRelaxed?: boolean }
  | { readonly op: 'expect'; readonly barrier: number; readonly bytes: number }
  | { readonly op: 'copy'; readonly barrier: number; readonly buffer: number }
  | { readonly op: 'read'; readonly buffer: number }
  | { readonly op: 'write'; readonly buffer: number }
  /** A copy out of the buffer, in a group of its own, and the wait until all have read. */
  | { readonly op: 'store'; readonly buffer: number }
  | { readonly op: 'drain' }
  /** A fence of the async proxy. */
  | { readonly op: 'fence' }
  | { readonly op: 'sync'; readonly id: number; readonly warps: number };

/** A protocol: what each warp does, and how many arrivals each barrier counts. */
export interface Protocol {
  readonly counts: readonly number[];
  readonly buffers: number;
  readonly warps: readonly (readonly Operation[])[];
}

/** Bytes of a buffer, which one copy fills. */
export const BYTES = 256;

interface Ring {
  readonly stages: number;
  readonly consumers: number;
  readonly tiles: number;
  /** Whether the producer fills a stage by a copy, or by a store of its own. */
  readonly copies: boolean;
  /** Whether consumers copy a stage out, or read it themselves. */
  readonly stores: boolean;
  /** Whether all meet at a named barrier in the end. */
  readonly meets: boolean;
}

/** A correct ring: barriers `full` come first, then `empty`. */
function ring({ stages, consumers, tiles, copies, stores, meets }: Ring): Protocol {
  const laps = Array.from({ length: tiles }, (_, tile) => ({
    full: tile % stages,
    empty: stages + (tile % stages),
    parity: Math.floor(tile / stages) % 2,
  }));
  const meeting: Operation[] = meets ? [{ op: 'sync', id: 1, warps: consumers + 1 }] : [];
  const producer = laps.flatMap(({ full, empty, parity }): Operation[] => [
    { op: 'wait', barrier: empty, parity: 1 - parity },
    ...(copies
      ? ([
          { op: 'expect', barrier: full, bytes: BYTES },
          { op: 'copy', barrier: full, buffer: full },
        ] as const)
      : ([
          { op: 'write', buffer: full },
          ...(stores ? ([{ op: 'fence' }] as const) : []),
          { op: 'arrive', barrier: full },
        ] as const)),
  ]);
  const consumer = laps.flatMap(({ full, empty, parity }): Operation[] => [
    { op: 'wait', barrier: full, parity },
    ...(stores
      ? ([{ op: 'store', buffer: full }, { op: 'drain' }] as const)
      : ([{ op: 'read', buffer: full }] as const)),
    { op: 'arrive', barrier: empty },
  ]);
  const warps = [producer, ...Array.from({ length: consumers }, () => consumer)];
  return {
    counts: [...Array.from({ length: stages }, () => 1), ...Array(stages).fill(consumers)],
    buffers: stages,
    warps: warps.map((own) => [...own, ...meeting]),
  };
}

interface Mistake {
  readonly kind:
    | 'delete'
    | 'repeat'
    | 'swap'
    | 'parity'
    | 'other'
    | 'relax'
    | 'unfence'
    | 'bytes'
    | 'count';
  readonly warp: number;
  readonly at: number;
}

/** A protocol with one mistake; the same where the mistake does not fit. */
function withMistake(protocol: Protocol, { kind, warp, at }: Mistake): Protocol {
  const { counts, warps } = protocol;
  if (kind === 'count') {
    const changed = at % counts.length;
    return { ...protocol, counts: counts.map((count, index) => count + +(index === changed)) };
  }
  const index = warp % warps.length;
  const own = warps[index]!;
  if (own.length === 0) return protocol;
  const place = at % own.length;
  const operations = mistaken(own, place, kind, counts.length);
  return { ...protocol, warps: warps.with(index, operations) };
}

function mistaken(
  own: readonly Operation[],
  place: number,
  kind: Exclude<Mistake['kind'], 'count'>,
  barriers: number,
): readonly Operation[] {
  const operation = own[place]!;
  switch (kind) {
    case 'delete':
      return own.toSpliced(place, 1);
    case 'repeat':
      return own.toSpliced(place, 0, operation);
    case 'swap':
      return place === 0 ? own : own.toSpliced(place - 1, 2, operation, own[place - 1]!);
    case 'parity':
      return operation.op === 'wait'
        ? own.with(place, { ...operation, parity: 1 - operation.parity })
        : own;
    case 'other':
      return 'barrier' in operation
        ? own.with(place, { ...operation, barrier: (operation.barrier + 1) % barriers })
        : own;
    case 'relax':
      return operation.op === 'wait' || operation.op === 'arrive'
        ? own.with(place, { ...operation, isRelaxed: true })
        : own;
    case 'unfence':
      return own.filter(({ op }) => op !== 'fence');
    case 'bytes':
      return operation.op === 'expect' ? own.with(place, { ...operation, bytes: BYTES / 2 }) : own;
  }
}

const MISTAKES = [
  'delete',
  'repeat',
  'swap',
  'parity',
  'other',
  'relax',
  'unfence',
  'bytes',
  'count',
] as const satisfies readonly Mistake['kind'][];

/** Rings with up to two mistakes. */
export const protocols: fc.Arbitrary<Protocol> = fc
  .tuple(
    fc.record({
      stages: fc.integer({ min: 1, max: 3 }),
      consumers: fc.integer({ min: 1, max: 2 }),
      tiles: fc.integer({ min: 0, max: 5 }),
      copies: fc.boolean(),
      stores: fc.boolean(),
      meets: fc.boolean(),
    }),
    fc.array(
      fc.record({
        kind: fc.constantFrom(...MISTAKES),
        warp: fc.nat(2),
        at: fc.nat(30),
      }),
      { maxLength: 2 },
    ),
  )
  .map(([drawn, mistakes]) => mistakes.reduce(withMistake, ring(drawn)));
