// Random programs that create operations, and perform them at once, later, again, or never (P13).
import * as fc from 'fast-check';
import { barrier, cell, choose, compute, end, fetchAdd, kernel, load, loop } from '@poundlock/core';
import { role, syncNamed, tryWait, UNITS, wait, waitGroup, waitParity } from '@poundlock/core';
import type { Barrier, Cell, Kernel, Op, Operation } from '@poundlock/core';
import type { Checker } from '../checker.ts';
import type { Looked } from '../looked.ts';

/** Operations that no run waits for. */
const CREATED = {
  wait: (bar: Barrier) => wait(bar, -1),
  waitParity: (bar: Barrier) => waitParity(bar, 1),
  tryWait: (bar: Barrier) => tryWait(bar, -1),
  waitGroup: () => waitGroup(UNITS.mma, 0),
  syncNamed: () => syncNamed(1, 32),
  load: (_: Barrier, at: Cell) => load(at),
  fetchAdd: (_: Barrier, at: Cell) => fetchAdd(at, 1),
  compute: () => compute(1),
} as const satisfies Readonly<Record<string, (bar: Barrier, at: Cell) => Operation<unknown>>>;

type Action =
  | { readonly do: 'make'; readonly kind: keyof typeof CREATED; readonly slot: number }
  | { readonly do: 'perform'; readonly slot: number }
  | { readonly do: 'both'; readonly kind: keyof typeof CREATED }
  | { readonly do: 'choose'; readonly branches: readonly (readonly Action[])[] }
  | { readonly do: 'rounds'; readonly times: number; readonly body: readonly Action[] };

/** The actions of each role. A round of `rounds` has slots of its own. */
export type PerformedProgram = readonly (readonly Action[])[];

const slot = fc.nat(1);
const kind = fc.constantFrom(...(Object.keys(CREATED) as (keyof typeof CREATED)[]));
const make: fc.Arbitrary<Action> = fc.record({ do: fc.constant('make'), kind, slot });
const perform: fc.Arbitrary<Action> = fc.record({ do: fc.constant('perform'), slot });
const both: fc.Arbitrary<Action> = fc.record({ do: fc.constant('both'), kind });
/** Made, and performed after something else. */
const later: fc.Arbitrary<readonly Action[]> = fc
  .tuple(kind, slot, both, fc.integer({ min: 1, max: 2 }))
  .map(([kind, slot, between, times]) => [
    { do: 'make', kind, slot },
    between,
    ...Array.from({ length: times }, () => ({ do: 'perform' as const, slot })),
  ]);

function actions(depth: number): fc.Arbitrary<readonly Action[]> {
  const kinds = [
    { arbitrary: both.map((one) => [one]), weight: 6 },
    { arbitrary: later, weight: 4 },
    { arbitrary: make.map((one) => [one]), weight: 1 },
    { arbitrary: perform.map((one) => [one]), weight: 1 },
  ];
  if (depth > 0) {
    const body = actions(depth - 1);
    const branches = fc.array(body, { minLength: 2, maxLength: 2 });
    const nested: fc.Arbitrary<Action> = fc.oneof(
      fc.record({ do: fc.constant('choose' as const), branches }),
      fc.record({ do: fc.constant('rounds' as const), times: fc.nat(2), body }),
    );
    kinds.push({ arbitrary: nested.map((one) => [one]), weight: 2 });
  }
  return fc.array(fc.oneof(...kinds), { maxLength: 3 }).map((lists) => lists.flat());
}

export const performedProgram: fc.Arbitrary<PerformedProgram> = fc.array(actions(2), {
  minLength: 1,
  maxLength: 2,
});

export function toPerformedKernel(program: PerformedProgram): Kernel {
  return kernel('performed', {}, () => {
    const bar = barrier('bar');
    const roles = program.map((body, index) => {
      const own = cell(`own${index}`, 0);
      return role(`r${index}`, { lanes: 32 }, function* () {
        yield* run(body, new Map(), bar, own, index);
      });
    });
    return roles;
  });
}

type Slots = Map<number, Operation<unknown>>;

function* run(
  body: readonly Action[],
  slots: Slots,
  bar: Barrier,
  own: Cell,
  id: number,
): Generator<Op, void, number> {
  for (const one of body) {
    if (one.do === 'make') slots.set(one.slot, createdHere(one.kind, bar, own, id));
    else if (one.do === 'both') yield* createdHere(one.kind, bar, own, id);
    else if (one.do === 'perform') {
      const operation = slots.get(one.slot);
      slots.delete(one.slot);
      if (operation !== undefined) yield* operation;
    } else if (one.do === 'choose') {
      yield* run(one.branches[yield* choose(one.branches.length)]!, slots, bar, own, id);
    } else {
      yield* loop(0, function* (round) {
        if (round === one.times) return end(0);
        yield* run(one.body, new Map(), bar, own, id);
        return round + 1;
      });
    }
  }
}

/** Each role has a named barrier of its own. */
function createdHere(
  kind: keyof typeof CREATED,
  bar: Barrier,
  own: Cell,
  id: number,
): Operation<unknown> {
  return kind === 'syncNamed' ? syncNamed(id + 1, 32) : CREATED[kind](bar, own);
}

/** Which slots hold an operation, and which of those was performed since it was createdHere. */
type Held = ReadonlyMap<number, boolean>;

/** The ways a list of actions can end; `null` where one leaves an operation behind. */
function ends(body: readonly Action[], before: Held): readonly Held[] | null {
  let all: readonly Held[] = [before];
  for (const one of body) {
    const next: Held[] = [];
    for (const held of all) {
      if (one.do === 'make') {
        if (held.get(one.slot) === false) return null;
        next.push(new Map(held).set(one.slot, false));
      } else if (one.do === 'perform') {
        next.push(new Map([...held].filter(([slot]) => slot !== one.slot)));
      } else if (one.do === 'both') next.push(held);
      else if (one.do === 'choose') {
        for (const branch of one.branches) {
          const after = ends(branch, held);
          if (after === null) return null;
          next.push(...after);
        }
      } else {
        const isLeft = one.times > 0 && leaves(one.body);
        if (isLeft) return null;
        next.push(held);
      }
    }
    all = distinct(next);
  }
  return all;
}

function distinct(all: readonly Held[]): readonly Held[] {
  return [...new Map(all.map((one) => [JSON.stringify([...one].toSorted()), one])).values()];
}

/** Whether some run of the actions ends with an operation that was not performed. */
function leaves(body: readonly Action[]): boolean {
  const all = ends(body, new Map());
  return all === null || all.some((held) => [...held.values()].includes(false));
}

/** Compares `check` with what every run of the roles leaves behind. */
export async function lookAtPerformed(check: Checker, program: PerformedProgram): Promise<Looked> {
  const result = await check(toPerformedKernel(program), {
    memory: 'none',
    maxStates: 20_000,
    maxEvents: 20_000,
    timeoutMs: 2_000,
  });
  const { verdict } = result;
  if (verdict === 'inconclusive') return { verdict, fault: '' };
  const errors = result.findings.filter(({ severity }) => severity === 'error');
  const rules = [...new Set(errors.map(({ rule }) => rule))].join(' ');
  const isLeft = program.some(leaves);
  const isRight = isLeft ? rules === 'floating-op' : verdict === 'certified';
  const fault = isRight ? '' : `${verdict} ${rules}, but left behind: ${isLeft}`;
  return { verdict: isLeft ? 'floating-op' : verdict, fault };
}
