// Barriers, groups and cells that are used as they should be.
import type { Body, Statement } from './dull-program.ts';
import { arrive, BYTES, copy, EMPTY, read, role, upTo, wait, write } from './template-words.ts';
import type { Template } from './template-words.ts';

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

/** A wait that comes when its phase is long past, and passes by luck. */
const late: Template = ({ mode }) => ({
  ...EMPTY,
  barriers: [
    { count: 1, mode },
    { count: 1, mode },
  ],
  buffers: 1,
  roles: [
    role([write(0), arrive(0), arrive(0), arrive(0), arrive(1)]),
    role([wait(1, 0), wait(0, 0), read(0)]),
  ],
});

/** Full and empty by parity alone. */
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

/** A barrier that the program initializes before all other roles start. */
const initialized: Template = ({ style, lanes: n }) => {
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
          : [write(1), { do: 'choose', branches: [[add([read(0)])], [add([])]] }],
      ),
    ],
  };
};

/** Memory that one role allocates, fills and gives back, and another one waits for. */
const memory: Template = ({ style }) => {
  const use = (how: 'read' | 'write' | 'use'): Statement => ({ do: 'touchMemory', memory: 0, how });
  const alloc: Statement = { do: 'alloc', pool: 0, units: 1 + (style % 2), memory: 0 };
  const give: Statement[] = [
    { do: 'free', memory: 0 },
    { do: 'syncNamed', id: 1, threads: 2 },
  ];
  return {
    ...EMPTY,
    barriers: [{ count: 1, mode: 'parity' }],
    pools: [{ capacity: 2, buffers: 1 + (style % 3) }],
    roles: [
      role([
        alloc,
        use('use'),
        { do: 'commit', unit: 'mma', bar: 0 },
        wait(0, 0),
        use('read'),
        ...give,
        { do: 'relinquish', pool: 0 },
      ]),
      role([alloc, use('write'), ...give]),
    ],
  };
};

/** Memory that the tensor core writes, freed once it has. */
const work: Template = ({ style }) => {
  const use: Statement = { do: 'touchMemory', memory: 0, how: 'use' };
  const done: Statement[] =
    style % 2 === 0
      ? [
          { do: 'commitGroup', unit: 'mma' },
          { do: 'waitGroup', unit: 'mma', most: 0 },
        ]
      : [{ do: 'commit', unit: 'mma', bar: 0 }, wait(0, 0)];
  return {
    ...EMPTY,
    barriers: [{ count: 1, mode: 'parity' }],
    pools: [{ capacity: 1, buffers: 1 }],
    roles: [
      role([
        { do: 'alloc', pool: 0, units: 1, memory: 0 },
        use,
        ...done,
        { do: 'free', memory: 0 },
      ]),
      role([
        { do: 'alloc', pool: 0, units: 1, memory: 0 },
        { do: 'free', memory: 0 },
      ]),
    ],
  };
};

/** A role that starts another one and sees what it did. */
const child: Template = ({ style }) => ({
  ...EMPTY,
  barriers: [{ count: 1, mode: 'parity' }],
  buffers: 1,
  roles: [
    role([
      write(0),
      { do: 'spawn', role: 1 },
      style % 2 === 0 ? { do: 'join', role: 1 } : wait(0, 0),
      read(0),
    ]),
    { ...role([write(0), arrive(0)]), spawned: true },
  ],
});

export const BARRIERS: Readonly<Record<string, Template>> = {
  byHand,
  late,
  byParity,
  groups,
  named,
  initialized,
  leaving,
  memory,
  work,
  child,
  lastOne,
};
