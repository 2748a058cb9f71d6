// Programs that are right: what the random programs start from before they are mutated.
import type { Body, DullProgram, DullRing, Mode, Side, Statement } from './dull-program.ts';

/** What a template is made with; every field is small. */
export interface Knobs {
  readonly stages: number;
  readonly tiles: number;
  readonly lanes: number;
  readonly mode: Mode;
  readonly advance: DullRing['advance'];
  /** Tells apart the ways in which the same thing can be written. */
  readonly style: number;
  readonly isLoop: boolean;
  readonly drains: boolean;
}

export type Template = (knobs: Knobs) => DullProgram;

const EMPTY: DullProgram = {
  barriers: [],
  buffers: 0,
  cells: [],
  rings: [],
  counts: [],
  roles: [],
};
const BYTES = 8;

const role = (body: Body, cta = 0, lanes = 1) => ({ cta, lanes, body });
const arrive = (bar: number, bytes = 0, ctas?: readonly number[]): Statement => ({
  do: 'arrive',
  bar,
  count: 1,
  bytes,
  everyLane: false,
  ctas,
});
const read = (buffer: number): Statement => ({ do: 'read', buffer });
const write = (buffer: number): Statement => ({ do: 'write', buffer });
const wait = (bar: number, phase: number): Statement => ({ do: 'wait', bar, phase });
const copy = (bar: number, into: readonly number[], ctas?: readonly number[]): Statement => ({
  do: 'asyncCopy',
  unit: 'tma',
  bar,
  bytes: BYTES,
  into,
  ctas,
});
const release = (slot: number, signal = true): Statement => ({ do: 'release', slot, signal });
const scoped = (ring: number, side: Side, body: Body, explicit = false, slot = 0): Statement => ({
  do: 'scoped',
  ring,
  side,
  explicit,
  slot,
  body,
});
const acquire = (ring: number, side: Side, slot = 0): Statement => ({
  do: 'acquire',
  ring,
  side,
  slot,
});
const upTo = <T>(n: number, make: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => make(at));

function ringOf({ stages, mode, advance }: Knobs): DullRing {
  return { stages, bytes: BYTES, advance, barriers: mode, producers: 1, consumers: 1 };
}

/** `tiles` rounds, as a loop or as a repetition. */
function rounds({ isLoop, tiles }: Knobs, body: Body): Statement {
  return isLoop ? { do: 'loop', count: 0, body } : { do: 'repeat', times: tiles, body };
}

function producing(knobs: Knobs, ring: number, slot = 0): Statement[] {
  const { style, drains } = knobs;
  const fills: Statement[][] = [
    [
      { do: 'expect', slot, bytes: BYTES },
      { do: 'copy', slot },
    ],
    [
      { do: 'writeStage', slot },
      { do: 'signal', slot },
    ],
    [
      { do: 'copy', slot },
      { do: 'expect', slot, bytes: BYTES },
    ],
  ];
  const fill = fills[style % 3]!;
  const one =
    style % 2 === 0
      ? [scoped(ring, 'produce', fill, false, slot)]
      : [acquire(ring, 'produce', slot), ...fill, release(slot)];
  return [rounds(knobs, one), ...(drains ? [{ do: 'drain', ring } as const] : [])];
}

function consuming(knobs: Knobs, ring: number, slot = 0): Statement[] {
  const { style } = knobs;
  const issue: Statement = { do: 'issue', slot, into: -1 };
  const ways: Statement[][] = [
    [scoped(ring, 'consume', [{ do: 'readStage', slot }], false, slot)],
    [acquire(ring, 'consume', slot), { do: 'readStage', slot }, release(slot)],
    [scoped(ring, 'consume', [issue, { do: 'waitGroup', unit: 'mma', most: 0 }], false, slot)],
    [scoped(ring, 'consume', [issue, { do: 'commitStage', slot }], true, slot)],
    [acquire(ring, 'consume', slot), issue, { do: 'commitStage', slot }, release(slot, false)],
  ];
  return [rounds(knobs, ways[style % 5]!)];
}

