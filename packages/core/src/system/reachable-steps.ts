// Steps that a role may reach, whatever its operations return: for questions about program text.
import type { Instruction } from '../machine/index.ts';
import { CATALOGUE, OpKind } from '../op/index.ts';
import type { Program, StepId, Steps } from '../program/index.ts';

/** The most steps of a role that are looked at (bound `reachable-steps`). */
const MAX_STEPS = 20_000;
/** The results that are tried of an operation that may have any: both of a test among them. */
const SOME: readonly number[] = [0, 1];
const NO_STAGE = -1;

/** The steps of a role, the nearest first, each once; of a long role only the first ones. */
export function* reachableSteps(steps: Steps, program: Program, role: number): Generator<StepId> {
  const queue: StepId[] = [steps.entry(role)];
  const seen = new Set(queue);
  for (let at = 0; at < queue.length && at < MAX_STEPS; at++) {
    const step = queue[at]!;
    yield step;
    const instruction = steps.instruction(step);
    if (instruction === null) continue;
    for (const result of results(program, instruction)) {
      const next = steps.follow(step, result);
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  }
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
