// In which of its ways a role goes on that gets an answer: how a run without moves becomes one.
import { OpKind } from '../op/index.ts';
import type { System } from './system.ts';

/** The option of the move by which a role gets an answer. */
export function optionFor(system: System, words: Int32Array, role: number, answer: number): number {
  const instruction = system.instruction(words[role]!);
  if (instruction === null) return 0;
  const { kind } = instruction;
  if (kind === OpKind.choose) return answer;
  const isTried = kind === OpKind.tryWait || kind === OpKind.tryWaitStage;
  const isNo = isTried ? answer === 0 : kind === OpKind.tryClaim && answer < 0;
  return isNo ? Math.max(0, system.options(words, role) - 1) : 0;
}
