// Branches and predicates that data decides, and no signals between threads: a flag or a count that
// another thread has written may mean that what it wrote before may be read. Nor does data decide
// alone where memory that a kernel changes says whether it is accessed: not all may be there.
import { accessOf, isAtomic, isSignal, isStrong, readOf } from '../isa/questions.ts';
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
  /** Pointers through which the function stores. */
  #written: ReadonlySet<string> | undefined;

  constructor({ instructions }: PtxFunction, definitions: Definitions) {
    this.#definitions = definitions;
    this.#instructions = instructions;
    this.#isSilent = !instructions.some((each) => {
      const read = readOf(each);
      if (read?.op === 'atomic') return each.operands[0]?.kind !== 'sink';
      return read?.isStrong === true;
    });
  }

  /** Whether data decides alone if an instruction is executed, and others that it guards. */
  isFree(instruction: Instruction, guarded: readonly number[]): boolean {
    let isFree = this.#known.get(instruction.index);
    if (isFree === undefined) {
      isFree = this.#isFree(instruction, guarded);
      this.#known.set(instruction.index, isFree);
    }
    return isFree;
  }

  #isFree({ guard, index }: Instruction, guarded: readonly number[]): boolean {
    if (guard === null) return false;
    const inputsOf = (each: Instruction): readonly Operand[] | null => this.#inputsOf(each);
    const behind = this.#definitions.behind(registerOf(guard), index, inputsOf);
    if (behind === null) return false;
    const loaded = [...behind.definitions].filter((each) => readOf(each)?.space === 'global');
    return loaded.length === 0 || !this.#isOwnState(loaded, guarded);
  }

  /** Whether loads find what the function changes, and accesses that they decide touch it, too. */
  #isOwnState(loaded: readonly Instruction[], guarded: readonly number[]): boolean {
    this.#written ??= new Set(
      this.#instructions.filter(mayStore).flatMap((each) => this.#pointersOf(each)),
    );
    const state = new Set(loaded.flatMap((each) => this.#pointersOf(each)));
    return guarded.some((at) => {
      const access = this.#instructions[at]!;
      if (accessOf(access)?.space === 'shared') return false;
      return this.#pointersOf(access).some((one) => state.has(one) && this.#written!.has(one));
    });
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

/** Whether an instruction may write global memory. */
function mayStore(instruction: Instruction): boolean {
  const access = accessOf(instruction);
  if (access?.space !== 'global' && access?.space !== 'generic') return false;
  return access.op === 'store' || isAtomic(instruction);
}

/** Whether an access to global memory is atomic, or a store that others may wait for. */
function mayWriteSignal(instruction: Instruction): boolean {
  return mayStore(instruction) && (isAtomic(instruction) || isStrong(instruction));
}

function registerOf({ register }: { readonly register: number }): Operand {
  return { kind: 'register', register };
}