/** One producer, one consumer. */
const ring: Template = (knobs) => ({
  ...EMPTY,
  rings: [ringOf(knobs)],
  counts: [knobs.tiles],
  roles: [role(producing(knobs, 0)), role(consuming(knobs, 0))],
});

/** Every lane of one side arrives. */
const lanes: Template = (knobs) => ({
  ...EMPTY,
  rings: [{ ...ringOf(knobs), producers: knobs.lanes, consumers: knobs.lanes }],
  counts: [knobs.tiles],
  roles: [
    role(producing({ ...knobs, style: 1 }, 0), 0, knobs.lanes),
    role(consuming({ ...knobs, style: knobs.style % 3 }, 0), 0, knobs.lanes),
  ],
});

/** Two consumers that both read every tile. */
const twoConsumers: Template = (knobs) => ({
  ...EMPTY,
  rings: [{ ...ringOf(knobs), consumers: 2 }],
  counts: [knobs.tiles],
  roles: [
    role(producing(knobs, 0)),
    role(consuming(knobs, 0)),
    role(consuming({ ...knobs, style: knobs.style + 1 }, 0)),
  ],
});

/** Two rings in a row, the middle role holding a stage of each. */
const threeRoles: Template = (knobs) => {
  const { tiles, style } = knobs;
  const fill: Statement[] = [
    { do: 'issue', slot: 0, into: -1 },
    { do: 'commitStage', slot: 0 },
  ];
  const both = [...fill, { do: 'commitStage', slot: 1 } as const];
  const middle =
    style % 2 === 0
      ? scoped(1, 'produce', [scoped(0, 'consume', both, true)], false, 1)
      : scoped(0, 'consume', [scoped(1, 'produce', both, false, 1)], true);
  return {
    ...EMPTY,
    rings: [ringOf(knobs), { ...ringOf(knobs), stages: 1 }],
    counts: [tiles],
    roles: [
      role(producing({ ...knobs, style: 0 }, 0)),
      role([rounds(knobs, [middle])]),
      role(consuming({ ...knobs, style: style % 2 }, 1)),
    ],
  };
};

/** A consumer that gives a tile back once it has the next one; its handle is the loop's state. */
const handOverHand: Template = (knobs) => {
  const fill: Statement[] = [
    { do: 'expect', slot: 0, bytes: BYTES },
    { do: 'copy', slot: 0 },
  ];
  const look: Statement = { do: 'readStage', slot: 1 };
  const swap = [acquire(0, 'consume', 1), look, release(1), release(0), acquire(0, 'consume')];
  return {
    ...EMPTY,
    rings: [{ ...ringOf(knobs), stages: 2 + (knobs.style % 2), advance: 'acquire' }],
    counts: [1, 3],
    roles: [
      role([{ do: 'loop', count: 1, body: [scoped(0, 'produce', fill)] }]),
      role([acquire(0, 'consume'), { do: 'loop', count: 0, carry: 0, body: swap }, release(0)]),
    ],
  };
};

/** An unbounded producer that says so when it stops. */
const flag: Template = (knobs) => {
  const fill: Statement[] = [
    { do: 'expect', slot: 0, bytes: BYTES },
    { do: 'copy', slot: 0 },
  ];
  const last: Statement = { do: 'store', cell: 0, value: 1 };
  return {
    ...EMPTY,
    cells: [0],
    rings: [ringOf(knobs)],
    roles: [
      role([
        { do: 'until', body: [scoped(0, 'produce', fill)] },
        scoped(0, 'produce', [last, ...fill]),
      ]),
      role([
        {
          do: 'spin',
          cell: 0,
          equals: 1,
          body: consuming({ ...knobs, tiles: 1, isLoop: false }, 0),
        },
      ]),
    ],
  };
};

