// Small changes of a program: typical mistakes, and some unlikely ones.
import * as fc from 'fast-check';
import { allBarriers, blocks, everyStatement, withBlocks } from './dull-program.ts';
import type { Body, DullProgram, Statement } from './dull-program.ts';
import { soup, type Sizes } from './soup.ts';

const KINDS = [
  'drop',
  'duplicate',
  'move',
  'swap',
  'number',
  'number',
  'number',
  'flag',
  'insert',
  'replace',
  'declaration',
  'declaration',
] as const;

export interface Mutation {
  readonly kind: (typeof KINDS)[number];
  /** Which statement, number or declaration; taken modulo how many there are. */
  readonly at: number;
  /** Where a moved statement goes, or what a number becomes. */
  readonly to: number;
  readonly statement: Statement;
}

export function sizesOf(program: DullProgram): Sizes {
  return {
    barriers: allBarriers(program).length,
    buffers: program.buffers,
    cells: program.cells.length,
    pools: program.pools.length,
    rings: program.rings.length,
    roles: program.roles.length,
    counts: program.counts.length,
    ctas: 1 + Math.max(...program.roles.map((role) => role.cta)),
  };
}

/** A random mutation for a program of these sizes. */
export function mutation(sizes: Sizes): fc.Arbitrary<Mutation> {
  return fc.record({
    kind: fc.constantFrom(...KINDS),
    at: fc.nat(999),
    to: fc.nat(999),
    statement: soup(sizes, 1),
  });
}

/** The program with the mutation made; the same program where there is nothing to mutate. */
export function mutate(program: DullProgram, { kind, at, to, statement }: Mutation): DullProgram {
  if (kind === 'declaration') return mutateDeclaration(program, at, to);
  const bodies = program.roles.map((role) => role.body);
  const all = bodies.flatMap(everyStatement);
  if (all.length === 0) return program;
  const chosen = all[at % all.length]!;
  const edit = editOf(kind, chosen, to, statement);
  let changed = bodies.map((body) => editBody(body, chosen, edit));
  if (kind === 'move') {
    const rest = changed.flatMap(everyStatement);
    const anchor = rest[to % Math.max(1, rest.length)];
    if (anchor !== undefined) {
      changed = changed.map((body) =>
        editBody(body, anchor, (list, index) => {
          return list.toSpliced(index, 0, chosen);
        }),
      );
    }
  }
  return {
    ...program,
    roles: program.roles.map((role, index) => ({ ...role, body: changed[index]! })),
  };
}

/** Changes a list of statements at one index. */
type Edit = (list: Body, index: number) => Body;

function editOf(kind: Mutation['kind'], chosen: Statement, to: number, inserted: Statement): Edit {
  const edits: Partial<Record<Mutation['kind'], Edit>> = {
    drop: (list, index) => list.toSpliced(index, 1),
    move: (list, index) => list.toSpliced(index, 1),
    duplicate: (list, index) => list.toSpliced(index, 0, { ...chosen }),
    swap: (list, index) => {
      const next = list[index + 1];
      return next === undefined ? list : list.toSpliced(index, 2, next, chosen);
    },
    number: (list, index) => list.toSpliced(index, 1, withNumber(chosen, to)),
    flag: (list, index) => list.toSpliced(index, 1, withFlag(chosen, to)),
    insert: (list, index) => list.toSpliced(index, 0, inserted),
    replace: (list, index) => list.toSpliced(index, 1, inserted),
  };
  return edits[kind]!;
}

/** Statements are compared by identity; a duplicate is a new object. */
function editBody(body: Body, chosen: Statement, edit: Edit): Body {
  const index = body.indexOf(chosen);
  if (index >= 0) return edit(body, index);
  return body.map((one) =>
    withBlocks(
      one,
      blocks(one).map((block) => editBody(block, chosen, edit)),
    ),
  );
}

