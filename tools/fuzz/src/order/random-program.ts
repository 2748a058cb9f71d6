// Random programs: templates that are right, with up to two mutations, and soups.
import * as fc from 'fast-check';
import type { DullProgram, Statement } from './dull-program.ts';
import { allBarriers, everyStatement, withBlocks, blocks } from './dull-program.ts';
import { sequence } from './compose.ts';
import { mutate, mutation, sizesOf } from './mutation.ts';
import { remoteProgram } from './remote-program.ts';
import { soupBody, type Sizes } from './soup.ts';
import { TEMPLATES, type Knobs } from './templates.ts';
import { withSymmetricRoles } from './symmetric-programs.ts';

const knobs: fc.Arbitrary<Knobs> = fc.record({
  stages: fc.constantFrom(1, 2, 2, 3),
  tiles: fc.constantFrom(1, 2, 2, 3),
  lanes: fc.constantFrom(1, 2),
  mode: fc.constantFrom('parity', 'parity', 'counter'),
  advance: fc.constantFrom('release', 'acquire'),
  style: fc.nat(29),
  isLoop: fc.boolean(),
  drains: fc.boolean(),
});

/** A template with its knobs, and nothing wrong. */
const template: fc.Arbitrary<DullProgram> = fc
  .tuple(fc.constantFrom(...Object.keys(TEMPLATES)), knobs)
  .map(([name, seed]) => TEMPLATES[name]!(seed));

/** Mostly right: two templates in a row need not fit, with their CTAs, lanes and named barriers. */
export const rightProgram: fc.Arbitrary<DullProgram> = fc
  .oneof(
    { arbitrary: template, weight: 3 },
    { arbitrary: fc.tuple(template, template).map(([a, b]) => sequence(a, b)), weight: 1 },
  )
  .map(tidy);

const mutated = rightProgram.chain((program) =>
  fc
    .oneof(
      {
        arbitrary: fc.array(mutation(sizesOf(program)), { minLength: 1, maxLength: 1 }),
        weight: 3,
      },
      {
        arbitrary: fc.array(mutation(sizesOf(program)), { minLength: 2, maxLength: 2 }),
        weight: 1,
      },
    )
    .map((mutations) => tidy(mutations.reduce(mutate, program))),
);

const SIZES = fc.record({
  own: fc.constantFrom(1, 1, 2),
  buffers: fc.constantFrom(0, 1, 2),
  cells: fc.constantFrom(0, 0, 1),
  // 2: a ring and, mostly, a copy of it.
  rings: fc.constantFrom(0, 0, 0, 0, 1, 1, 2),
  counts: fc.constantFrom(0, 1),
  pools: fc.constantFrom(0, 0, 0, 1),
  ctas: fc.constantFrom(1, 1, 1, 2),
});

/** Programs of statements without a plan. */
const soupProgram = (sizes: Omit<Sizes, 'roles' | 'barriers'> & { own: number }) => {
  const barrier = fc.record({
    count: fc.constantFrom(0, 1, 1, 1, 1, 1, 2, 2),
    mode: fc.constantFrom('parity', 'parity', 'counter'),
  });
  const pool = fc.record({ capacity: fc.constantFrom(1, 2), buffers: fc.constantFrom(1, 2) });
  const ring = fc.record({
    stages: fc.constantFrom(1, 2),
    bytes: fc.constantFrom(0, 8, 8),
    advance: fc.constantFrom('release', 'acquire'),
    barriers: fc.constantFrom('parity', 'parity', 'counter'),
    producers: fc.constantFrom(1, 1, 1, 2),
    consumers: fc.constantFrom(1, 1, 1, 2),
  });
  const known: Sizes = { ...sizes, roles: 2, barriers: sizes.own + 2 * Math.min(1, sizes.rings) };
  const body = soupBody(known, 2, 4);
  const role = (cta: number) =>
    fc.record({
      cta: fc.constant(cta),
      lanes: fc.constantFrom(1, 1, 1, 2),
      spawned: fc.constantFrom(false, false, false, false, false, false, false, true),
      body,
    });
  return fc
    .record({
      barriers: fc.array(barrier, { minLength: sizes.own, maxLength: sizes.own }),
      buffers: fc.constant(sizes.buffers),
      cells: fc.constant(Array.from({ length: sizes.cells }, () => 0)),
      rings: fc.tuple(ring, fc.integer({ min: 0, max: 3 })).map(([one, forks]) => {
        if (sizes.rings === 0) return [];
        return sizes.rings === 2 && forks > 0 ? [one, { ...one, copyOf: 0 }] : [one];
      }),
      pools: fc.array(pool, { minLength: sizes.pools, maxLength: sizes.pools }),
      counts: fc.array(fc.nat(2), { minLength: sizes.counts, maxLength: sizes.counts }),
      roles: fc.oneof(
        fc.tuple(role(0), role(sizes.ctas - 1)),
        fc.tuple(role(0), role(0), role(sizes.ctas - 1)),
      ),
    })
    .map((program) => tidy(program as DullProgram));
};

