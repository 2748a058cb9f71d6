// Branches and predicates that data decides, and no signals between threads: a flag or a count that
// another thread has written may mean that what it wrote before may be read.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

const ORDERED = /^(volatile|relaxed|acquire|mmio)$/;
/** Instructions with which threads signal one another, or which cannot be followed. */
const SIGNALS = new Set([
  'atom',
  'bar',
  'barrier',
  'clusterlaunchcontrol',
  'mbarrier',
  'suld',
  'tcgen05',
  'tex',
]);

function isLoad({ parts }: Instruction): boolean {
  return parts[0] === 'ld' || parts[0] === 'ldu' || parts[0] === 'ldmatrix';
}

function isOrdered({ parts }: Instruction): boolean {
  return parts.some((part) => ORDERED.test(part));
}

/** The instructions of a function whose guard is decided by data alone. */
export class FreeGuards {
  readonly #definitions: Definitions;
  readonly #known = new Map<number, boolean>();
  /** Whether no thread reads what others may have written as a signal. */
  readonly #isSilent: boolean;

  constructor({ instructions }: PtxFunction, definitions: Definitions) {
    this.#definitions = definitions;
    this.#isSilent = !instructions.some((each) => {
      const [to] = each.operands;
      if (each.parts[0] === 'atom') return to?.kind !== 'sink';
      return isLoad(each) && isOrdered(each);
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
    const { parts, operands, guard } = instruction;
    if (SIGNALS.has(parts[0]!) || operands.some(({ kind }) => kind === 'not')) return null;
    const condition = guard === null ? [] : [registerOf(guard)];
    if (!isLoad(instruction)) return [...operands.slice(1), ...condition];
    if (isOrdered(instruction)) return null;
    if (parts.some((part) => /^(global|param|const)/.test(part))) return condition;
    const isShared = parts[0] === 'ldmatrix' || parts.some((part) => part.startsWith('shared'));
    return isShared && this.#isSilent ? condition : null;
  }
}

function registerOf({ register }: { readonly register: number }): Operand {
  return { kind: 'register', register };
}