/** What numbers are changed to; what then names something that is not there is left out. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  phase: [-1, 0, 1, 2],
  bit: [0, 1],
  count: [1, 2, 3],
  bytes: [0, 8, 16],
  most: [0, 1, 2],
  value: [0, 1, 2],
  amount: [-1, 1, 2],
  equals: [0, 1, 2],
  threads: [1, 2, 3, 4],
  id: [1, 2],
  times: [0, 1, 2, 3],
  slot: [0, 1],
  bar: [0, 1, 2],
  buffer: [0, 1],
  ring: [0, 1],
  role: [0, 1, 2],
  units: [1, 2, 3],
  memory: [0, 1],
};

function withNumber(statement: Statement, to: number): Statement {
  const isLoop = statement.do === 'loop';
  const names = Object.keys(statement).filter((name) => {
    const value: unknown = statement[name as keyof Statement];
    return name in NUMBERS && typeof value === 'number' && !(isLoop && name === 'count');
  });
  if (names.length === 0) return statement;
  const name = names[to % names.length]!;
  const values = NUMBERS[name]!;
  return { ...statement, [name]: values[Math.floor(to / names.length) % values.length] };
}

const UNITS = ['tma', 'mma', 'bulk'] as const;

function withFlag(statement: Statement, to: number): Statement {
  const changed: Record<string, unknown> = { ...statement };
  const flags = ['everyLane', 'group', 'explicit', 'signal', 'side', 'unit'];
  const names = flags.filter((name) => name in changed);
  if (names.length === 0) return statement;
  const name = names[to % names.length]!;
  const value = changed[name];
  if (name === 'side') changed[name] = value === 'produce' ? 'consume' : 'produce';
  else if (name === 'unit') changed[name] = UNITS[to % UNITS.length];
  else changed[name] = value !== true;
  return changed as unknown as Statement;
}

function mutateDeclaration(program: DullProgram, at: number, to: number): DullProgram {
  const { barriers, pools, rings, roles, counts } = program;
  const edits: (() => DullProgram)[] = [
    ...barriers.map((one, index) => () => {
      const changed =
        to % 3 === 0
          ? { mode: to % 2 === 0 ? ('parity' as const) : ('counter' as const) }
          : { count: 1 + (to % 2) };
      return { ...program, barriers: barriers.with(index, { ...one, ...changed }) };
    }),
    ...rings.flatMap((one, index) => {
      const set = (changed: Partial<typeof one>) => () => ({
        ...program,
        rings: rings.with(index, { ...one, ...changed }),
      });
      return [
        set({ advance: one.advance === 'release' ? 'acquire' : 'release' }),
        set({ barriers: one.barriers === 'parity' ? 'counter' : 'parity' }),
        set({ producers: 1 + (to % 2) }),
        set({ consumers: 1 + (to % 2) }),
        () => fork(program, index, to),
      ];
    }),
    ...roles.map((one, index) => () => {
      return { ...program, roles: roles.with(index, { ...one, lanes: 1 + (to % 2) }) };
    }),
    ...roles.map((one, index) => () => {
      return { ...program, roles: roles.with(index, { ...one, spawned: one.spawned !== true }) };
    }),
    ...pools.map((_, index) => () => {
      const changed = { capacity: 1 + (to % 2), buffers: 1 + (to % 3) };
      return { ...program, pools: pools.with(index, changed) };
    }),
    ...counts.map((_, index) => () => ({ ...program, counts: counts.with(index, to % 4) })),
  ];
  return edits.length === 0 ? program : edits[at % edits.length]!();
}

/** One statement uses a copy of the ring instead of the ring (R09). */
function fork(program: DullProgram, ring: number, to: number): DullProgram {
  const { rings, roles } = program;
  const { copyOf = ring } = rings[ring]!;
  const users = roles
    .flatMap(({ body }) => everyStatement(body))
    .filter((one) => {
      return 'ring' in one && one.ring === ring;
    });
  if (users.length === 0) return program;
  const chosen = users[to % users.length]!;
  const forked = { ...chosen, ring: rings.length } as Statement;
  const edit: Edit = (list, index) => list.toSpliced(index, 1, forked);
  return {
    ...program,
    rings: [...rings, { ...rings[ring]!, copyOf }],
    roles: roles.map((role) => ({ ...role, body: editBody(role.body, chosen, edit) })),
  };
}
