// The body of a function: registers, variables, labels and instructions.
import { spaceMisfit } from '../isa/address-space.ts';
import { decode, RefusedInstruction, type Decoded } from '../isa/decode.ts';
import { declaredNames, parameters, registersOf, variables } from './declarations.ts';
import { BODY_DIRECTIVES, headDirective, pragma, refuseDirective } from './directives.ts';
import { single } from './literal.ts';
import { Locations } from './locations.ts';
import type { Instruction, Operand, Parameter, Register, Space, Variable } from './module.ts';
import { callOperands, operands } from './operands.ts';
import type { Reader } from './reader.ts';
import { scalarType } from '../isa/scalar-type.ts';
import { findIn, Scopes } from './scopes.ts';
import type { LabelScope, ModuleNames, OpenName } from './scopes.ts';

/** The most instructions of one function. */
export const MAX_INSTRUCTIONS = 2_000_000;

/** What a function body holds. */
export interface Body {
  readonly registers: readonly Register[];
  readonly variables: readonly Variable[];
  readonly instructions: readonly Instruction[];
  /** Names that nothing in the body declares: functions that may follow. */
  readonly openNames: readonly OpenName[];
}

/** A branch whose labels are resolved at the end of the function. */
interface Branch {
  readonly instruction: number;
  readonly token: number;
  readonly scope: LabelScope;
}

const SPACES: Readonly<Record<string, Space>> = {
  '.shared': 'shared',
  '.local': 'local',
  '.global': 'global',
  '.const': 'const',
  '.param': 'param',
};
/** Types that a register may be declared of; the others are of instructions alone. */
const REGISTER_TYPES = /^(?:b(?:8|16|32|64|128)|[us](?:8|16|32|64)|f16|f16x2|f32|f64|pred)$/;
/** The most bits of a vector register. */
const MAX_VECTOR = 128;
const VECTORS: Readonly<Record<string, number>> = { '.v2': 2, '.v4': 4 };

/** Reads a function body from its `{` to its `}`. */
export function body(reader: Reader, parameters: readonly Parameter[], names: ModuleNames): Body {
  const parser = new BodyParser(reader, names);
  return parser.parse(parameters);
}

class BodyParser {
  readonly #reader: Reader;
  readonly #scopes: Scopes;
  readonly #locations = new Locations();
  readonly #variables: Variable[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #branches: Branch[] = [];

  constructor(reader: Reader, names: ModuleNames) {
    this.#reader = reader;
    this.#scopes = new Scopes(names);
  }

  parse(list: readonly Parameter[]): Body {
    const reader = this.#reader;
    const scopes = this.#scopes;
    reader.expect('{');
    scopes.open();
    for (const parameter of list) {
      if (parameter.registers.length === 0) scopes.variable(parameter, 'param');
      for (const name of parameter.registers) scopes.declare(reader, name, parameter.type);
    }
    while (scopes.isOpen) this.#statement();
    for (const branch of this.#branches) this.#resolve(branch);
    const openNames = scopes.openNames.filter(
      ({ name, scope }) => findIn(scope, 'tables', name) === undefined,
    );
    return {
      registers: scopes.registers,
      variables: this.#variables,
      instructions: this.#instructions,
      openNames,
    };
  }

  #statement(): void {
    const reader = this.#reader;
    if (reader.isAtEnd()) reader.fail('the body of the function has no end');
    if (reader.isSourceDirective()) this.#sourceLocation();
    else if (reader.skip('{')) this.#scopes.open();
    else if (reader.skip('}')) this.#scopes.close();
    else if (reader.skip(';')) return;
    else if (reader.peek(1) === ':' && reader.peek() !== '@') this.#label();
    else if (reader.peek().startsWith('.')) this.#directive();
    else this.#instruction();
  }

