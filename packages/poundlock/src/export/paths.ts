// Merges silent operations into transitions, up to the next visible operation.
import { InputError, unreachable } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { isSilent, OpKind, type SilentKind } from '@poundlock/core/internal/op';
import type { GraphStep, RoleGraph } from './graph.ts';
import type { Call, CountModel, Guard, RegisterModel } from './model.ts';
import type { SymbolTable } from './symbol-table.ts';

/** The most silent operations in one transition. */
const MAX_SILENT = 1000;

/** One path through silent steps: its condition, its effects, and its destination. */
export interface Path {
  readonly guards: readonly Guard[];
  readonly calls: readonly Call[];
  readonly to: number;
}

/** A partial path, and how far it has already advanced registers and counts. */
interface PartialPath extends Path {
  readonly plus: ReadonlyMap<RegisterModel | CountModel, number>;
  readonly shifts: ReadonlySet<Call & { do: 'shift' }>;
}

/** All paths from a step to the next visible steps. */
export function pathsFrom(
  symbols: SymbolTable,
  steps: ReadonlyMap<number, GraphStep>,
  from: number,
): Path[] {
  let partials: PartialPath[] = [
    { guards: [], calls: [], to: from, plus: new Map(), shifts: new Set() },
  ];
  const ended: Path[] = [];
  for (let length = 0; partials.length > 0; length++) {
    if (length > MAX_SILENT) {
      throw new InputError(
        `a role performs ${MAX_SILENT} operations that no other role can observe`,
      );
    }
    partials = partials.flatMap((partial) => {
      const { instruction, edges } = steps.get(partial.to)!;
      if (instruction === null || !isSilent(instruction.kind)) {
        ended.push({ ...partial, calls: [...partial.calls, ...partial.shifts] });
        return [];
      }
      const { kind } = instruction;
      return [...edges].map(([answer, to]) =>
        extended(symbols, partial, kind, instruction, answer, to),
      );
    });
  }
  return ended;
}

function extended(
  symbols: SymbolTable,
  partial: PartialPath,
  kind: SilentKind,
  instruction: Instruction,
  answer: number,
  to: number,
): PartialPath {
  const plusOf = (one: RegisterModel | CountModel): number => partial.plus.get(one) ?? 0;
  switch (kind) {
    case OpKind.step: {
      const register = symbols.register(instruction);
      const calls: Call[] = [...partial.calls];
      if (instruction.past >= 0) {
        calls.push({ do: 'must-stand', register, stage: instruction.past });
      }
      calls.push({ do: 'step', register });
      const shift = symbols.shift(instruction.target, instruction.cta);
      const shifts = new Set(partial.shifts);
      const isKnown = [...shifts].some((one) => one.shift === shift);
      if (shift !== null && !isKnown) shifts.add({ do: 'shift', shift });
      const plus = new Map(partial.plus).set(register, plusOf(register) + 1);
      return { ...partial, calls, to, plus, shifts };
    }
    case OpKind.stage: {
      const register = symbols.register(instruction);
      const guard: Guard = { if: 'stage', register, plus: plusOf(register), stage: answer };
      return { ...partial, guards: [...partial.guards, guard], to };
    }
    case OpKind.more: {
      const count = symbols.count(instruction);
      const guard: Guard = { if: 'more', count, plus: plusOf(count), answer: answer === 1 };
      const guards = [...partial.guards, guard];
      if (answer === 0) return { ...partial, guards, to };
      const plus = new Map(partial.plus).set(count, plusOf(count) + 1);
      return { ...partial, guards, calls: [...partial.calls, { do: 'count', count }], to, plus };
    }
    // Time and fences have no effect in a model (S03, S04).
    case OpKind.compute:
    case OpKind.fence:
      return { ...partial, to };
    default:
      return unreachable(kind);
  }
}

/** The path of a role to its first visible step, where all its numbers are 0. */
export function startOf(symbols: SymbolTable, { entry, steps }: RoleGraph): Path {
  const path = pathsFrom(symbols, steps, entry).find(({ guards }) => guards.every(holdsAtZero));
  if (path === undefined) throw new InputError('a role never reaches an operation');
  return path;
}

function holdsAtZero(guard: Guard): boolean {
  if (guard.if === 'stage') return guard.plus % guard.register.stages === guard.stage;
  if (guard.if === 'more') return guard.plus < guard.count.total === guard.answer;
  return true;
}
