// Copies that bring messages, and CTAs that reach into one another.
import type { Body, Statement } from './dull-program.ts';
import { arrive, BYTES, copy, EMPTY, read, role, upTo, wait, write } from './template-words.ts';
import type { Template } from './template-words.ts';

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

/** A pair of CTAs: both bring their half, and one tensor core works in both. */
const pairOfCtas: Template = ({ tiles, style }) => {
  const [full, empty] = [0, 1];
  const both = [0, 1];
  const half = { do: 'asyncCopy', unit: 'tma', bar: full, bytes: BYTES, into: [0] } as const;
  const brings: Statement = { ...half, pair: true };
  const n = Math.min(tiles, 2);
  const load = (cta: number) => (at: number) => [
    wait(empty, at - 1),
    ...(cta === 0 ? [arrive(full, 2 * BYTES)] : []),
    brings,
  ];
  // Another style forgets the odd CTA's buffer, or to tell the odd CTA.
  const reached = style % 4 === 1 ? [0] : both;
  const targets = style % 4 === 2 ? [0] : both;
  const multiply = (at: number): Statement[] => [
    wait(full, at),
    { do: 'asyncUse', unit: 'mma', reads: [0], writes: [1], group: false, ctas: reached },
    { do: 'commit', unit: 'mma', bar: empty, ctas: targets },
  ];
  const last = wait(empty, n - 1);
  return {
    ...EMPTY,
    barriers: [
      { count: 1, mode: 'parity' },
      { count: 1, mode: 'parity' },
    ],
    buffers: 2,
    roles: [
      role([...upTo(n, load(0)).flat(), last, read(1)]),
      role([...upTo(n, load(1)).flat(), last, read(1)], 1),
      role(upTo(n, multiply).flat()),
    ],
  };
};

/** A CTA that ends on purpose after all accesses from other CTAs. */
const leavingCta: Template = ({ style }) => ({
  ...EMPTY,
  barriers: [{ count: 1, mode: 'parity' }],
  buffers: 1,
  roles: [
    role([write(0), wait(0, 0), { do: 'exit' }], 0),
    role([arrive(0, 0, [0]), ...(style % 2 === 0 ? [read(0)] : [])], 1),
  ],
});

export const CLUSTERS: Readonly<Record<string, Template>> = {
  message,
  multicast,
  bothWays,
  leavingCta,
  pairOfCtas,
};
