// Branches and predicates that data decides, and no signals between threads: a flag or a count that
// another thread has written may mean that what it wrote before may be read.
import { accessOf, isSignal, readOf } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { pointersOf } from './deciding-pointers.ts';
import type { Definitions } from './definitions.ts';

/** The instructions of a function whose guard is decided by data alone. */
export class FreeGuards {
  readonly #definitions: Definitions;
  readonly #known = new Map<number, boolean>();
  /** Whether no thread reads what others may have written as a signal. */
  readonly #isSilent: boolean;
  readonly #instructions: readonly Instruction[];
  /** Pointers to global memory that threads change as a signal; `null`: any may be one. */
  #signals: ReadonlySet<string> | null | undefined;

  constructor({ instructions }: PtxFunction, definitions: Definitions) {
    this.#definitions = definitions;
    this.#instructions = instructions;
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
        return this.#isOfSignal(instruction) ? null : condition;
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

  /** Whether a load of global memory may find what threads count or store as a signal there. */
  #isOfSignal(load: Instruction): boolean {
    if (this.#signals === undefined) this.#signals = this.#signaled();
    if (this.#signals?.size === 0) return false;
    const own = this.#pointersOf(load);
    return this.#signals === null || own.length === 0 || own.some((one) => this.#signals!.has(one));
  }

  #signaled(): ReadonlySet<string> | null {
    const found = this.#instructions.filter(mayWriteSignal).map((each) => this.#pointersOf(each));
    return found.some(({ length }) => length === 0) ? null : new Set(found.flat());
  }

  #pointersOf(access: Instruction): string[] {
    return pointersOf(access, this.#definitions).map(({ name, offset }) => `${name}+${offset}`);
  }
}

/** Whether an access to global memory is atomic, or a store that others may wait for. */
function mayWriteSignal(instruction: Instruction): boolean {
  const access = accessOf(instruction);
  if (access?.space !== 'global' && access?.space !== 'generic') return false;
  const { op, isStrong } = access;
  return op === 'atomic' || op === 'reduction' || (op === 'store' && isStrong);
}

function registerOf({ register }: { readonly register: number }): Operand {
  return { kind: 'register', register };
}
