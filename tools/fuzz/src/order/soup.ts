// Random statements without a plan: what programs are mutated with, or made of.
import * as fc from 'fast-check';
import type { Body, Statement, UnitName } from './dull-program.ts';

/** How many of everything a program declares. */
export interface Sizes {
  /** Rings' barriers included. */
  readonly barriers: number;
  readonly buffers: number;
  readonly cells: number;
  readonly pools: number;
  readonly rings: number;
  readonly roles: number;
  readonly counts: number;
  readonly ctas: number;
}

const SLOTS = 2;
const BYTES = 8;

/** Random statements for a program of these sizes; nested `depth` levels at most. */
export function soup(sizes: Sizes, depth: number): fc.Arbitrary<Statement> {
  const kinds = [...onBarriers(sizes), ...onMemory(sizes), ...meetings(sizes), ...others(sizes)];
  if (sizes.pools > 0) kinds.push(...onPools(sizes));
  if (sizes.rings > 0) kinds.push(...onStages(sizes));
  if (depth > 0) kinds.push(...nested(sizes, depth - 1));
  return fc.oneof(...kinds);
}

/** A few random statements. */
export function soupBody(sizes: Sizes, depth: number, maxLength: number): fc.Arbitrary<Body> {
  return fc.array(soup(sizes, depth), { maxLength });
}

type Kinds = fc.Arbitrary<Statement>[];

const below = (n: number) => fc.integer({ min: 0, max: Math.max(0, n - 1) });
const is = <T extends string>(value: T) => fc.constant(value);
const phase = fc.integer({ min: -1, max: 2 });
const bytes = fc.constantFrom(0, BYTES, BYTES, 2 * BYTES);
const unit = fc.constantFrom<UnitName>('mma', 'mma', 'tma', 'bulk');
const slot = below(SLOTS);

/** Mostly the role's own CTA; otherwise one or both. */
function reach({ ctas }: Sizes): fc.Arbitrary<readonly number[] | undefined> {
  if (ctas < 2) return fc.constant(undefined);
  return fc.constantFrom(undefined, [0], [1], [0, 1]);
}

function onBarriers(sizes: Sizes): Kinds {
  if (sizes.barriers === 0) return [];
  const bar = below(sizes.barriers);
  const ctas = reach(sizes);
  const count = fc.constantFrom(1, 1, 1, 2);
  const arrive = fc.record({ do: is('arrive'), bar, count, bytes, everyLane: fc.boolean(), ctas });
  const plain = fc.record({
    do: is('arrive'),
    bar,
    count: fc.constant(1),
    bytes: fc.constant(0),
    everyLane: fc.constant(false),
    ctas,
  });
  const wait = fc.record({ do: is('wait'), bar, phase });
  return [
    plain,
    plain,
    arrive,
    wait,
    wait,
    fc.record({ do: is('waitParity'), bar, bit: below(2) }),
    fc.oneof(
      fc.record({ do: fc.constantFrom('expectTx', 'completeTx'), bar, bytes, ctas }),
      fc.record({ do: is('arriveDrop'), bar, count }),
      fc.record({ do: is('init'), bar, count }),
      fc.record({ do: is('invalidate'), bar }),
    ),
    fc.record({ do: is('commit'), unit, bar, ctas }),
  ] as Kinds;
}

function onMemory(sizes: Sizes): Kinds {
  const bar = fc.integer({ min: -1, max: sizes.barriers - 1 });
  const some = (most: number) =>
    fc.array(below(sizes.buffers), { maxLength: sizes.buffers === 0 ? 0 : most });
  const cell = below(sizes.cells);
  const kinds = [
    fc.record({
      do: is('asyncCopy'),
      unit: fc.constantFrom('tma', 'bulk'),
      bar,
      bytes,
      into: some(1),
      ctas: reach(sizes),
    }),
    fc.record({ do: is('asyncUse'), unit, reads: some(1), writes: some(1), group: fc.boolean() }),
    fc.record({ do: is('commitGroup'), unit }),
    fc.record({ do: is('waitGroup'), unit, most: below(2) }),
  ] as Kinds;
  if (sizes.buffers > 0) {
    const buffer = below(sizes.buffers);
    const cta = sizes.ctas < 2 ? fc.constant(undefined) : fc.constantFrom(undefined, 0, 1);
    kinds.push(fc.record({ do: fc.constantFrom('read', 'write'), buffer, cta }) as Kinds[number]);
  }
  if (sizes.cells > 0) {
    kinds.push(fc.record({ do: is('store'), cell, value: below(2) }));
    kinds.push(
      fc.record({
        do: is('asyncCopy'),
        unit: is('bulk'),
        bar,
        bytes,
        into: some(1),
        cell,
        value: below(3),
      }),
    );
  }
  return kinds;
}