const aSoup: fc.Arbitrary<DullProgram> = SIZES.chain(soupProgram);

/** Programs of two CTAs that reach into one another, and end. */
export const clusterProgram: fc.Arbitrary<DullProgram> = fc.oneof(
  { arbitrary: SIZES.chain((sizes) => soupProgram({ ...sizes, ctas: 2 })), weight: 2 },
  { arbitrary: remoteProgram.map(tidy), weight: 1 },
  {
    arbitrary: remoteProgram.chain((program) =>
      mutation(sizesOf(program)).map((one) => tidy(mutate(program, one))),
    ),
    weight: 2,
  },
);

const single: fc.Arbitrary<DullProgram> = fc.oneof(
  { arbitrary: rightProgram, weight: 2 },
  { arbitrary: mutated, weight: 5 },
  { arbitrary: aSoup, weight: 3 },
);

/** Programs of which several roles do the same. */
export const symmetricProgram: fc.Arbitrary<DullProgram> = withSymmetricRoles(single).map(tidy);

/** Programs of all kinds: about half are right. */
export const randomProgram: fc.Arbitrary<DullProgram> = fc.oneof(
  { arbitrary: single, weight: 4 },
  { arbitrary: symmetricProgram, weight: 1 },
);

/**
 * Leaves out what is no program: statements that name what is not there, claims where the counter
 * does not move at the acquire, waits for the parity of a counter, and copies that fill a stage
 * without bytes.
 */
export function tidy(program: DullProgram): DullProgram {
  const bars = allBarriers(program);
  const isEmpty = program.rings.some(({ bytes }) => bytes === 0);
  const fits = (one: Statement): boolean => {
    if (one.do === 'copy' && isEmpty) return false;
    if ('ring' in one && one.ring >= program.rings.length) return false;
    if ('bar' in one && one.bar >= bars.length) return false;
    if ('buffer' in one && one.buffer >= program.buffers) return false;
    if ('pool' in one && one.pool >= program.pools.length) return false;
    if ('role' in one && one.role >= program.roles.length) return false;
    if (one.do === 'waitParity' && bars[one.bar]!.mode === 'counter') return false;
    if (one.do !== 'claim') return true;
    const { advance } = program.rings[one.ring]!;
    return advance === 'acquire' && !program.rings.some((ring) => ring.copyOf !== undefined);
  };
  const ctas = sizesOf(program).ctas;
  const within = (one: Statement): Statement => {
    if ('cta' in one && (one.cta ?? 0) >= ctas) return { ...one, cta: undefined };
    if (!('ctas' in one) || one.ctas === undefined) return one;
    const left = one.ctas.filter((cta) => cta < ctas);
    return { ...one, ctas: left.length === 0 ? undefined : left };
  };
  const clean = (body: readonly Statement[]): Statement[] =>
    body.filter(fits).map((one) => withBlocks(within(one), blocks(one).map(clean)));
  const roles = program.roles.map((role) => ({ ...role, body: clean(role.body) }));
  // A copy is what its original is.
  const rings = program.rings.map((ring) => {
    return ring.copyOf === undefined
      ? ring
      : { ...program.rings[ring.copyOf]!, copyOf: ring.copyOf };
  });
  return { ...program, rings, roles };
}

/** The kinds of statements that a program has. */
export function kindsOf(program: DullProgram): Set<Statement['do']> {
  return new Set(program.roles.flatMap((role) => everyStatement(role.body)).map((one) => one.do));
}
