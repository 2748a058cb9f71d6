// Reads a PTX text: version, target, variables and functions.
import { body } from './body.ts';
import { attribute, parameters, variables } from './declarations.ts';
import {
  headDirective,
  MODULE_DIRECTIVES,
  pragma,
  refuseDirective,
  type Owner,
} from './directives.ts';
import { controlOf } from '../isa/questions.ts';
import { byteSize } from '../isa/scalar-type.ts';
import { sourceFile } from './locations.ts';
import { partsOfCall } from './calls.ts';
import type {
  Instruction,
  Operand,
  Parameter,
  PtxFunction,
  PtxModule,
  Register,
  Space,
  Variable,
} from './module.ts';
import { PtxError } from './ptx-error.ts';
import { Reader } from './reader.ts';
import type { Named, OpenName } from './scopes.ts';
import { tokenize } from './tokens.ts';

const SPACES: Readonly<Record<string, Space>> = {
  '.shared': 'shared',
  '.global': 'global',
  '.const': 'const',
};
const LINKAGE = new Set(['.visible', '.extern', '.weak', '.common']);
/** Words behind the architecture of `.target`. */
const TARGET_OPTIONS = ['texmode_unified', 'texmode_independent', 'debug', 'map_f64_to_f32'];
const ARCHITECTURE = /^(?:sm|compute)_\d+[af]?$/;

/**
 * Reads a PTX text as compilers print it.
 *
 * @param text The PTX text.
 * @param file Its name, for messages and findings.
 * @throws PtxError (an InputError) with line and column if it is not PTX.
 *
 * @example
 * import { parsePtx } from 'poundlock/ptx';
 *
 * const text = `.version 8.0
 * .target sm_90a
 * .address_size 64
 * .visible .entry meet() { bar.sync 0; ret; }`;
 * console.log(parsePtx(text).target); // sm_90a
 */
export function parsePtx(text: string, file = 'kernel.ptx'): PtxModule {
  return new ModuleParser(new Reader(tokenize(text, file)), file).parse();
}

class ModuleParser {
  readonly #reader: Reader;
  readonly #file: string;
  readonly #files = new Map<number, string>();
  readonly #variables: Variable[] = [];
  readonly #functions = new Map<string, PtxFunction>();
  readonly #names = new Map<string, Named>();
  readonly #openNames: OpenName[] = [];

  constructor(reader: Reader, file: string) {
    this.#reader = reader;
    this.#file = file;
  }

