// What the roles of a program do that others can see: the same for every way of keeping a counter.
import assert from 'node:assert/strict';
import { OpKind } from '@poundlock/core/internal/op';
import { Program, Unfolding } from '@poundlock/core/internal/program';
import { agentOf, describe, Names, optionOf, System } from '@poundlock/core/internal/system';
import type { Kernel, ParameterValue } from 'poundlock';

/** By role: its operations in words, waits by the barrier and phase that they want. */
export function visibleSteps(
  kernel: Kernel,
  params: Readonly<Record<string, ParameterValue>> = {},
): Record<string, string[]> {
  const program = new Program(kernel, params);
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const names = new Names(system);
  const words = system.initial();
  const steps = Object.fromEntries(program.roles.map(({ name }) => [name, [] as string[]]));
  const moves = new Int32Array(1 << 12);
  for (let turn = 0; ; turn++) {
    const count = system.moves(words, moves);
    if (count === 0) break;
    const move = moves[turn % count]!;
    assert.equal(optionOf(move) < 1 || agentOf(move) >= system.roles, true);
    if (agentOf(move) < system.roles) {
      const { name } = program.roles[agentOf(move)]!;
      steps[name]!.push(wordsOf(system, names, words, agentOf(move)));
    }
    system.apply(words, move);
    assert.deepEqual(system.symptoms, []);
  }
  assert.ok(system.isFinal(words), 'the program ends');
  return steps;
}

function wordsOf(system: System, names: Names, words: Int32Array, role: number): string {
  const instruction = system.steps.instruction(words[role]!)!;
  const { kind } = instruction;
  if (kind !== OpKind.wait && kind !== OpKind.waitStage) return describe(names, instruction);
  const barrier = names.barrier(system.wantedBarrier(words, instruction));
  return `wait for ${barrier} phase ${system.wantedPhase(words, instruction)}`;
}
