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
import { decode, decodeOpcode } from '../isa/decode.ts';
import { controlOf } from '../isa/questions.ts';
import { scalarType, type ScalarType } from '../isa/scalar-type.ts';
import { partsOfCall } from '../text/calls.ts';
import { functionsByAddress } from './function-addresses.ts';
import { withoutRetries } from './retries.ts';

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
    const { target } = partsOfCall(instruction.operands);
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
    this.#guarded(instruction, indices, () => this.#body(callee, instruction, indices, depth));
  }

  /** The body of a function in the place of its call, with moves of what is in registers. */
  #body(callee: PtxFunction, instruction: Instruction, indices: Int32Array, depth: number): void {
    const { results, inputs } = partsOfCall(instruction.operands);
    const names = new Map<string, string>();
    const base = this.registers.length;
    const ofResults = this.#transfers(callee.results, results, base, names);
    const ofInputs = base + callee.results.flatMap(({ registers }) => registers).length;
    const registers = [...this.registers, ...callee.registers];
    for (const { type, own, other } of this.#transfers(callee.parameters, inputs, ofInputs, names))
      this.#push(move(instruction, { type, to: own, from: other }, registers), indices);
    this.#open.push(callee.name);
    this.add(callee, names, instruction.location, depth + 1);
    this.#open.pop();
    for (const { type, own, other } of ofResults)
      this.#push(move(instruction, { type, to: other, from: own }, this.registers), indices);
  }

  /**
   * What is moved between parameters of a callee and operands of its call. A variable of the caller
   * stands for a parameter in memory: `names` has its name, and nothing is moved.
   */
  #transfers(
    parameters: readonly Parameter[],
    list: readonly Operand[],
    from: number,
    names: Map<string, string>,
  ): Transfer[] {
    let next = from;
    return parameters.flatMap(({ name, type, size, align, registers }, index): Transfer[] => {
      const operand = list[index]!;
      const others = operand.kind === 'vector' ? operand.elements : [operand];
      const own = registers.map((): Operand => ({ kind: 'register', register: next++ }));
      if (registers.length === 0) {
        const isOther = operand.kind !== 'symbol';
        const variable = isOther ? `${name}@call${this.#copies++}` : operand.name;
        names.set(name, variable);
        if (!isOther) return [];
        const line = 0;
        this.#declare({ name: variable, space: 'param', type, size, align, line, initial: [] });
        own.push({ kind: 'symbol', name: variable, offset: 0 });
      }
      return own.flatMap((each, at) => {
        const other = others[at];
        return other === undefined || other.kind === 'sink' ? [] : [{ type, own: each, other }];
      });
    });
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
    const { target, results: outputs, inputs } = partsOfCall(instruction.operands);
    const address = target!;
    this.#byAddress ??= functionsByAddress(this.#module);
    const candidates = this.#byAddress.filter(
      ({ name, parameters, results }) =>
        parameters.length === inputs.length &&
        results.length === outputs.length &&
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
          this.#body(callee, plain, indices, depth);
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

/** A value that a call moves, between a parameter or a result and an operand of the call. */
interface Transfer {
  readonly type: ScalarType;
  readonly own: Operand;
  readonly other: Operand;
}

/** A move of an argument or a result; a symbol is a variable in the space of parameters. */
function move(
  at: Instruction,
  { type, to, from }: { readonly type: ScalarType; readonly to: Operand; readonly from: Operand },
  registers: readonly Register[],
): Instruction {
  const operands = [to, from].map((operand): Operand =>
    operand.kind === 'symbol' ? { kind: 'address', base: operand, offset: 0, more: [] } : operand,
  );
  const decoded = decode(moveOpcode(type, to, from), operands, registers);
  return { ...at, ...decoded, operands, guard: null, targets: [] };
}

function moveOpcode({ class: kind, bits }: ScalarType, to: Operand, from: Operand): string {
  if (to.kind === 'symbol') return `st.param.b${bits}`;
  if (from.kind === 'symbol') return `ld.param.b${bits}`;
  if (kind === 'predicate') return 'mov.pred';
  return bits === 8 ? 'cvt.u8.u8' : `mov.b${bits}`;
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

const known = new WeakMap<PtxFunction, PtxFunction>();

/**
 * A kernel with the bodies of the functions that it calls in their place, and without retries.
 *
 * @throws PtxError for recursion and functions that are not in the text.
 */
export function inlineCalls(module: PtxModule, code: PtxFunction): PtxFunction {
  let found = known.get(code);
  if (found === undefined) known.set(code, (found = withoutRetries(inlined(module, code))));
  return found;
}

function inlined(module: PtxModule, code: PtxFunction): PtxFunction {
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