/** One role that is both sides, round after round. */
const alone: Template = (knobs) => ({
  ...EMPTY,
  buffers: 1,
  rings: [ringOf(knobs)],
  counts: [1],
  roles: [
    role([
      {
        do: 'until',
        body: [
          ...producing({ ...knobs, tiles: 1, isLoop: false, drains: false }, 0),
          ...consuming({ ...knobs, tiles: 1, isLoop: false }, 0),
        ],
      },
    ]),
    role([{ do: 'until', body: [write(0)] }]),
  ],
});

/** Two consumers that take tiles from one queue. */
const claims: Template = ({ mode, style }) => {
  const take: Statement = {
    do: 'claim',
    ring: 0,
    slot: 0,
    then: [{ do: 'readStage', slot: 0 }, release(0)],
    else: [],
  };
  const claimer = role([{ do: 'until', body: [take] }]);
  const fill: Statement[] = [
    { do: 'expect', slot: 0, bytes: BYTES },
    { do: 'copy', slot: 0 },
  ];
  return {
    ...EMPTY,
    rings: [
      { stages: 2, bytes: BYTES, advance: 'acquire', barriers: mode, producers: 1, consumers: 1 },
    ],
    roles: [
      role([{ do: 'repeat', times: 1 + (style % 2), body: [scoped(0, 'produce', fill)] }]),
      claimer,
      claimer,
    ],
  };
};

/** Both sides without handles, the consumer on a copy of the ring or on the ring itself. */
const endpoints: Template = (knobs) => {
  const { style } = knobs;
  const ready = (['no', 'try'] as const)[style % 2]!;
  const consumer = style % 3 === 0 ? 1 : 0;
  const by = (ring: number, side: Side) => ({ ring, side });
  const one = (ring: number, side: Side, what: 'read' | 'write'): Statement[] => [
    { do: 'waitSide', ...by(ring, side), ready },
    { do: 'touchSide', ...by(ring, side), what },
    { do: 'touchSide', ...by(ring, side), what: 'arrive' },
    { do: 'stepSide', ...by(ring, side), lanes: 1 },
  ];
  const short: Statement[] = [{ do: 'signalStep', ...by(consumer, 'consume') }];
  const plain = { ...ringOf(knobs) };
  return {
    ...EMPTY,
    rings: consumer === 1 ? [plain, { ...plain, copyOf: 0 }] : [plain],
    counts: [knobs.tiles],
    roles: [
      role([
        rounds(knobs, one(0, 'produce', 'write')),
        ...(knobs.drains ? [{ do: 'drain', ring: 0 } as const] : []),
      ]),
      role([rounds(knobs, style % 5 === 0 ? short : one(consumer, 'consume', 'read'))]),
    ],
  };
};

/** Full and empty by hand, phase after phase. */
const byHand: Template = ({ tiles, mode, style }) => {
  const [full, empty] = [0, 1];
  const fill = [arrive(full, BYTES), copy(full, [0])];
  const signal = style % 2 === 0 ? fill : fill.toReversed();
  const waiting = (bar: number, phase: number): Statement[] => {
    if (style % 3 === 0) return [wait(bar, phase)];
    if (style % 3 === 1 && phase >= 0) return [{ do: 'poll', bar, phase, body: [] }];
    const again = [wait(bar, phase)];
    return [{ do: 'tryWait', bar, phase, then: [], else: again }];
  };
  return {
    ...EMPTY,
    barriers: [
      { count: 1, mode },
      { count: 1, mode },
    ],
    buffers: 1,
    roles: [
      role(upTo(tiles, (at) => [...waiting(empty, at - 1), ...signal]).flat()),
      role(upTo(tiles, (at) => [...waiting(full, at), read(0), arrive(empty)]).flat()),
    ],
  };
};

