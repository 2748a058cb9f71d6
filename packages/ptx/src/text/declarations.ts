// Declarations of variables and parameters.
import { initializer } from './constant.ts';
import type { Initializer, Parameter, Space, Variable } from './module.ts';
import type { Reader } from './reader.ts';
import { byteSize, scalarType } from '../isa/scalar-type.ts';
import type { ScalarType } from '../isa/scalar-type.ts';

/** Elements of a vector type by its directive. */
const VECTOR_WIDTHS: Readonly<Record<string, number>> = { '.v2': 2, '.v4': 4, '.v8': 8 };
/** Words in a parameter that say nothing of its layout. */
const PARAMETER_WORDS = new Set([
  '.reg',
  '.param',
  '.ptr',
  '.global',
  '.shared',
  '.const',
  '.local',
  '.noalias',
]);

/** The type and the alignment in front of a name. */
interface TypeHead {
  readonly type: ScalarType;
  readonly width: number;
  readonly align: number;
}

function typeHead(reader: Reader, ignored: ReadonlySet<string> = new Set()): TypeHead {
  let align = 0;
  let width = 1;
  let type: ScalarType | undefined;
  for (;;) {
    const word = reader.peek();
    if (word === '.align') {
      reader.take();
      align = reader.integer();
    } else if (word === '.attribute') {
      reader.take();
      reader.skipThrough(')');
    } else if (VECTOR_WIDTHS[word] !== undefined) {
      reader.take();
      width = VECTOR_WIDTHS[word];
    } else if (ignored.has(word)) reader.take();
    else if (word.startsWith('.') && scalarType(word.slice(1)) !== undefined) {
      reader.take();
      // A pointer parameter has the alignment of what it points to behind its type.
      type ??= scalarType(word.slice(1));
      if (ignored.has('.ptr') && reader.skip('.ptr')) skipPointer(reader);
    } else break;
  }
  if (type === undefined) return reader.fail('expected a type');
  return { type, width, align: align === 0 ? byteSize(type) * width : align };
}

function skipPointer(reader: Reader): void {
  while (PARAMETER_WORDS.has(reader.peek())) reader.take();
  if (reader.skip('.align')) reader.integer();
}

/** The number of elements of `name[4][8]`: 0 where a size is missing. */
function elements(reader: Reader): number {
  let count = 1;
  while (reader.skip('[')) {
    count *= reader.peek() === ']' ? 0 : reader.integer();
    reader.expect(']');
  }
  return count;
}

function initializers(reader: Reader): Initializer[] {
  const values: Initializer[] = [];
  if (!reader.skip('{')) return [initializer(reader)];
  for (let depth = 1; depth > 0;) {
    if (reader.skip('{')) depth++;
    else if (reader.skip('}')) depth--;
    else if (!reader.skip(',')) values.push(initializer(reader));
  }
  return values;
}

/** Reads `.align 8 .b8 name[128], other = 4;` behind the word of its state space. */
export function variables(reader: Reader, space: Space): Variable[] {
  const { type, width, align } = typeHead(reader);
  const list: Variable[] = [];
  do {
    const line = reader.line();
    const name = reader.name();
    const sized = elements(reader);
    const initial = reader.skip('=') ? initializers(reader) : [];
    const count = sized === 0 && initial.length > 0 ? initial.length : sized;
    list.push({ name, space, type, size: count * width * byteSize(type), align, line, initial });
  } while (reader.skip(','));
  reader.expect(';');
  return list;
}

/** Reads `(.param .b64 a, .param .align 64 .b8 b[128])` with the offsets of the parameters. */
export function parameters(reader: Reader): Parameter[] {
  const list: Parameter[] = [];
  let end = 0;
  reader.expect('(');
  while (!reader.skip(')')) {
    if (reader.skip(',')) continue;
    const { type, width, align } = typeHead(reader, PARAMETER_WORDS);
    const name = reader.name();
    const size = elements(reader) * width * byteSize(type);
    const offset = Math.ceil(end / align) * align;
    list.push({ name, type, size, align, offset });
    end = offset + size;
  }
  return list;
}
