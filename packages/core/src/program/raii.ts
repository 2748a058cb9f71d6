// RAII ownership: moves each release after its handle's last use (docs/reference/ownership.md).
import type { Machine } from '../machine/index.ts';
import { OpKind } from '../op/index.ts';
import type { Divergence } from './determinism.ts';
import type { StageHandle } from './handle.ts';
import { coveredBy, handleOf, misuseOf, misuseOp, type Owned } from './ownership.ts';
import type { Program } from './program.ts';
import { ListSteps, type RecordedStep } from './recording.ts';
import { Resolver } from './resolve.ts';
import type { Steps } from './steps.ts';
import { runLinear, type LinearStep } from './linear-run.ts';

/** A role's operations, driven twice: the second run must do the same (P09). */
export function raiiSteps(
  program: Program,
  machine: Machine,
): { steps: Steps; divergence: Divergence | null } {
  const resolver = new Resolver(program, machine);
  const lists: RecordedStep[][] = [];
  let divergence: Divergence | null = null;
  for (let role = 0; role < program.roles.length; role++) {
    const [list, again] = [0, 1].map(() => {
      return recorded(withDestructors(runLinear(program, role)), resolver, role);
    });
    const first = lists.reduce((sum, { length }) => sum + length + 1, 0);
    divergence ??= difference(role, list!, again!, first);
    lists.push(list!);
  }
  return { steps: new ListSteps(lists, [], machine, null), divergence };
}

/** Moves each release to where its handle was used last, with the operations of that use. */
export function withDestructors(steps: readonly LinearStep[]): LinearStep[] {
  const lastUse = new Map<number, number>();
  for (const [at, { op }] of steps.entries()) {
    const handle = handleOf(op);
    if (handle === null || op.kind === OpKind.disown) continue;
    lastUse.set(handle.id, at + coveredBy(op));
  }
  const released = new Map<number, LinearStep[]>();
  const isMoved = new Set<number>();
  for (const [at, { op }] of steps.entries()) {
    const handle = op.kind === OpKind.disown ? handleOf(op) : null;
    if (handle === null) continue;
    const use = lastUse.get(handle.id)!;
    const { place } = steps[use]!;
    const covered = coveredBy(op);
    const block = steps.slice(at, at + 1 + covered).map((one) => ({ op: one.op, place }));
    for (let i = at; i <= at + covered; i++) isMoved.add(i);
    released.set(use, [...(released.get(use) ?? []), ...block]);
  }
  return steps.flatMap((one, at) => [
    ...(isMoved.has(at) ? [] : [one]),
    ...(released.get(at) ?? []),
  ]);
}

/**
 * The steps that an engine sees of what a role does: ghosts are left out, except where they are
 * misused.
 */
export function recorded(
  steps: readonly LinearStep[],
  resolver: Resolver,
  role: number,
): RecordedStep[] {
  const live = new Map<number, Owned>();
  let owned: readonly Owned[] = [];
  const list: RecordedStep[] = [];
  for (const { op, place } of steps) {
    const handle = handleOf(op);
    const base = { answer: 0, source: -1, place, owned };
    if (handle === null) {
      const misuse = misuseOf(op);
      const instruction = misuse === null ? resolver.resolve(op, role) : null;
      list.push({ ...base, instruction, misuse, otherPlace: misuse?.other.at });
      continue;
    }
    if (op.kind === OpKind.disown) live.delete(handle.id);
    if (op.kind === OpKind.own) {
      const rival = [...live.values()].find((one) => isSameStage(one.handle, handle));
      const at = rival?.acquiredAt;
      const misuse = misuseOf(
        misuseOp(OpKind.own, 'double-acquire', rival?.handle ?? handle, { at }),
      );
      if (rival !== undefined) list.push({ ...base, instruction: null, misuse, otherPlace: at });
      live.set(handle.id, { handle, acquiredAt: place });
    }
    owned = [...live.values()];
  }
  return list;
}

/** Where the release steps, whatever is acquired before that is the same stage. */
function isSameStage(a: StageHandle, b: StageHandle): boolean {
  return a.ring === b.ring && a.side === b.side && (a.steps || a.index === b.index);
}

function difference(
  role: number,
  list: readonly RecordedStep[],
  again: readonly RecordedStep[],
  first: number,
): Divergence | null {
  const length = Math.max(list.length, again.length);
  for (let at = 0; at < length; at++) {
    const [one, two] = [list[at], again[at]];
    if (one !== undefined && two !== undefined && one.instruction === two.instruction) continue;
    return {
      rule: 'nondeterministic-role',
      role,
      expected: one === undefined ? -1 : first + at,
      expectedAt: one?.place,
      found: two?.instruction ?? null,
      foundAt: two?.place,
    };
  }
  return null;
}
