// Replaces calls of functions of the module by their bodies, so that a kernel is one function.
import type {
  Instruction,
  Operand,
  Parameter,
  PtxFunction,
  PtxModule,
  Register,
  SourceLocation,
  Variable,
} from '../text/module.ts';
import { PtxError } from '../text/ptx-error.ts';
import { decodeOpcode } from '../isa/decode.ts';
import { controlOf } from '../isa/questions.ts';
import { scalarType } from '../isa/scalar-type.ts';
import { functionsByAddress } from './function-addresses.ts';

/** The most instructions that a kernel may have with all calls replaced. */
const MAX_INLINED = 1_000_000;
/** Calls within calls; a recursion exceeds it. */
const MAX_CALLS = 64;
/** External functions of the device's runtime and its mathematics, without an effect on threads. */
const HARMLESS = /^(vprintf|malloc|free|__nv_\w+)$/;
const DIFFERS = decodeOpcode('setp.ne.s64');
const TRAP = decodeOpcode('trap');
const JUMP = decodeOpcode('bra');
/** External functions that end the kernel. */
const TRAPS = new Set(['__assertfail', '__trap']);

/** An instruction whose branch targets are still those of its own function. */
interface Pending {
  readonly instruction: Instruction;
  /** The new index of each instruction of the function that it comes from. */
  readonly indices: Int32Array;
}

/** A function in the process of growing. */
class Inliner {
  readonly #module: PtxModule;
  readonly registers: Register[] = [];
  readonly variables: Variable[] = [];
  readonly instructions: Pending[] = [];
  /** Names of the functions whose bodies are being added. */
  readonly #open: string[] = [];
  #byAddress: readonly PtxFunction[] | null = null;
  #copies = 0;

  constructor(module: PtxModule) {
    this.#module = module;
  }

  /** Adds the instructions of a function; `names` renames its variables and parameters. */
  add(
    code: PtxFunction,
    names: ReadonlyMap<string, string>,
    call: SourceLocation | null,
    depth: number,
  ): void {
    const base = this.registers.length;
    this.registers.push(...code.registers);
    const copy = this.#copies++;
    const renamed = new Map(names);
    for (const variable of code.variables) {
      // Shared and global variables of a function are the same in all of its calls.
      const isPrivate = depth > 0 && (variable.space === 'local' || variable.space === 'param');
      const name = isPrivate ? `${variable.name}@${copy}` : variable.name;
      if (isPrivate) renamed.set(variable.name, name);
      this.#declare({ ...variable, name });
    }
    const indices = new Int32Array(code.instructions.length + 1);
    const rewrite = (operand: Operand): Operand => rewriteOperand(operand, base, renamed);
    for (const instruction of code.instructions) {
      indices[instruction.index] = this.instructions.length;
      const next: Instruction = {
        ...instruction,
        operands: instruction.operands.map(rewrite),
        guard:
          instruction.guard === null
            ? null
            : { ...instruction.guard, register: instruction.guard.register + base },
        location: within(instruction.location, call),
      };
      if (controlOf(instruction) === 'call') this.#call(next, indices, depth);
      else if (depth > 0 && controlOf(instruction) === 'return')
        this.#push(jump(next, code.instructions.length), indices);
      else this.#push(next, indices);
    }
    indices[code.instructions.length] = this.instructions.length;
  }

