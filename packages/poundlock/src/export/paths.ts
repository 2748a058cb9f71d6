// Silent operations: nobody else sees them, so a move makes all of them up to the next visible one.
import { InputError, unreachable } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { isSilent, OpKind, type SilentKind } from '@poundlock/core/internal/op';
import type { GraphStep, RoleGraph } from './graph.ts';
import type { Call, CountModel, Guard, RegisterModel } from './model.ts';
import type { Things } from './symbol-table.ts';

/** The most silent operations that one move makes. */
const MAX_SILENT = 1000;

/** One way through silent steps: when it is taken, what it does, and where it leads to. */
export interface Path {
  readonly guards: readonly Guard[];
  readonly calls: readonly Call[];
  readonly to: number;
}

/** A way under way: how far registers and counts have moved on it already. */
interface Way extends Path {
  readonly plus: ReadonlyMap<RegisterModel | CountModel, number>;
  readonly shifts: ReadonlySet<Call & { do: 'shift' }>;
}

/** Every way from a step to the next visible steps. */
export function pathsFrom(
  things: Things,
  steps: ReadonlyMap<number, GraphStep>,
  from: number,
): Path[] {
  let ways: Way[] = [{ guards: [], calls: [], to: from, plus: new Map(), shifts: new Set() }];
  const ended: Path[] = [];
  for (let made = 0; ways.length > 0; made++) {
    if (made > MAX_SILENT) {
      throw new InputError(
        `a role performs ${MAX_SILENT} operations that no other role can observe`,
      );
    }
    ways = ways.flatMap((way) => {
      const { instruction, edges } = steps.get(way.to)!;
      if (instruction === null || !isSilent(instruction.kind)) {
        ended.push({ ...way, calls: [...way.calls, ...way.shifts] });
        return [];
      }
      const { kind } = instruction;
      return [...edges].map(([answer, to]) => further(things, way, kind, instruction, answer, to));
    });
  }
  return ended;
}

function further(
  things: Things,
  way: Way,
  kind: SilentKind,
  instruction: Instruction,
  answer: number,
  to: number,
): Way {
  const plusOf = (one: RegisterModel | CountModel): number => way.plus.get(one) ?? 0;
  switch (kind) {
    case OpKind.step: {
      const register = things.register(instruction);
      const calls: Call[] = [...way.calls];
      if (instruction.past >= 0) {
        calls.push({ do: 'must-stand', register, stage: instruction.past });
      }
      calls.push({ do: 'step', register });
      const shift = things.shift(instruction.target, instruction.cta);
      const shifts = new Set(way.shifts);
      const isKnown = [...shifts].some((one) => one.shift === shift);
      if (shift !== null && !isKnown) shifts.add({ do: 'shift', shift });
      const plus = new Map(way.plus).set(register, plusOf(register) + 1);
      return { ...way, calls, to, plus, shifts };
    }
    case OpKind.stage: {
      const register = things.register(instruction);
      const guard: Guard = { if: 'stage', register, plus: plusOf(register), stage: answer };
      return { ...way, guards: [...way.guards, guard], to };
    }
    case OpKind.more: {
      const count = things.count(instruction);
      const guard: Guard = { if: 'more', count, plus: plusOf(count), answer: answer === 1 };
      const guards = [...way.guards, guard];
      if (answer === 0) return { ...way, guards, to };
      const plus = new Map(way.plus).set(count, plusOf(count) + 1);
      return { ...way, guards, calls: [...way.calls, { do: 'count', count }], to, plus };
    }
    // Time and fences change nothing that a model has (S03, S04).
    case OpKind.compute:
    case OpKind.fence:
      return { ...way, to };
    default:
      return unreachable(kind);
  }
}

/** The way that a role takes before its first visible step, where all its numbers are 0. */
export function startOf(things: Things, { entry, steps }: RoleGraph): Path {
  const path = pathsFrom(things, steps, entry).find(({ guards }) => guards.every(holdsAtZero));
  if (path === undefined) throw new InputError('a role never reaches an operation');
  return path;
}

function holdsAtZero(guard: Guard): boolean {
  if (guard.if === 'stage') return guard.plus % guard.register.stages === guard.stage;
  if (guard.if === 'more') return guard.plus < guard.count.total === guard.answer;
  return true;
}
