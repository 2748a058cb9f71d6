// The body of a function: registers, variables, labels and instructions.
import { decode, RefusedInstruction, type Decoded } from '../isa/decode.ts';
import { variables } from './declarations.ts';
import { Locations } from './locations.ts';
import type { Instruction, Operand, Register, Space, Variable } from './module.ts';
import { COMPONENTS, operands } from './operands.ts';
import type { Reader } from './reader.ts';
import { scalarType } from '../isa/scalar-type.ts';
import { findIn, Scopes } from './scopes.ts';
import type { LabelScope } from './scopes.ts';

/** The most instructions of one function. */
export const MAX_INSTRUCTIONS = 2_000_000;

/** What a function body holds. */
export interface Body {
  readonly registers: readonly Register[];
  readonly variables: readonly Variable[];
  readonly instructions: readonly Instruction[];
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
const VECTORS: Readonly<Record<string, number>> = { '.v2': 2, '.v4': 4 };

/** Reads a function body from its `{` to its `}`. */
export function body(reader: Reader): Body {
  const parser = new BodyParser(reader);
  return parser.parse();
}

class BodyParser {
  readonly #reader: Reader;
  readonly #scopes = new Scopes();
  readonly #locations = new Locations();
  readonly #variables: Variable[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #branches: Branch[] = [];
  #lastLabel = '';

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  parse(): Body {
    const reader = this.#reader;
    reader.expect('{');
    this.#scopes.open();
    while (this.#scopes.isOpen) this.#statement();
    for (const branch of this.#branches) this.#resolve(branch);
    return {
      registers: this.#scopes.registers,
      variables: this.#variables,
      instructions: this.#instructions,
    };
  }

  #statement(): void {
    const reader = this.#reader;
    if (reader.isAtEnd()) reader.fail('the body of the function has no end');
    if (reader.isLineDirective()) this.#locations.read(reader.take());
    else if (reader.skip('{')) this.#scopes.open();
    else if (reader.skip('}')) this.#scopes.close();
    else if (reader.skip(';')) return;
    else if (reader.peek(1) === ':' && reader.peek() !== '@') this.#label();
    else if (reader.peek().startsWith('.')) this.#directive();
    else this.#instruction();
  }

  #label(): void {
    this.#lastLabel = this.#reader.name();
    this.#reader.expect(':');
    this.#scopes.label(this.#lastLabel, this.#instructions.length);
  }

  #directive(): void {
    const reader = this.#reader;
    const word = reader.take();
    const space = SPACES[word];
    if (word === '.reg') this.#registers();
    else if (space !== undefined) this.#variables.push(...variables(reader, space));
    else if (word === '.branchtargets') {
      const labels: string[] = [];
      while (!reader.skip(';')) if (!reader.skip(',')) labels.push(reader.name());
      this.#scopes.table(this.#lastLabel, labels);
    } else if (word === '.extern') reader.fail('.extern is for variables outside of functions');
    else reader.skipThrough(';');
  }

  #registers(): void {
    const reader = this.#reader;
    const width = VECTORS[reader.peek()] ?? 0;
    if (width > 0) reader.take();
    const type = scalarType(reader.peek().slice(1));
    if (type === undefined) return reader.fail('expected the type of a register');
    reader.take();
    const add = (name: string): void => {
      if (width === 0) this.#scopes.declare(reader, name, type);
      for (const component of COMPONENTS.slice(0, width))
        this.#scopes.declare(reader, `${name}.${component}`, type);
    };
    do {
      const name = reader.name();
      if (reader.skip('<')) {
        const count = reader.integer();
        for (let index = 0; index < count; index++) add(`${name}${index}`);
        reader.expect('>');
      } else add(name);
    } while (reader.skip(','));
    reader.expect(';');
  }

  #guard(): Instruction['guard'] {
    const reader = this.#reader;
    if (!reader.skip('@')) return null;
    const negated = reader.skip('!');
    const register = this.#scopes.register(reader.peek());
    if (register === undefined) return reader.fail('the predicate is not declared');
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
    const list = operands(reader, this.#scopes, /^call\b/.test(written));
    const decoded = this.#decoded(written, list, token);
    const { effect } = decoded;
    const location = this.#locations.current;
    if (effect.kind === 'control' && (effect.op === 'branch' || effect.op === 'table'))
      this.#branches.push({ instruction: index, token, scope: this.#scopes.current });
    this.#instructions.push({
      ...decoded,
      index,
      operands: list,
      guard,
      line,
      column,
      location,
      targets: [],
    });
  }

  #decoded(opcode: string, list: readonly Operand[], token: number): Decoded {
    try {
      return decode(opcode, list, this.#scopes.registers);
    } catch (error) {
      if (error instanceof RefusedInstruction) return this.#reader.fail(error.message, token);
      throw error;
    }
  }

  #resolve({ instruction, token, scope }: Branch): void {
    const branch = this.#instructions[instruction]!;
    const isTable = branch.effect.kind === 'control' && branch.effect.op === 'table';
    const name = symbolName(branch.operands[isTable ? 1 : 0]);
    const labels = isTable ? findIn(scope, 'tables', name) : [name];
    if (labels === undefined)
      return this.#reader.fail(`no list of branch targets is named '${name}'`, token);
    const targets = labels.map((label) => {
      const target = findIn(scope, 'labels', label);
      return target ?? this.#reader.fail(`no label is named '${label}'`, token);
    });
    this.#instructions[instruction] = { ...branch, targets };
  }
}

function symbolName(operand: Operand | undefined): string {
  return operand?.kind === 'symbol' ? operand.name : '';
}
