// Finds the line of an operation that a role never performs, for engines that do not record places.
import type { Position } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import { CATALOGUE, OpKind } from '../op/index.ts';
import { Unfolding, type Program, type StepId } from '../program/index.ts';
import { layOutSystem } from './layout.ts';

/** The most steps that are looked at (bound `floating-steps`). */
const MAX_STEPS = 20_000;
/** The results that are tried of an operation that may have any: both of a test among them. */
const SOME: readonly number[] = [0, 1];
const NO_STAGE = -1;

/**
 * Where a role creates an operation that it never performs (P13): the first one on any way through
 * the role, whatever its operations return. `undefined` where none is found.
 */
export function floatingPlace(program: Program, role: number): Position | undefined {
  const steps = new Unfolding(program, layOutSystem(program).machine);
  const queue: StepId[] = [steps.entry(role)];
  const seen = new Set(queue);
  for (let at = 0; at < queue.length && at < MAX_STEPS; at++) {
    const step = queue[at]!;
    if (steps.misuse(step)?.rule === 'floating-op') return steps.position(step);
    const instruction = steps.instruction(step);
    if (instruction === null) continue;
    for (const result of results(program, instruction)) {
      const next = steps.follow(step, result);
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  }
  return undefined;
}

/** Results that an operation may return. */
function results(program: Program, instruction: Instruction): readonly number[] {
  const { kind, target, choices } = instruction;
  const { answer } = CATALOGUE[kind]!;
  switch (answer) {
    case 'none':
      return [0];
    case 'own':
      if (kind === OpKind.more) return SOME;
      return [...program.declarations.rings[target]!.full.keys()];
    case 'pool':
      return program.declarations.pools[Math.floor(target / program.ctas)]!.buffers;
    case 'open':
      if (kind === OpKind.choose) return SOME.slice(0, choices);
      return kind === OpKind.tryClaim ? [0, NO_STAGE] : SOME;
  }
}
