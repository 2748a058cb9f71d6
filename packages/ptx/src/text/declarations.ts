// Declarations of variables and parameters.
import { initializer } from './constant.ts';
import type { Initializer, Parameter, Space, Variable } from './module.ts';
import type { Owner } from './directives.ts';
import type { Reader } from './reader.ts';
import { byteSize, scalarType } from '../isa/scalar-type.ts';
import type { ScalarType } from '../isa/scalar-type.ts';

/** Elements of a vector type by its directive. */
const VECTOR_WIDTHS: Readonly<Record<string, number>> = { '.v2': 2, '.v4': 4, '.v8': 8 };
/** State spaces that a pointer parameter may point into. */
const POINTED = new Set(['.global', '.shared', '.const', '.local']);

/** The type and the alignment in front of a name. */
interface TypeHead {
  readonly type: ScalarType;
  readonly width: number;
  readonly align: number;
}

function typeHead(reader: Reader): TypeHead {
  let align = 0;
  let width = 1;
  let type: ScalarType | undefined;
  for (;;) {
    const word = reader.peek();
    const vector = word.startsWith('.') ? VECTOR_WIDTHS[word] : undefined;
    if (word === '.align') align = alignment(reader);
    else if (word === '.attribute') attribute(reader);
    else if (vector !== undefined) {
      reader.take();
      width = vector;
    } else if (type === undefined && word.startsWith('.')) {
      type = scalarType(word.slice(1));
      if (type === undefined) break;
      reader.take();
    } else break;
  }
  if (type === undefined) return reader.fail('expected a type');
  return { type, width, align: align === 0 ? byteSize(type) * width : align };
}

function alignment(reader: Reader): number {
  reader.expect('.align');
  const align = reader.integer();
  if (!Number.isInteger(Math.log2(align)))
    reader.fail('an alignment is a power of two', reader.at - 1);
  return align;
}

/** Reads `.attribute(.managed)`. */
export function attribute(reader: Reader): void {
  reader.expect('.attribute');
  reader.expect('(');
  reader.skipThrough(')');
}

/** The sizes of `name[4][8]`: 0 where one is missing. */
function sizes(reader: Reader): number[] {
  const list: number[] = [];
  while (reader.skip('[')) {
    list.push(reader.peek() === ']' ? 0 : size(reader));
    reader.expect(']');
  }
  return list;
}

function size(reader: Reader): number {
  return reader.skip('WARP_SZ') ? 32 : reader.integer();
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, one) => all * one, 1);
const ZERO: Initializer = { low: 0, high: 0, isFloat: false };

/** Reads `{1, 2}` or `{{1, 2}, {3, 4}}` of an array: 0 stands where a value is missing. */
function initializers(reader: Reader, [first = 1, ...inner]: readonly number[]): Initializer[] {
  const values: Initializer[] = [];
  const length = product(inner);
  const fill = (count: number): void => {
    while (values.length < count) values.push(ZERO);
  };
  reader.expect('{');
  if (reader.skip('}')) return values;
  do {
    if (reader.peek() === '{') {
      if (inner.length === 0) reader.fail('an initial value has too many braces');
      const start = Math.ceil(values.length / length) * length;
      fill(start);
      values.push(...initializers(reader, inner));
      fill(start + length);
    } else values.push(initializer(reader));
  } while (reader.skip(','));
  if (first > 0 && values.length > first * length)
    reader.fail('an array has more initial values than elements');
  reader.expect('}');
  return values;
}

/** The most names that one declaration stands for. */
const MAX_NAMES = 1_000_000;

/** Reads a name, or the names `name0` … of `name<4>`. */
export function declaredNames(reader: Reader): string[] {
  const name = reader.name();
  if (!reader.skip('<')) return [name];
  const count = reader.integer();
  if (count > MAX_NAMES) reader.fail(`more than ${MAX_NAMES} names`, reader.at - 1);
  reader.expect('>');
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

/** Reads `.align 8 .b8 name[128], other = 4;` behind the word of its state space. */
export function variables(reader: Reader, space: Space, isExternal: boolean): Variable[] {
  const { type, width, align } = typeHead(reader);
  const list: Variable[] = [];
  do {
    const line = reader.line();
    const names = declaredNames(reader);
    const dimensions = sizes(reader);
    const isList = dimensions.length > 0 || width > 1;
    const vector = width > 1 ? [width] : [];
    let initial: Initializer[] = [];
    if (reader.peek() === '=' && space !== 'global' && space !== 'const')
      reader.fail(`a variable of .${space} has no initial value`);
    if (reader.skip('='))
      initial = isList ? initializers(reader, [...dimensions, ...vector]) : [initializer(reader)];
    const sized = product(dimensions) * width;
    const count = sized === 0 ? initial.length : sized;
    if (count === 0 && !isExternal) reader.fail('an array has a size, if it is not .extern');
    const bytes = count * byteSize(type);
    for (const name of names) list.push({ name, space, type, size: bytes, align, line, initial });
  } while (reader.skip(','));
  reader.expect(';');
  return list;
}

/** Reads `(.param .b64 a, .param .align 64 .b8 b[128])` with the offsets of the parameters. */
export function parameters(reader: Reader, owner: Owner): Parameter[] {
  const list: Parameter[] = [];
  let end = 0;
  reader.expect('(');
  if (reader.skip(')')) return list;
  do {
    const isRegister = owner === 'function' && reader.skip('.reg');
    if (!isRegister) {
      reader.skip('.hidden');
      if (!reader.skip('.param')) reader.fail(`a parameter of a ${owner} begins with .param`);
    }
    const { type, width, align } = parameterHead(reader);
    const name = reader.name();
    if (name !== '_' && list.some((other) => other.name === name))
      reader.fail(`two parameters are named '${name}'`, reader.at - 1);
    const bytes = product(sizes(reader)) * width * byteSize(type);
    const offset = Math.ceil(end / align) * align;
    const registers = isRegister ? registersOf(name, width) : [];
    list.push({ name, type, size: bytes, align, offset, registers });
    end = offset + bytes;
  } while (reader.skip(','));
  reader.expect(')');
  return list;
}

/** The names of the registers of `name`: `name.x` and so on of a vector. */
export function registersOf(name: string, width: number): string[] {
  return width === 1 ? [name] : ['x', 'y', 'z', 'w'].slice(0, width).map((at) => `${name}.${at}`);
}

/** The type of a parameter; a pointer has the alignment of what it points to behind its type. */
function parameterHead(reader: Reader): TypeHead {
  const head = typeHead(reader);
  if (!reader.skip('.ptr')) return head;
  if (POINTED.has(reader.peek())) reader.take();
  if (reader.peek() === '.align') alignment(reader);
  return head;
}
