// Rings that are used as they should be.
import type { Side, Statement } from './dull-program.ts';
import {
  acquire,
  BYTES,
  EMPTY,
  release,
  ringOf,
  role,
  rounds,
  scoped,
  write,
} from './template-words.ts';
import type { Knobs, Template } from './template-words.ts';

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

export const RINGS: Readonly<Record<string, Template>> = {
  ring,
  lanes,
  twoConsumers,
  threeRoles,
  handOverHand,
  flag,
  alone,
  claims,
  endpoints,
};
