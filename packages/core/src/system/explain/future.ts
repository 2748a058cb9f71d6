// What a role has before it: its operations from here on if every wait of it passes.
import { OpKind, type UnansweredKind } from '../../op/index.ts';
import type { Instruction } from '../../machine/index.ts';
import type { System } from '../system.ts';

/** How far a role's future is followed when looking for what it owes. */
const MAX_LOOKAHEAD = 3000;

/** What a role has before it if every wait of it passes, and how far its registers are then. */
export function* future(
  system: System,
  words: Int32Array,
  role: number,
  most: number = MAX_LOOKAHEAD,
) {
  if (words[role]! < 0) return;
  const ahead = words.slice();
  for (let count = 0; count < most; count++) {
    const step = ahead[role]!;
    const instruction = system.steps.instruction(step);
    if (instruction === null) {
      if (system.steps.misuse(step) === null) return;
      ahead[role] = system.steps.follow(step, 0);
      continue;
    }
    yield { step, instruction, words: ahead };
    try {
      ahead[role] = system.steps.follow(step, guess(system, ahead, instruction));
    } catch {
      // The guessed answer lies outside of what the role can take: its future ends here.
      return;
    }
  }
}

/** The answer that lets a role go on in its most ordinary way. */
function guess(system: System, words: Int32Array, instruction: Instruction): number {
  const { kind } = instruction;
  switch (kind) {
    case OpKind.step:
      system.registers.step(words, instruction);
      return 0;
    case OpKind.more:
      return system.registers.more(words, instruction);
    case OpKind.tryClaim:
      return system.registers.claim(words, instruction);
    case OpKind.waitStage:
    case OpKind.stage:
      return system.registers.stage(words, instruction);
    case OpKind.load:
      return words[system.machine.layout.cells + instruction.target]!;
    case OpKind.tryWait:
    case OpKind.tryWaitStage:
      return 1;
    case OpKind.fetchAdd:
    case OpKind.alloc:
    case OpKind.choose:
      return 0;
    default:
      return unanswered(kind);
  }
}

function unanswered(_kind: UnansweredKind): number {
  return 0;
}
