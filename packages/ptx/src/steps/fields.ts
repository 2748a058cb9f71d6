// The fields of each step in a steps file, and which values they may have. The compiler completes
// the table, so that no field of a step is lost.
import { Fence } from '@poundlock/core/internal/op';
import type { Field } from '../launch/json-fields.ts';
import { GLOBAL, isGlobal, RANK_SIZE } from './step.ts';
import type { Ordered, Step, StepName } from './step.ts';

/** What fields are read with. */
export interface Scope {
  readonly ctas: number;
  /** Reads the steps inside of a step. */
  readonly steps: (field: Field) => readonly Step[];
}

/** Reads a field of a step; `undefined` where an optional field is missing. */
export type ReadField = (field: Field, scope: Scope) => unknown;

type StepOf<N extends StepName, S extends Step = Step> = S extends unknown
  ? N extends S['op']
    ? S
    : never
  : never;
/** Fields of all steps, and those of a kind beside them. */
type Common = 'op' | 'at' | 'lanes' | 'isJoint';
/** What the run alone knows: a file of steps stands for the blocks that it is of. */
type OfRun = 'stored';
type Fields<K extends PropertyKey> = { readonly [F in K]-?: ReadField };
type Own<N extends StepName> = Fields<Exclude<keyof StepOf<N>, Common | OfRun>>;

const MAX_INTEGER = 2 ** 32 - 1;
/** Arrivals that an mbarrier can count, and bytes that a phase can expect. */
const MAX_ARRIVALS = 2 ** 20 - 1;
/** The most ranges of one step. */
const MAX_RANGES = 1 << 16;
const UNITS = new Set(['bulk', 'cpAsync', 'wgmma', 'tcgen05', 'tensorLoad', 'tensorStore']);
const MISUSES = new Set(['unallocated', 'relinquished', 'capacity']);
const ACCESSES = new Set(['plain', 'volatile', 'atomic']);

const integer =
  (least: number, most: number): ReadField =>
  (field) =>
    field.integer(least, most);
const count = integer(0, MAX_INTEGER);
const arrivals = integer(1, MAX_ARRIVALS);
const bytes = integer(0, MAX_ARRIVALS);
const signed = integer(-(2 ** 31), MAX_INTEGER);
const flag: ReadField = (field) => field.flag();

/** Behind all places. */
const END = 2 ** 32;

const address = (field: Field, { ctas }: Scope): number => field.integer(0, ctas * RANK_SIZE - 1);

const word = integer(GLOBAL, END);
const numbers: ReadField = (field) => field.elements().map((each) => each.integer(0, MAX_INTEGER));

const ranges: ReadField = (field, { ctas }) => rangesTo(field, ctas * RANK_SIZE, END);
/** Bytes of a tensor map. */
const mapRanges: ReadField = (field) => rangesTo(field, 128, 128);

/** Ranges up to an end, or in global memory up to another one. */
function rangesTo(field: Field, end: number, globalEnd: number): number[] {
  const values = field.elements().map((each) => {
    const value = each.integer(0, globalEnd);
    if (!isGlobal(value) && value > end) each.fail('is behind the last CTA');
    return value;
  });
  if (values.length % 2 !== 0 || values.length > 2 * MAX_RANGES)
    field.fail('has to be pairs of a first address and the one behind the last');
  for (let at = 0; at < values.length; at += 2)
    if (values[at]! >= values[at + 1]!) field.fail('has a range without a byte');
  return values;
}

const one =
  (names: ReadonlySet<string>): ReadField =>
  (field) => {
    const text = field.text();
    return names.has(text) ? text : field.fail(`is not one of ${[...names].join(', ')}`);
  };

const optional =
  (read: ReadField): ReadField =>
  (field, scope) =>
    field.isMissing ? undefined : read(field, scope);

const signals: ReadField = (field, scope) =>
  field.elements().map((each) => ({
    barrier: address(each.only(['barrier', 'bytes', 'phase']).at('barrier'), scope),
    bytes: bytes(each.at('bytes'), scope),
    ...(each.at('phase').isMissing ? {} : { phase: count(each.at('phase'), scope) }),
  }));

/** How a step orders memory. */
const ORDER = {
  sem: optional(one(new Set(['relaxed']))),
  scope: optional(one(new Set(['cta', 'cluster', 'gpu']))),
} as const satisfies Fields<keyof Ordered>;