  parse(): PtxModule {
    const reader = this.#reader;
    if (!reader.skip('.version'))
      throw new PtxError('the text has no .version: it is not PTX', this.#file, 1, 1);
    const version = this.#version();
    const target = this.#target();
    if (reader.skip('.address_size') && reader.integer() !== 64)
      reader.fail('an address has 64 bits', reader.at - 1);
    while (!reader.isAtEnd()) this.#directive();
    for (const { name, token } of this.#openNames)
      if (!this.#names.has(name)) reader.fail(`nothing is named '${name}'`, token);
    for (const code of this.#functions.values())
      for (const call of code.instructions) if (controlOf(call) === 'call') this.#call(call, code);
    return {
      file: this.#file,
      version,
      target,
      files: this.#files,
      variables: this.#variables,
      functions: this.#functions,
    };
  }

  #version(): string {
    const reader = this.#reader;
    const version = reader.peek();
    if (!/^\d+\.\d+$/.test(version)) reader.fail('expected a version such as 9.0');
    return reader.take();
  }

  /** The first architecture of `.target sm_90a, texmode_independent`. */
  #target(): string {
    const reader = this.#reader;
    let target = '';
    if (reader.peek() !== '.target') reader.fail('the text has no .target behind its .version');
    while (reader.skip('.target'))
      do {
        const word = reader.peek();
        if (ARCHITECTURE.test(word)) target ||= word;
        else if (!TARGET_OPTIONS.includes(word)) refuseDirective(reader, TARGET_OPTIONS, '.target');
        reader.take();
      } while (reader.skip(','));
    if (target === '') reader.fail('.target names no architecture');
    return target;
  }

  #directive(): void {
    const reader = this.#reader;
    const word = reader.peek();
    if (reader.isSourceDirective()) this.#sourceFile();
    else if (
      LINKAGE.has(word) ||
      Object.hasOwn(SPACES, word) ||
      word === '.entry' ||
      word === '.func'
    )
      this.#declaration();
    else if (reader.skip('.pragma')) pragma(reader);
    else if (reader.skip('.alias')) this.#alias();
    else if (word === '.reg' || word === '.local')
      reader.fail(`${word} outside of functions is not for targets with an ABI, sm_20 and later`);
    else if (word.startsWith('.')) refuseDirective(reader, MODULE_DIRECTIVES, 'a module');
    else reader.fail('expected a directive');
  }

  #sourceFile(): void {
    const entry = sourceFile(this.#reader.take());
    if (entry === undefined) this.#reader.fail('.loc is inside of functions', this.#reader.at - 1);
    this.#files.set(...entry);
  }

  #declaration(): void {
    const reader = this.#reader;
    const linkage: string[] = [];
    while (LINKAGE.has(reader.peek())) linkage.push(reader.take());
    const word = reader.peek();
    const space = SPACES[word];
    if (space !== undefined) {
      reader.take();
      for (const variable of variables(reader, space, linkage.includes('.extern'))) {
        this.#variables.push(variable);
        this.#names.set(variable.name, { elementBytes: byteSize(variable.type), space });
      }
    } else if (word === '.entry' || word === '.func') {
      const parsed = this.#function();
      if (parsed.isDefined || !this.#functions.has(parsed.name))
        this.#functions.set(parsed.name, parsed);
    } else reader.fail('expected a variable or a function');
  }

  /** Checks the results and the arguments of a call against the function that it names. */
  #call({ operands, line, column }: Instruction, { registers }: PtxFunction): void {
    const { target, results, inputs } = partsOfCall(operands);
    const callee = target?.kind === 'symbol' ? this.#functions.get(target.name) : undefined;
    if (target?.kind === 'symbol' && callee === undefined)
      throw new PtxError(`'${target.name}' is no function`, this.#file, line, column);
    if (target === undefined || target.kind === 'list')
      throw new PtxError('a call names a function', this.#file, line, column);
    if (callee === undefined) return;
    const fits =
      areBound(callee.results, results, registers) &&
      areBound(callee.parameters, inputs, registers);
    if (!fits)
      throw new PtxError(`the call does not fit '${callee.name}'`, this.#file, line, column);
  }

  /** Reads `.alias name, function;`: calls of the name are calls of the function. */
  #alias(): void {
    const reader = this.#reader;
    const name = reader.name();
    reader.expect(',');
    const aliased = this.#functions.get(reader.peek());
    if (aliased === undefined || !this.#functions.has(name))
      return reader.fail('an alias and its function are declared before');
    reader.take();
    reader.expect(';');
    this.#functions.set(name, { ...aliased, name });
  }

  #function(): PtxFunction {
    const reader = this.#reader;
    const isEntry = reader.take() === '.entry';
    if (reader.peek() === '.attribute') attribute(reader);
    const owner = isEntry ? 'kernel' : 'function';
    const results: Parameter[] = !isEntry && reader.peek() === '(' ? parameters(reader, owner) : [];
    const line = reader.line();
    const name = reader.name();
    this.#names.set(name, { elementBytes: 0, space: null });
    const list = reader.peek() === '(' ? parameters(reader, owner) : [];
    const directives = headDirectives(reader, owner);
    const head = { name, isEntry, parameters: list, results, directives, line };
    if (reader.skip(';') || isDeclaration(reader))
      return { ...head, isDefined: false, registers: [], variables: [], instructions: [] };
    const { openNames, ...code } = body(reader, [...results, ...list], this.#names);
    this.#openNames.push(...openNames);
    return { ...head, isDefined: true, ...code };
  }
}

/** Whether operands of a call are as many and as wide as the parameters of its function. */
function areBound(
  list: readonly Parameter[],
  operands: readonly Operand[],
  registers: readonly Register[],
): boolean {
  if (list.length !== operands.length) return false;
  return list.every(({ type }, index) => {
    const operand = operands[index]!;
    return operand.kind !== 'register' || registers[operand.register]!.type.bits === type.bits;
  });
}

/** Whether the next declaration follows: that of a function may have no `;`. */
function isDeclaration(reader: Reader): boolean {
  const word = reader.peek();
  if (reader.isSourceDirective()) return true;
  return word !== '.pragma' && (MODULE_DIRECTIVES as readonly string[]).includes(word);
}

/** Reads directives between the parameters and the body, such as `.reqntid 128, 1, 1`. */
function headDirectives(reader: Reader, owner: Owner): Map<string, number[]> {
  const directives = new Map<string, number[]>();
  while (!reader.isAtEnd() && !/^[{;]$/.test(reader.peek()) && !isDeclaration(reader))
    if (reader.skip('.pragma')) pragma(reader);
    else directives.set(...headDirective(reader, owner));
  return directives;
}
