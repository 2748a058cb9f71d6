// Retry loops: a compare-and-swap of what was read before, once more where it fails. It fails where
// another thread has changed the word, so that none waits for another; what it does in the end is
// one exchange. `withoutRetries` leaves this exchange.
import { decodeOpcode } from '../isa/decode.ts';
import { accessOf, controlOf, isStrong } from '../isa/questions.ts';
import type { Access, Compute } from '../isa/effect.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { basicBlocks } from './blocks.ts';
import { Definitions } from './definitions.ts';
import { destinationsOf } from './destinations.ts';
import { Liveness, readsOf, registersOf } from './liveness.ts';

const JUMP = decodeOpcode('bra');
/** Definitions that are followed to compare two addresses. */
const MAX_DEPTH = 8;

/** A compare-and-swap, the test of its success, and the branch on that test. */
interface Try {
  readonly swap: Instruction;
  readonly test: Instruction;
  readonly branch: Instruction;
  readonly address: Operand;
  readonly old: number;
  readonly expected: number;
  /** Where it goes on after a success and after a failure. */
  readonly success: number;
  readonly failure: number;
}

/** A kernel in which each retry loop is the exchange that succeeds. */
export function withoutRetries(code: PtxFunction): PtxFunction {
  const swaps = code.instructions.filter((each) => accessOf(each)?.operation === 'cas');
  return swaps.length === 0 ? code : new Retries(code).replaced(swaps);
}

class Retries {
  readonly #code: PtxFunction;
  readonly #blockOf: Int32Array;
  readonly #definitions: Definitions;
  readonly #replaced: Instruction[];

  constructor(code: PtxFunction) {
    this.#code = code;
    this.#blockOf = basicBlocks(code).blockOf;
    this.#definitions = new Definitions(code);
    this.#replaced = [...code.instructions];
  }

  replaced(swaps: readonly Instruction[]): PtxFunction {
    const tries = swaps.flatMap((swap) => this.#tryOf(swap) ?? []);
    const loops = tries.filter((each) => this.#isLoop(each));
    const firsts = tries.filter((each) =>
      loops.some(
        ({ failure, success, address, expected }) =>
          each.failure === failure &&
          each.success === success &&
          each.old === expected &&
          this.#isSameAddress(each.address, address),
      ),
    );
    const olds = new Set(firsts.map(({ old }) => old));
    const guessed = [...loops, ...firsts].flatMap((each) => {
      const guesses = this.#guessesOf(each, olds);
      return guesses === null ? [] : [{ each, guesses }];
    });
    if (guessed.length === 0) return this.#code;
    for (const { each, guesses } of guessed) {
      this.#exchange(each);
      for (const load of guesses) {
        const guess = isStrong(load) ? 'strong' : 'weak';
        this.#replaced[load.index] = { ...load, effect: { kind: 'hint', guess } };
      }
    }
    const code = { ...this.#code, instructions: this.#replaced };
    for (const { each } of guessed) this.#dropUnused(code, each);
    return code;
  }

  /** A compare-and-swap with the test of its success behind it. */
  #tryOf(swap: Instruction): Try | null {
    const [old, address, expected] = swap.operands;
    if (swap.guard !== null || old?.kind !== 'register' || expected?.kind !== 'register')
      return null;
    if (address?.kind !== 'address' || old.register === expected.register) return null;
    const test = this.#testOf(swap, old.register, expected.register);
    const branch = test === null ? null : this.#branchOn(test);
    if (test === null || branch === null) return null;
    const isEqual = (test.effect as Compute).comparison === 'eq';
    const [taken, next] = [branch.targets[0]!, branch.index + 1];
    const [success, failure] = isEqual === branch.guard!.negated ? [next, taken] : [taken, next];
    const [first, second] = [old.register, expected.register];
    return { swap, test, branch, address, old: first, expected: second, success, failure };
  }

  /** The branch on a comparison, whose result nothing else uses. */
  #branchOn(test: Instruction): Instruction | null {
    const [result] = test.operands;
    if (result?.kind !== 'register' || this.#definedBy(result.register) !== test) return null;
    const { register } = result;
    const [branch, ...others] = this.#code.instructions.filter((each) =>
      readsOf(each).includes(register),
    );
    if (branch?.guard?.register !== register || others.length > 0) return null;
    return controlOf(branch) === 'branch' && branch.index > test.index ? branch : null;
  }

  /** The comparison of what a swap found with what it expected, before either changes. */
  #testOf({ index: at }: Instruction, old: number, expected: number): Instruction | null {
    const { instructions } = this.#code;
    for (let index = at + 1; this.#blockOf[index] === this.#blockOf[at]; index++) {
      const instruction = instructions[index];
      if (instruction === undefined) return null;
      if (isEquality(instruction) && isPair(instruction.operands, old, expected))
        return instruction;
      if (destinationsOf(instruction).some((each) => each === old || each === expected))
        return null;
    }
    return null;
  }

