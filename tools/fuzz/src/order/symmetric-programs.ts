// Random programs with roles that do the same: searches and proofs take them for one another.
import * as fc from 'fast-check';
import type { DullProgram, Statement } from './dull-program.ts';

/** What becomes of a program: which role is doubled, how often, and who waits for the twins. */
interface Doubling {
  readonly which: number;
  readonly times: number;
  /** Whether barriers and rings count on the twins. */
  readonly counts: boolean;
  /** What one more role does: it names twins, which are not the same for it. */
  readonly watcher: readonly ('join' | 'write' | 'read')[];
}

const doubling: fc.Arbitrary<Doubling> = fc.record({
  which: fc.nat(2),
  times: fc.constantFrom(1, 1, 1, 2),
  counts: fc.boolean(),
  watcher: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    {
      arbitrary: fc.array(fc.constantFrom('join', 'join', 'write', 'read'), { maxLength: 4 }),
      weight: 1,
    },
  ) as fc.Arbitrary<Doubling['watcher']>,
});

/** A program whose last roles are that of number `which`, and perhaps one that waits for them. */
function doubled(program: DullProgram, { which, times, counts, watcher }: Doubling): DullProgram {
  const first = which % program.roles.length;
  const role = program.roles[first]!;
  const barriers = program.barriers.map((one) => ({ ...one, count: one.count + times }));
  const rings = program.rings.map((ring) => ({ ...ring, consumers: 1 + times }));
  const changed = counts ? { ...program, barriers, rings } : program;
  const roles = [...program.roles, ...Array.from({ length: times }, () => role)];
  const copies = [first, roles.length - 1];
  const body = watcher.flatMap((what, at): Statement[] => {
    if (what === 'join') return [{ do: 'join', role: copies[at % copies.length]! }];
    return program.buffers === 0 ? [] : [{ do: what, buffer: 0 }];
  });
  if (body.length === 0) return { ...changed, roles };
  const { cta, lanes } = role;
  return { ...changed, roles: [...roles, { cta, lanes, spawned: false, body }] };
}

/** Programs of `from` with twins. */
export function withSymmetricRoles(from: fc.Arbitrary<DullProgram>): fc.Arbitrary<DullProgram> {
  return fc.tuple(from, doubling).map(([program, how]) => doubled(program, how));
}