const adds: ReadField = (field, scope) => ({
  ...fieldsOf(ORDER, field.only([...Object.keys(ORDER), 'count', 'amount']), scope),
  count: field.at('count').integer(0, MAX_INTEGER),
  amount: field.at('amount').integer(-(2 ** 31), MAX_INTEGER),
});

/** Those of some fields that are there. */
function fieldsOf<K extends string>(
  fields: Fields<K>,
  field: Field,
  scope: Scope,
): Partial<Record<K, unknown>> {
  const read = Object.entries<ReadField>(fields).map(
    ([name, of]) => [name, of(field.at(name), scope)] as const,
  );
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Partial<
    Record<K, unknown>
  >;
}

/** Fields that every step may have. */
export const COMMON_FIELDS: Fields<Exclude<Common, 'op' | 'at'>> = {
  lanes: optional(signed),
  isJoint: optional(flag),
};

/** The fields of each kind of step. */
export const STEP_FIELDS: { readonly [N in StepName]: Own<N> } = {
  init: { barrier: address, count: arrivals },
  invalidate: { barrier: address },
  arrive: {
    barrier: address,
    arrivals,
    expect: bytes,
    phase: optional(count),
    isDrop: flag,
    ...ORDER,
  },
  expect: { barrier: address, bytes, ...ORDER },
  complete: { barrier: address, bytes, ...ORDER },
  wait: { barrier: address, parity: integer(0, 1), phase: optional(signed), ...ORDER },
  copy: {
    writes: ranges,
    reads: ranges,
    signals,
    map: (field) => (field.isMissing || field.value === null ? null : field.text()),
    isReduction: optional((field) => field.flag()),
  },
  use: {
    unit: one(UNITS),
    reads: ranges,
    writes: ranges,
    map: optional((field) => field.text()),
    isReduction: optional((field) => field.flag()),
  },
  prefetch: { map: (field) => field.text() },
  map: { map: (field) => field.text(), reads: mapRanges, writes: mapRanges },
  commit: { barriers: (field, scope) => field.elements().map((each) => address(each, scope)) },
  commitGroup: { unit: one(UNITS) },
  waitGroup: { unit: one(UNITS), pending: count, isRead: flag },
  asyncArrive: {
    barrier: address,
    arrivals,
    phase: optional(count),
    isCounted: flag,
  },
  access: {
    kind: one(ACCESSES),
    reads: ranges,
    writes: ranges,
    values: (field) => field.elements().map((each) => each.integer(-(2 ** 31), MAX_INTEGER)),
    isPossible: optional(flag),
    unknown: optional(one(new Set(['each', 'some', 'whether']))),
    adds: optional(adds),
  },
  fence: {
    fence: one(new Set(Object.keys(Fence))),
    scope: ORDER.scope,
    space: optional(one(new Set(['shared', 'global']))),
    map: optional((field) => field.text()),
  },
  named: {
    id: integer(0, 15),
    threads: integer(1, 1024),
    arriving: integer(1, 1024),
    isPartOfWarp: optional(flag),
    isSync: flag,
  },
  clusterArrive: ORDER,
  clusterWait: ORDER,
  allocate: { column: integer(-1, MAX_INTEGER), columns: count },
  free: { column: count, columns: count },
  relinquish: {},
  tensorMisuse: { misuse: one(MISUSES), columns: count },
  registers: { isTaking: flag, perThread: integer(0, 256), isPartOfWarp: optional(flag) },
  lanes: { missing: signed },
  join: {},
  gridWait: {},
  signal: { word, arrivals: count, guards: numbers, ...ORDER },
  poll: {
    word,
    phase: (field) => (field.value === null ? null : field.integer(-1, MAX_INTEGER)),
    before: numbers,
    after: numbers,
    held: optional(signed),
    wanted: optional(signed),
    ...ORDER,
  },
  last: { count, equals: signed, steps: (field, { steps }) => steps(field) },
};

/** Fields that every line of a step may have. */
const OF_LINE = ['op', 'at', 'cta', 'warp', 'stuck', ...Object.keys(COMMON_FIELDS)];

/** The names of all fields of each kind of step. */
export const STEP_MEMBERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(STEP_FIELDS).map(([op, own]) => [op, [...OF_LINE, ...Object.keys(own)]]),
);