/** Full and empty by parity alone, without an end but by choice. */
const byParity: Template = ({ style }) => {
  const round = (bit: number): Statement[] => [
    write(0),
    arrive(0),
    { do: 'waitParity', bar: 1, bit },
  ];
  const answer = (bit: number): Statement[] => [
    { do: 'waitParity', bar: 0, bit },
    read(0),
    arrive(1),
  ];
  return {
    ...EMPTY,
    barriers: [
      { count: 1, mode: 'parity' },
      { count: 1, mode: 'parity' },
    ],
    buffers: 1,
    roles: [
      role(style % 2 === 0 ? round(0) : [...round(0), ...round(1)]),
      role(style % 2 === 0 ? answer(0) : [...answer(0), ...answer(1)]),
    ],
  };
};

/** Tensor-core work in groups over two buffers. */
const groups: Template = ({ style }) => {
  const use = (buffer: number): Statement => ({
    do: 'asyncUse',
    unit: style % 2 === 0 ? 'mma' : 'bulk',
    reads: [buffer],
    writes: [],
    group: style % 3 === 0,
  });
  const { unit } = use(0) as Statement & { do: 'asyncUse' };
  const close: Statement[] = style % 3 === 0 ? [] : [{ do: 'commitGroup', unit }];
  const waitGroup = (most: number): Statement => ({ do: 'waitGroup', unit, most });
  const first = unit === 'mma' ? [waitGroup(1), write(0)] : [waitGroup(0), write(0)];
  return {
    ...EMPTY,
    barriers: [{ count: 1, mode: 'parity' }],
    buffers: 3,
    roles: [
      role([use(0), ...close, use(1), ...close, ...first, waitGroup(0), write(1), arrive(0)]),
      role([
        write(2),
        wait(0, 0),
        { do: 'asyncUse', unit, reads: [0], writes: [2], group: false },
        { do: 'commit', unit, bar: 0 },
        wait(0, 1),
        read(2),
      ]),
    ],
  };
};

/** Roles that meet at named barriers around their accesses. */
const named: Template = ({ lanes: n, style }) => {
  const threads = 2 * n;
  const sync: Statement = { do: 'syncNamed', id: 1, threads };
  const go: Statement = { do: 'arriveNamed', id: 2, threads };
  const stop: Statement = { do: 'syncNamed', id: 2, threads };
  return {
    ...EMPTY,
    buffers: 2,
    roles: [
      role(style % 2 === 0 ? [write(0), sync, read(1)] : [write(0), go, sync, write(0)], 0, n),
      role(style % 2 === 0 ? [write(1), sync, read(0)] : [stop, read(0), sync], 0, n),
    ],
  };
};

/** A barrier that the program initialises, everybody kept away until then. */
const initialised: Template = ({ style, lanes: n }) => {
  const sync: Statement = { do: 'syncNamed', id: 0, threads: 2 };
  const end: Statement[] = style % 2 === 0 ? [] : [sync, { do: 'invalidate', bar: 0 }];
  return {
    ...EMPTY,
    barriers: [{ count: 0, mode: 'parity' }],
    buffers: 1,
    roles: [
      role([{ do: 'init', bar: 0, count: n }, sync, wait(0, 0), read(0), ...end]),
      role([sync, write(0), ...upTo(n, () => arrive(0)), ...end.slice(0, 1)]),
    ],
  };
};

/** A role that leaves, and one that goes on without it. */
const leaving: Template = ({ style, mode }) => ({
  ...EMPTY,
  barriers: [{ count: 2, mode }],
  buffers: 1,
  roles: [
    role([{ do: 'arriveDrop', bar: 0, count: 1 }, ...(style % 2 === 0 ? [wait(0, 0)] : [])]),
    role([write(0), arrive(0), wait(0, 0), arrive(0), wait(0, 1)]),
  ],
});

