// The fields of each step in a steps file, and which values they may have. The compiler completes
// the table, so that no field of a step is lost.
import type { Field } from '../launch/json-fields.ts';
import { RANK_SIZE } from './step.ts';
import type { Step, StepName } from './step.ts';

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
type Fields<K extends PropertyKey> = { readonly [F in K]-?: ReadField };
type Own<N extends StepName> = Fields<Exclude<keyof StepOf<N>, Common>>;

const MAX_INTEGER = 2 ** 32 - 1;
/** Arrivals that an mbarrier can count, and bytes that a phase can expect. */
const MAX_ARRIVALS = 2 ** 20 - 1;
/** The most ranges of one step. */
const MAX_RANGES = 1 << 16;
const UNITS = new Set(['bulk', 'cpAsync', 'wgmma', 'tcgen05', 'tensorLoad', 'tensorStore']);
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

const address = (field: Field, { ctas }: Scope): number => field.integer(0, ctas * RANK_SIZE - 1);

const ranges: ReadField = (field, { ctas }) => {
  const values = field.elements().map((each) => each.integer(0, ctas * RANK_SIZE));
  if (values.length % 2 !== 0 || values.length > 2 * MAX_RANGES)
    field.fail('has to be pairs of a first address and the one behind the last');
  for (let at = 0; at < values.length; at += 2)
    if (values[at]! >= values[at + 1]!) field.fail('has a range without a byte');
  return values;
};

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
    barrier: address(each.at('barrier'), scope),
    bytes: bytes(each.at('bytes'), scope),
  }));

const adds: ReadField = (field) => ({
  count: field.at('count').integer(0, MAX_INTEGER),
  amount: field.at('amount').integer(-(2 ** 31), MAX_INTEGER),
});

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
  },
  expect: { barrier: address, bytes },
  complete: { barrier: address, bytes },
  wait: { barrier: address, parity: integer(0, 1), phase: optional(signed) },
  copy: {
    writes: ranges,
    reads: ranges,
    signals,
    map: (field) => (field.isMissing || field.value === null ? null : field.text()),
  },
  use: { unit: one(UNITS), reads: ranges, writes: ranges },
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
    adds: optional(adds),
  },
  fence: { opcode: (field) => field.text() },
  named: {
    id: integer(0, 15),
    threads: integer(1, 1024),
    arriving: integer(1, 1024),
    isSync: flag,
  },
  clusterArrive: {},
  clusterWait: {},
  allocate: { column: count, columns: count },
  free: { column: count, columns: count },
  relinquish: {},
  lanes: { missing: signed },
  join: {},
  last: { count, equals: signed, steps: (field, { steps }) => steps(field) },
};