  /** The only definition of a register; `null` where it has others. */
  #definedBy(register: number): Instruction | null {
    const [first, ...others] = this.#definitions.all(register);
    return first === undefined || others.length > 0 ? null : first;
  }

  /**
   * Whether a failure leads back to the swap, with what it found, and does nothing else on the way.
   * Each round computes anew what it uses, so that only the last one counts.
   */
  #isLoop({ swap, test, branch, address, old, expected, success, failure: head }: Try): boolean {
    const { instructions } = this.#code;
    const last = branch.index;
    if (head > swap.index || this.#blockOf[swap.index] !== this.#blockOf[last]) return false;
    const body = instructions.slice(head, last + 1);
    const outside = instructions.filter(({ index }) => index < head || index > last);
    if (outside.some(({ targets }) => targets.some((each) => each > head && each <= last)))
      return false;
    // Where a value leads elsewhere, the word may be read again until it holds another one.
    const leaves = ({ targets }: Instruction): boolean => targets.every((each) => each === success);
    const isAlone = body.every(
      (each) =>
        each === swap ||
        each === branch ||
        each.effect.kind === 'compute' ||
        (controlOf(each) === 'branch' && leaves(each)),
    );
    const isRenewed = ({ effect, operands, guard, index }: Instruction): boolean => {
      const [target, source] = operands;
      if (effect.kind !== 'compute' || effect.operation !== 'mov' || guard !== null) return false;
      return isRegister(target, expected) && isRegister(source, old) && index > test.index;
    };
    const changes = body.filter((each) => destinationsOf(each).includes(expected));
    if (!isAlone || changes.length !== 1 || !isRenewed(changes[0]!)) return false;
    const moving = new Set(body.flatMap(destinationsOf));
    if (registersOf(address).some((each) => moving.has(each))) return false;
    return isFresh(body, moving, expected);
  }

  /**
   * The loads of what a swap expects at first, which may be any value: a wrong one fails. `null`
   * where it comes from elsewhere, so that it may be known.
   */
  #guessesOf(
    { swap, address, expected, old, failure }: Try,
    firsts: ReadonlySet<number>,
  ): Instruction[] | null {
    const guesses: Instruction[] = [];
    for (const each of this.#definitions.all(expected)) {
      const [target, source] = each.operands;
      const isOwn = each.effect.kind === 'compute' && isRegister(source, old);
      const isOfFirst = firsts.has(expected) && accessOf(each)?.operation === 'cas';
      if (isOwn || isOfFirst) continue;
      const isGuess =
        accessOf(each)?.op === 'load' &&
        isRegister(target, expected) &&
        source?.kind === 'address' &&
        this.#isSameAddress(source, address) &&
        this.#leadsTo(each.index, Math.min(swap.index, failure));
      if (!isGuess) return null;
      guesses.push(each);
    }
    return guesses;
  }

  /** Whether an instruction comes before another one with no branch between. */
  #leadsTo(first: number, second: number): boolean {
    const { instructions } = this.#code;
    const between = instructions.slice(first, second);
    return first < second && between.every((each) => each.effect.kind !== 'control');
  }

  #isSameAddress(left: Operand, right: Operand): boolean {
    if (left.kind !== 'address' || right.kind !== 'address') return false;
    if (left.offset !== right.offset || left.more.length + right.more.length > 0) return false;
    return this.#isSame(left.base, right.base, MAX_DEPTH);
  }

  /** Whether two operands are one value, computed in the same way from the same registers. */
  #isSame(left: Operand, right: Operand, depth: number): boolean {
    if (left.kind !== 'register' || right.kind !== 'register')
      return JSON.stringify(left) === JSON.stringify(right);
    const one = this.#definedBy(left.register);
    const other = this.#definedBy(right.register);
    if (one === null || other === null) return false;
    if (one === other) return true;
    if (depth === 0) return false;
    const [passed, copied] = [passedOn(one), passedOn(other)];
    if (passed !== null) return this.#isSame(passed, right, depth - 1);
    if (copied !== null) return this.#isSame(left, copied, depth - 1);
    const isComputed = one.effect.kind === 'compute' && one.guard === null && other.guard === null;
    const count = one.operands.length;
    if (!isComputed || one.opcode !== other.opcode || other.operands.length !== count) return false;
    return one.operands.every(
      (each, place) => place === 0 || this.#isSame(each, other.operands[place]!, depth - 1),
    );
  }

  /** Puts an exchange in the place of a swap, and goes on as after a success. */
  #exchange({ swap, branch, success }: Try): void {
    const [result, address, , value] = swap.operands;
    const effect: Access = { ...(swap.effect as Access), operation: 'exch' };
    this.#replaced[swap.index] = { ...swap, effect, operands: [result!, address!, value!] };
    this.#replaced[branch.index] = jump(branch, success);
  }

  /** Drops the test, and what the exchange found where nothing else uses it. */
  #dropUnused(code: PtxFunction, { swap, test, branch, old, expected }: Try): void {
    this.#replaced[test.index] = jump(test, test.index + 1);
    const isLive = (register: number, at: number): boolean => {
      const live = new Liveness(code).before(at);
      return ((live[register >>> 5]! >>> (register & 31)) & 1) !== 0;
    };
    for (let index = test.index; index < branch.index; index++) {
      const each = code.instructions[index]!;
      const isMove = each.effect.kind === 'compute' && isRegister(each.operands[1], old);
      if (isMove && isRegister(each.operands[0], expected) && !isLive(expected, index + 1))
        this.#replaced[index] = jump(each, index + 1);
    }
    if (isLive(old, swap.index + 1)) return;
    const exchange = this.#replaced[swap.index]!;
    const operands = [{ kind: 'sink' } as const, ...exchange.operands.slice(1)];
    this.#replaced[swap.index] = { ...exchange, operands };
  }
}