function meetings({ ctas }: Sizes): Kinds {
  const meet = fc.record({
    do: fc.constantFrom('syncNamed', 'syncNamed', 'arriveNamed'),
    id: fc.constantFrom(1, 1, 1, 2),
    threads: fc.constantFrom(2, 2, 2, 3, 4),
  }) as Kinds[number];
  const rare = fc.constantFrom<Statement>(
    { do: 'exit' },
    { do: 'syncCluster' },
    { do: 'syncCluster' },
  );
  return ctas > 1 ? [meet, rare] : [meet];
}

function others({ roles }: Sizes): Kinds {
  const pause = fc.record({ do: is('pause'), how: fc.constantFrom('compute', 'fence') });
  const family = fc.record({ do: fc.constantFrom('spawn', 'join'), role: below(roles) });
  return [fc.oneof(pause, family)] as Kinds;
}

function onPools(sizes: Sizes): Kinds {
  const pool = below(sizes.pools);
  const memory = slot;
  const units = fc.constantFrom(1, 1, 2, 3);
  const how = fc.constantFrom('read', 'write', 'use');
  return [
    fc.record({ do: is('alloc'), pool, units, memory }),
    fc.record({ do: is('free'), memory }),
    fc.record({ do: is('touchMemory'), memory, how }),
    fc.record({ do: is('relinquish'), pool }),
  ] as Kinds;
}

function onStages(sizes: Sizes): Kinds {
  const ring = below(sizes.rings);
  const side = fc.constantFrom('produce', 'consume');
  const ctas = reach(sizes);
  const stage = fc.record({ do: fc.constantFrom('readStage', 'writeStage', 'signal'), slot });
  return [
    fc.record({ do: is('acquire'), ring, side, slot }),
    fc.record({ do: is('release'), slot, signal: fc.boolean() }),
    fc.record({ do: is('drain'), ring }),
    fc.record({ do: is('expect'), slot, bytes }),
    stage,
    fc.record({ do: fc.constantFrom('copy', 'arriveStage', 'commitStage'), slot, ctas }),
    ...onSides(ring),
    fc.record({ do: is('issue'), slot, into: fc.integer({ min: -1, max: sizes.buffers - 1 }) }),
  ] as Kinds;
}

function onSides(ring: fc.Arbitrary<number>): Kinds {
  const side = fc.constantFrom('produce', 'consume');
  const ready = fc.constantFrom('no', 'yes', 'try');
  const what = fc.constantFrom('read', 'write', 'arrive');
  return [
    fc.record({ do: is('waitSide'), ring, side, ready }),
    fc.record({ do: is('stepSide'), ring, side, lanes: fc.constant(1) }),
    fc.record({ do: is('signalStep'), ring, side }),
    fc.record({ do: is('touchSide'), ring, side, what }),
  ] as Kinds;
}

function nested(sizes: Sizes, depth: number): Kinds {
  const body = soupBody(sizes, depth, 3);
  const kinds = [
    fc.record({ do: is('choose'), branches: fc.array(body, { minLength: 1, maxLength: 3 }) }),
    fc.record({ do: is('repeat'), times: fc.integer({ min: 0, max: 2 }), body }),
    fc.record({ do: is('until'), body, carry: fc.constantFrom(undefined, 0) }),
  ] as Kinds;
  if (sizes.barriers > 0) {
    const bar = below(sizes.barriers);
    kinds.push(fc.record({ do: is('tryWait'), bar, phase, then: body, else: body }));
    kinds.push(fc.record({ do: is('poll'), bar, phase, body }));
  }
  if (sizes.counts > 0) {
    const count = below(sizes.counts);
    const carry = fc.constantFrom(undefined, 0);
    kinds.push(fc.record({ do: is('loop'), count, body, carry }));
  }
  if (sizes.cells > 0) {
    const cell = below(sizes.cells);
    const amount = fc.constantFrom(undefined, 1, -1);
    const equals = below(2);
    kinds.push(fc.record({ do: is('load'), cell, amount, equals, then: body, else: body }));
    kinds.push(fc.record({ do: is('spin'), cell, equals, body }));
  }
  if (sizes.rings > 0) {
    const ring = below(sizes.rings);
    const side = fc.constantFrom('produce', 'consume');
    const scoped = { do: is('scoped'), ring, side, explicit: fc.boolean(), slot, body };
    kinds.push(fc.record(scoped) as Kinds[number], fc.record(scoped) as Kinds[number]);
    kinds.push(
      fc.record({ do: is('tryStage'), ring, side, then: body, else: body }) as Kinds[number],
    );
    kinds.push(fc.record({ do: is('claim'), ring, slot, then: body, else: body }));
  }
  return kinds;
}