  #sourceLocation(): void {
    const reader = this.#reader;
    if (!reader.peek().startsWith('.loc')) reader.fail('.file is outside of functions');
    this.#locations.read(reader.take());
  }

  #label(): void {
    const reader = this.#reader;
    const name = reader.name();
    this.#scopes.label(reader, name, this.#instructions.length);
    reader.expect(':');
    if (reader.skip('.branchtargets')) {
      const labels: string[] = [];
      do labels.push(...declaredNames(reader));
      while (reader.skip(','));
      this.#scopes.table(name, { kind: 'branches', labels });
    } else if (reader.skip('.calltargets')) {
      do this.#scopes.refer(reader.name(), reader.at - 1);
      while (reader.skip(','));
      this.#scopes.table(name, { kind: 'calls' });
    } else if (reader.skip('.callprototype')) {
      this.#prototype();
      this.#scopes.table(name, { kind: 'calls' });
    } else return;
    reader.expect(';');
  }

  /** Reads `(.param .b32 _) _ (.param .b64 _)` of a function that is called by its address. */
  #prototype(): void {
    const reader = this.#reader;
    if (reader.peek() === '(') parameters(reader, 'function');
    reader.expect('_');
    if (reader.peek() === '(') parameters(reader, 'function');
    while (reader.peek() !== ';') headDirective(reader, 'function');
  }

  #directive(): void {
    const reader = this.#reader;
    const word = reader.peek();
    const space = SPACES[word];
    if (reader.skip('.reg')) this.#registers();
    else if (space !== undefined) {
      reader.take();
      for (const variable of variables(reader, space, false)) {
        this.#variables.push(variable);
        this.#scopes.variable(variable, variable.space);
      }
    } else if (reader.skip('.pragma')) pragma(reader);
    else if (/^\.(?:branchtargets|calltargets|callprototype)$/.test(word))
      reader.fail(`${word} needs a label in front of it`);
    else if (word === '.extern') reader.fail('.extern is for variables outside of functions');
    else refuseDirective(reader, BODY_DIRECTIVES, 'a function body');
  }

  #registers(): void {
    const reader = this.#reader;
    const width = VECTORS[reader.peek()] ?? 1;
    if (width > 1) reader.take();
    const type = scalarType(reader.peek().slice(1));
    if (type === undefined || !REGISTER_TYPES.test(type.name))
      return reader.fail('expected the type of a register');
    if (type.bits * width > MAX_VECTOR) reader.fail(`more than ${MAX_VECTOR} bits`);
    reader.take();
    do
      for (const name of declaredNames(reader))
        for (const each of registersOf(name, width)) this.#scopes.declare(reader, each, type);
    while (reader.skip(','));
    reader.expect(';');
  }

  #guard(): Instruction['guard'] {
    const reader = this.#reader;
    if (!reader.skip('@')) return null;
    const negated = reader.skip('!');
    const register = this.#scopes.register(reader.peek());
    if (register === undefined) return reader.fail('the predicate is not declared');
    if (this.#scopes.registers[register]!.type.class !== 'predicate')
      return reader.fail('a guard is a predicate');
    reader.take();
    return { register, negated };
  }

  #instruction(): void {
    const reader = this.#reader;
    const index = this.#instructions.length;
    if (index >= MAX_INSTRUCTIONS) reader.fail(`more than ${MAX_INSTRUCTIONS} instructions`);
    const guard = this.#guard();
    const token = reader.at;
    const line = reader.line();
    const column = reader.column();
    let written = reader.name();
    // `lop3 .b32` is `lop3.b32`: no operand begins with a dot.
    while (reader.peek().startsWith('.')) written += reader.take();
    const [mnemonic] = written.split('.', 1);
    const known = this.#scopes.openNames.length;
    const isAccess = mnemonic === 'ld' || mnemonic === 'st';
    const list =
      mnemonic === 'call'
        ? callOperands(reader, this.#scopes)
        : operands(reader, this.#scopes, isAccess);
    const decoded = this.#decoded(written, list, token);
    const { effect, opcode } = decoded;
    const location = this.#locations.current;
    if (effect.kind === 'control' && (effect.op === 'branch' || effect.op === 'table')) {
      this.#scopes.openNames.length = known;
      this.#branches.push({ instruction: index, token, scope: this.#scopes.current });
    }
    this.#instructions.push({
      ...decoded,
      index,
      operands: opcode.endsWith('.f32') ? list.map(singles) : list,
      guard,
      line,
      column,
      location,
      targets: [],
    });
  }

  #decoded(opcode: string, list: readonly Operand[], token: number): Decoded {
    try {
      const decoded = decode(opcode, list, this.#scopes.registers);
      for (const [index, operand] of list.entries())
        this.#checkSpace(decoded, index, operand, token);
      return decoded;
    } catch (error) {
      if (error instanceof RefusedInstruction) return this.#reader.fail(error.message, token);
      throw error;
    }
  }

  /** Refuses a variable in brackets that is not in the state space of the instruction. */
  #checkSpace(decoded: Decoded, index: number, operand: Operand, token: number): void {
    if (operand.kind !== 'address' || operand.base.kind !== 'symbol') return;
    const { name } = operand.base;
    const space = this.#scopes.named(name)?.space ?? null;
    const reason = space === null ? null : spaceMisfit(decoded, index, space);
    if (reason !== null) this.#reader.fail(`'${name}' ${reason}`, token);
  }

  #resolve({ instruction, token, scope }: Branch): void {
    const branch = this.#instructions[instruction]!;
    const isTable = branch.effect.kind === 'control' && branch.effect.op === 'table';
    const name = symbolName(branch.operands[isTable ? 1 : 0]);
    const table = isTable ? findIn(scope, 'tables', name) : undefined;
    if (isTable && table?.kind !== 'branches')
      return this.#reader.fail(`no list of branch targets is named '${name}'`, token);
    const labels = table?.kind === 'branches' ? table.labels : [name];
    const targets = labels.map((label) => {
      const target = findIn(scope, 'labels', label);
      return target ?? this.#reader.fail(`no label is named '${label}'`, token);
    });
    this.#instructions[instruction] = { ...branch, targets };
  }
}

/** An operand with its doubles rounded to `.f32`, the type of the instruction. */
function singles(operand: Operand): Operand {
  if (operand.kind === 'immediate') return { ...operand, value: single(operand.value) };
  if (operand.kind === 'vector') return { ...operand, elements: operand.elements.map(singles) };
  return operand;
}

function symbolName(operand: Operand | undefined): string {
  return operand?.kind === 'symbol' ? operand.name : '';
}