/** A jump in the place of an instruction. */
function jump(instruction: Instruction, to: number): Instruction {
  return { ...instruction, ...JUMP, operands: [], guard: null, targets: [to] };
}

function isRegister(operand: Operand | undefined, register: number): boolean {
  return operand?.kind === 'register' && operand.register === register;
}

/** `setp.eq` and `setp.ne` of numbers, with one result. */
function isEquality({ effect, guard, operands }: Instruction): boolean {
  if (effect.kind !== 'compute' || effect.operation !== 'setp' || guard !== null) return false;
  const isOfNumbers = !effect.types.some((type) => type.class === 'float');
  const { comparison } = effect;
  return isOfNumbers && operands.length === 3 && (comparison === 'eq' || comparison === 'ne');
}

function isPair([, left, right]: readonly Operand[], one: number, other: number): boolean {
  if (isRegister(left, one)) return isRegister(right, other);
  return isRegister(left, other) && isRegister(right, one);
}

/** What an instruction only passes on: a copy, or an address in another state space. */
function passedOn({ effect, guard, operands }: Instruction): Operand | null {
  if (effect.kind !== 'compute' || guard !== null) return null;
  return effect.operation === 'mov' || effect.operation === 'cvta' ? operands[1]! : null;
}

/** Whether a round reads no register that an earlier round wrote, but what is expected. */
function isFresh(
  body: readonly Instruction[],
  moving: ReadonlySet<number>,
  expected: number,
): boolean {
  const written = new Set<number>([expected]);
  for (const each of body) {
    if (readsOf(each).some((register) => moving.has(register) && !written.has(register)))
      return false;
    if (each.guard === null) for (const register of destinationsOf(each)) written.add(register);
    else if (destinationsOf(each).some((register) => !written.has(register))) return false;
  }
  return true;
}