  /** Declares a variable once: blocks of a function may use a name for several sizes. */
  #declare(variable: Variable): void {
    const known = this.variables.findIndex(({ name }) => name === variable.name);
    if (known < 0) this.variables.push(variable);
    else if (this.variables[known]!.size < variable.size) this.variables[known] = variable;
  }

  #push(instruction: Instruction, indices: Int32Array): void {
    if (this.instructions.length >= MAX_INLINED)
      this.#fail(
        instruction,
        `the kernel has more than ${MAX_INLINED} instructions with its calls`,
      );
    this.instructions.push({ instruction, indices });
  }

  #call(instruction: Instruction, indices: Int32Array, depth: number): void {
    const { operands } = instruction;
    const isFirstResult = operands[0]?.kind === 'list';
    const target = operands[isFirstResult ? 1 : 0];
    if (target?.kind === 'register') return this.#byRegister(instruction, indices, depth);
    if (target?.kind !== 'symbol')
      this.#fail(instruction, 'a call names its function or has its address in a register');
    const callee = this.#module.functions.get(target.name);
    if (callee === undefined || !callee.isDefined)
      return this.#external(instruction, indices, target.name);
    if (depth >= MAX_CALLS)
      this.#fail(
        instruction,
        `calls are nested more than ${MAX_CALLS} deep: recursion cannot be followed`,
      );
    this.#guarded(instruction, indices, () => this.#body(callee, instruction, depth));
  }

  /** The body of a function in the place of its call. */
  #body(callee: PtxFunction, { operands, location }: Instruction, depth: number): void {
    const isFirstResult = operands[0]?.kind === 'list';
    const results = isFirstResult ? operands[0] : undefined;
    const inputs = operands[isFirstResult ? 2 : 1];
    const names = new Map([...bind(callee.results, results), ...bind(callee.parameters, inputs)]);
    this.#open.push(callee.name);
    this.add(callee, names, location, depth + 1);
    this.#open.pop();
  }

  /** What stands for a call with a guard: lanes that do not call go on behind it. */
  #guarded(instruction: Instruction, indices: Int32Array, build: () => void): void {
    if (instruction.guard === null) return build();
    const { register, negated } = instruction.guard;
    this.#around({ ...instruction, guard: { register, negated: !negated } }, indices, build);
  }

  /** Instructions that are skipped by the lanes for which the guard of `skip` holds. */
  #around(skip: Instruction, indices: Int32Array, build: () => void): void {
    const around = this.instructions.length;
    this.#push(skip, indices);
    build();
    const after = Int32Array.of(this.instructions.length);
    this.instructions[around] = { instruction: jump(skip, 0), indices: after };
  }

  /**
   * A call by address: the register is compared with the address of each function that it may
   * hold. Behind the last one the call itself remains, which a run cannot follow.
   */
  #byRegister(instruction: Instruction, indices: Int32Array, depth: number): void {
    const isFirstResult = instruction.operands[0]?.kind === 'list';
    const address = instruction.operands[isFirstResult ? 1 : 0]!;
    const inputs = instruction.operands[isFirstResult ? 2 : 1];
    const count = inputs?.kind === 'list' ? inputs.elements.length : 0;
    this.#byAddress ??= functionsByAddress(this.#module);
    const candidates = this.#byAddress.filter(
      ({ name, parameters, results }) =>
        parameters.length === count &&
        results.length > 0 === isFirstResult &&
        depth < MAX_CALLS &&
        !this.#open.includes(name),
    );
    this.#guarded(instruction, indices, () => {
      const plain = { ...instruction, guard: null };
      const leaving: number[] = [];
      for (const callee of candidates) {
        const register = this.registers.length;
        this.registers.push({ name: `%call${register}`, type: scalarType('pred')! });
        const operands: Operand[] = [
          { kind: 'register', register },
          address,
          { kind: 'symbol', name: callee.name, offset: 0 },
        ];
        this.#push({ ...plain, ...DIFFERS, operands }, indices);
        this.#around({ ...plain, guard: { register, negated: false } }, indices, () => {
          this.#body(callee, plain, depth);
          leaving.push(this.instructions.length);
          this.#push(jump(plain, 0), indices);
        });
      }
      this.#push({ ...plain, operands: [address] }, indices);
      const after = Int32Array.of(this.instructions.length);
      for (const at of leaving)
        this.instructions[at] = { instruction: jump(plain, 0), indices: after };
    });
  }

  #external(instruction: Instruction, indices: Int32Array, name: string): void {
    if (TRAPS.has(name)) this.#push({ ...instruction, ...TRAP, operands: [] }, indices);
    else if (HARMLESS.test(name)) return;
    else this.#fail(instruction, `the function '${name}' is not part of the text`);
  }

  #fail({ line, column }: Instruction, reason: string): never {
    throw new PtxError(reason, this.#module.file, line, column);
  }
}

/** A jump to the end of the function. */
function jump(instruction: Instruction, target: number): Instruction {
  return { ...instruction, ...JUMP, operands: [], targets: [target] };
}

/** Parameters of a callee by the names of the caller's variables. */
function bind(parameters: readonly Parameter[], list: Operand | undefined): [string, string][] {
  const elements = list?.kind === 'list' ? list.elements : [];
  return parameters.flatMap(({ name }, index): [string, string][] => {
    const element = elements[index];
    return element?.kind === 'symbol' ? [[name, element.name]] : [];
  });
}

function rewriteOperand(
  operand: Operand,
  base: number,
  names: ReadonlyMap<string, string>,
): Operand {
  const inner = (each: Operand): Operand => rewriteOperand(each, base, names);
  switch (operand.kind) {
    case 'register':
      return { ...operand, register: operand.register + base };
    case 'symbol':
      return { ...operand, name: names.get(operand.name) ?? operand.name };
    case 'not':
      return { ...operand, operand: inner(operand.operand) };
    case 'vector':
    case 'list':
      return { ...operand, elements: operand.elements.map(inner) };
    case 'pair':
      return { ...operand, first: inner(operand.first), second: inner(operand.second) };
    case 'address':
      return { ...operand, base: inner(operand.base), more: operand.more.map(inner) };
    case 'immediate':
    case 'special':
    case 'sink':
      return operand;
  }
}

/** A place of a callee, reached through the place of its call. */
function within(
  location: SourceLocation | null,
  call: SourceLocation | null,
): SourceLocation | null {
  if (location === null || call === null) return location;
  return {
    ...location,
    inlinedAt: location.inlinedAt === null ? call : within(location.inlinedAt, call),
  };
}

/**
 * A kernel with the bodies of the functions that it calls in their place.
 *
 * @throws PtxError for recursion and functions that are not in the text.
 */
export function inlineCalls(module: PtxModule, code: PtxFunction): PtxFunction {
  if (!code.instructions.some((each) => controlOf(each) === 'call')) return code;
  const inliner = new Inliner(module);
  inliner.add(code, new Map(), null, 0);
  const instructions = inliner.instructions.map(({ instruction, indices }, index) => ({
    ...instruction,
    index,
    targets: instruction.targets.map((target) => indices[target]!),
  }));
  return { ...code, registers: inliner.registers, variables: inliner.variables, instructions };
}