/** The role that adds last sees what all have written. */
const lastOne: Template = ({ style }) => {
  const add = (then: Body): Statement => ({
    do: 'load',
    cell: 0,
    amount: 1,
    equals: 1,
    then,
    else: [],
  });
  return {
    ...EMPTY,
    cells: [0],
    buffers: 2,
    roles: [
      role([write(0), add([read(1)])]),
      role(
        style % 2 === 0
          ? [write(1), add([read(0)])]
          : ([write(1), { do: 'choose', branches: [[add([read(0)])], [add([]), read(1)]] }].slice(
              0,
              1,
            ) as Body),
      ),
    ],
  };
};

/** A value that a copy brings, waited for by its bytes and read from its cell. */
const message: Template = ({ style }) => ({
  ...EMPTY,
  barriers: [{ count: 1, mode: 'parity' }],
  cells: [0],
  buffers: 1,
  roles: [
    role([
      { do: 'expectTx', bar: 0, bytes: BYTES },
      {
        do: 'asyncCopy',
        unit: 'bulk',
        bar: 0,
        bytes: BYTES,
        into: [0],
        cell: 0,
        value: 1 + (style % 2),
      },
      arrive(0),
    ]),
    role([
      wait(0, 0),
      {
        do: 'load',
        cell: 0,
        equals: 1,
        then: [read(0)],
        else: [{ do: 'choose', branches: [[], [read(0)]] }],
      },
    ]),
  ],
});

/** A multicast copy to two CTAs, whose consumers answer the first. */
const multicast: Template = ({ tiles, style, mode }) => {
  const [full, empty] = [0, 1];
  const ctas = [0, 1];
  const back = (cta: number): Statement[] =>
    style % 2 === 0 || cta === 1
      ? [read(0), arrive(empty, 0, [0])]
      : [
          { do: 'asyncUse', unit: 'mma', reads: [0], writes: [], group: false },
          { do: 'commit', unit: 'mma', bar: empty, ctas: [0] },
        ];
  const n = Math.min(tiles, 2);
  const load = (at: number) => [wait(empty, at - 1), arrive(full, BYTES), copy(full, [0], ctas)];
  const far = (at: number) => [arrive(full, BYTES), wait(full, at), ...back(1)];
  return {
    ...EMPTY,
    barriers: [
      { count: 1, mode },
      { count: 2, mode },
    ],
    buffers: 1,
    roles: [
      role([...upTo(n, load).flat(), wait(empty, n - 1)]),
      role(upTo(n, (at) => [wait(full, at), ...back(0)]).flat()),
      role(upTo(n, far).flat(), 1),
    ],
  };
};

/** Two CTAs whose tensor cores signal both. */
const bothWays: Template = ({ style }) => {
  const body = (cta: number): Body => [
    { do: 'asyncUse', unit: 'mma', reads: [0], writes: [], group: false },
    { do: 'commit', unit: 'mma', bar: 0, ctas: [0, 1] },
    wait(0, 0),
    write(0),
    ...(style % 2 === 0 ? [{ do: 'syncCluster' } as const] : [arrive(1, 0, [1 - cta]), wait(1, 0)]),
  ];
  return {
    ...EMPTY,
    barriers: [
      { count: 2, mode: 'parity' },
      { count: 1, mode: 'parity' },
    ],
    buffers: 1,
    roles: [role(body(0), 0), role(body(1), 1)],
  };
};

/** A CTA that ends on purpose once nobody reaches it any more. */
const leavingCta: Template = ({ style }) => ({
  ...EMPTY,
  barriers: [{ count: 1, mode: 'parity' }],
  buffers: 1,
  roles: [
    role([write(0), wait(0, 0), { do: 'exit' }], 0),
    role([arrive(0, 0, [0]), ...(style % 2 === 0 ? [read(0)] : [])], 1),
  ],
});

export const TEMPLATES: Readonly<Record<string, Template>> = {
  ring,
  lanes,
  twoConsumers,
  threeRoles,
  handOverHand,
  flag,
  alone,
  claims,
  endpoints,
  byHand,
  byParity,
  groups,
  named,
  initialised,
  leaving,
  lastOne,
  message,
  multicast,
  bothWays,
  leavingCta,
};
