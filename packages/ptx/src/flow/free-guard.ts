// Branches and predicates that data decides, and no signals between threads: a flag or a count that
// another thread has written may mean that what it wrote before may be read.
import { isSignal, readOf } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

/** The instructions of a function whose guard is decided by data alone. */
export class FreeGuards {
  readonly #definitions: Definitions;
  readonly #known = new Map<number, boolean>();
  /** Whether no thread reads what others may have written as a signal. */
  readonly #isSilent: boolean;

  constructor({ instructions }: PtxFunction, definitions: Definitions) {
    this.#definitions = definitions;
    this.#isSilent = !instructions.some((each) => {
      const read = readOf(each);
      if (read?.op === 'atomic') return each.operands[0]?.kind !== 'sink';
      return read?.isStrong === true;
    });
  }

  isFree({ guard, index }: Instruction): boolean {
    let isFree = this.#known.get(index);
    if (isFree === undefined) {
      isFree =
        guard !== null &&
        this.#definitions.behind(registerOf(guard), index, (each) => this.#inputsOf(each)) !== null;
      this.#known.set(index, isFree);
    }
    return isFree;
  }

  /** What decides a result; `null` where others may. */
  #inputsOf(instruction: Instruction): readonly Operand[] | null {
    const { effect, operands, guard } = instruction;
    if (isSignal(instruction) || operands.some(({ kind }) => kind === 'not')) return null;
    const condition = guard === null ? [] : [registerOf(guard)];
    const isMatrix = effect.kind === 'matrix' && effect.op === 'load';
    const space = isMatrix ? 'shared' : readOf(instruction)?.space;
    switch (space) {
      case undefined:
        return [...operands.slice(1), ...condition];
      case 'global':
      case 'param':
      case 'const':
        return condition;
      case 'shared':
        return this.#isSilent ? condition : null;
      case 'generic':
      case 'local':
        return null;
    }
  }
}

function registerOf({ register }: { readonly register: number }): Operand {
  return { kind: 'register', register };
}
