// Q04: whether some order of register changes gets stuck, compared with every order of them.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { registerOrders, type RegisterUse } from '#src/check/register-cuts';

/** One event of a random order: its role, what it frees, and which event it waits for. */
interface Event {
  readonly role: number;
  readonly freed: number;
  readonly after: number;
}

/** The use of registers that has these events, with all that follows from their order. */
function useOf(free: number, roles: number, events: readonly Event[]): RegisterUse {
  const lists: { freed: number; before: number[] }[][] = Array.from({ length: roles }, () => []);
  const clocks: number[][] = [];
  const latest: number[][] = Array.from({ length: roles }, () => Array(roles).fill(0));
  for (const [at, { role, freed, after }] of events.entries()) {
    const other = clocks[after % (at + 1)] ?? latest[role]!;
    const before = latest[role]!.map((count, index) => Math.max(count, other[index]!));
    lists[role]!.push({ freed, before });
    const clock = before.map((count, index) => (index === role ? lists[role]!.length : count));
    clocks.push(clock);
    latest[role] = clock;
  }
  return { free, roles: lists };
}

/** Tries every order, one change after the other: whether one of them gets stuck. */
function getsStuck({ free, roles }: RegisterUse): boolean {
  const seen = new Set<string>();
  const visit = (at: readonly number[], left: number): boolean => {
    if (seen.has(at.join())) return false;
    seen.add(at.join());
    let isOver = true;
    let hasMoved = false;
    for (const [role, changes] of roles.entries()) {
      const change = changes[at[role]!];
      if (change === undefined) continue;
      isOver = false;
      if (change.before.some((count, other) => at[other]! < count)) continue;
      if (change.freed < 0 && -change.freed > left) continue;
      hasMoved = true;
      const next = at.map((count, other) => (other === role ? count + 1 : count));
      if (visit(next, left + change.freed)) return true;
    }
    return !hasMoved && !isOver;
  };
  return visit(
    roles.map(() => 0),
    free,
  );
}

/** Makes the changes of an order, and says whether nothing can follow. */
function endsStuck({ free, roles }: RegisterUse, order: readonly number[]): boolean {
  const at = roles.map(() => 0);
  let left = free;
  const isNext = (role: number): boolean =>
    roles[role]![at[role]!]?.before.every((count, other) => at[other]! >= count) === true;
  for (const role of order) {
    assert.ok(isNext(role), 'what comes before is done');
    left += roles[role]![at[role]!]!.freed;
    at[role]!++;
    assert.ok(left >= 0, 'a taking fits');
  }
  const next = [...roles.keys()].filter(isNext);
  return next.length > 0 && next.every((role) => -roles[role]![at[role]!]!.freed > left);
}

const event = fc.record({
  role: fc.nat({ max: 3 }),
  freed: fc.constantFrom(-3, -2, -1, 0, 1, 2, 3),
  after: fc.nat({ max: 40 }),
});

/** Some events, with copies of one role's among them: alike, or in the same number alone. */
const pools = fc
  .tuple(
    fc.nat({ max: 6 }),
    fc.array(event, { maxLength: 8 }),
    fc.array(fc.array(fc.nat({ max: 40 }), { minLength: 4, maxLength: 4 }), { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([free, events, copies, areAlike]) => {
    const all = events.flatMap((own) => {
      if (own.role !== 0) return [own];
      const others = copies.map((after, copy) => ({
        ...own,
        role: 4 + copy,
        after: areAlike ? own.after : after[own.after % 4]!,
      }));
      return [own, ...others];
    });
    return useOf(free, 6, all);
  });

suite('Q04: orders of register changes', () => {
  test('the verdict is that of every order', () => {
    fc.assert(
      fc.property(pools, (use) => {
        const found = registerOrders(use);
        assert.notEqual(found.kind, 'bound');
        assert.equal(found.kind === 'stuck', getsStuck(use));
        if (found.kind === 'stuck') assert.ok(endsStuck(use, found.order));
      }),
      { numRuns: 5000, seed: 2 },
    );
  });

  test('warps of two groups take the last registers and wait for their groups', () => {
    // Each warp takes 4 of 16; a warp gives back after all four of its group have taken.
    const group = (first: number): RegisterUse['roles'] =>
      Array.from({ length: 4 }, () => {
        const none = Array(8).fill(0);
        const all = none.map((_, role) => Number(role >= first && role < first + 4));
        return [
          { freed: -4, before: none },
          { freed: 4, before: all },
        ];
      });
    const roles = [...group(0), ...group(4)];
    const found = registerOrders({ free: 16, roles });
    assert.equal(found.kind, 'stuck');
    assert.equal(registerOrders({ free: 28, roles }).kind, 'fit');
    assert.equal(registerOrders({ free: 27, roles }).kind, 'stuck');
  });

  test('equal lists are not enough for two roles to be alike', () => {
    // Roles 0, 2 and 3 take and give the same, after as many changes: 2 comes after 0.
    const roles = [
      [
        { freed: -2, before: [0, 1, 0, 0] },
        { freed: 1, before: [1, 1, 0, 1] },
      ],
      [{ freed: 1, before: [0, 0, 0, 0] }],
      [
        { freed: -2, before: [1, 1, 0, 0] },
        { freed: 1, before: [1, 1, 1, 0] },
      ],
      [
        { freed: -2, before: [0, 1, 0, 0] },
        { freed: 1, before: [1, 1, 0, 1] },
      ],
    ];
    const use = { free: 3, roles };
    assert.ok(getsStuck(use));
    assert.equal(registerOrders(use).kind, 'stuck');
  });

  test('many roles that are alike are few cuts, and the bound is one', () => {
    const alike = (count: number): RegisterUse['roles'] =>
      Array.from({ length: count }, (_, role) => {
        const before = Array(count).fill(0);
        return [
          { freed: -1, before },
          { freed: 1, before: before.map((_, other) => Number(other === role)) },
        ];
      });
    assert.equal(registerOrders({ free: 1, roles: alike(64) }, 200).kind, 'fit');
    const different = alike(16).map((changes, role) => {
      return changes.map(({ freed, before }) => ({ freed: freed * (role + 1), before }));
    });
    assert.equal(registerOrders({ free: 40, roles: different }, 50).kind, 'bound');
  });
});
