// Typed payloads: a schema names the fields of a tile, and each stage has views of them.
import { InputError, requireWord, type SharedMemory } from '../../core/src/base/index.ts';
import { TEXT_HEAD, TEXT_TYPES, TextField, type TextType } from './text-field.ts';

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
} as const;

/** The types of numbers in a payload, by width in bits: signed, unsigned and floating-point. */
export type NumberType = keyof typeof ARRAYS;

const NUMBER_TYPES = Object.keys(ARRAYS) as NumberType[];
const FIELD_TYPES = [...NUMBER_TYPES, ...TEXT_TYPES];

const isText = (type: string): type is TextType => (TEXT_TYPES as readonly string[]).includes(type);

/**
 * A number, an array of numbers with its length, or text (`utf8`) or any JSON value (`json`) with
 * the most bytes that it needs in UTF-8.
 */
export type SchemaField =
  | NumberType
  | readonly [NumberType, number]
  | readonly ['utf8' | 'json', number];

/** The fields of a payload by name, in the order in which they lie in memory. */
export type Schema = Readonly<Record<string, SchemaField>>;

type NumberOf<T extends NumberType> = T extends 'i64' | 'u64' ? bigint : number;
type ArrayOf<T extends NumberType> = InstanceType<(typeof ARRAYS)[T]>;

/**
 * The fields of a stage's payload: numbers, text and JSON values can be assigned, arrays are views.
 */
export type Data<S extends Schema> = { -readonly [K in keyof S]: FieldData<S[K]> };

type FieldData<F> = F extends readonly [infer T extends NumberType, number]
  ? ArrayOf<T>
  : F extends readonly ['utf8', number]
    ? string
    : F extends readonly ['json', number]
      ? unknown
      : F extends NumberType
        ? NumberOf<F>
        : never;

interface FieldLayout {
  readonly name: string;
  readonly type: NumberType | TextType;
  readonly offset: number;
  readonly length: number;
  readonly isArray: boolean;
}

/** The offsets of a schema's fields in a payload. */
export interface PayloadLayout {
  readonly bytes: number;
  readonly fields: readonly FieldLayout[];
}

/** Lays out the fields in order, each aligned to its size. */
export function layOutSchema(schema: Schema): PayloadLayout {
  const fields: FieldLayout[] = [];
  let bytes = 0;
  for (const [name, field] of Object.entries(schema)) {
    const isArray = typeof field !== 'string';
    const [type, length] = isArray ? field : [field, 1];
    requireWord(`the type of field ${name}`, type, isArray ? FIELD_TYPES : NUMBER_TYPES);
    if (!Number.isInteger(length) || length < 1) {
      throw new InputError(
        `the length of field ${name} must be a whole number of at least 1, not ${length}`,
      );
    }
    const size = isText(type) ? TEXT_HEAD : ARRAYS[type].BYTES_PER_ELEMENT;
    bytes = Math.ceil(bytes / size) * size;
    fields.push({ name, type, offset: bytes, length, isArray: isArray && !isText(type) });
    bytes += isText(type) ? TEXT_HEAD + length : size * length;
  }
  return { bytes, fields };
}

type View = InstanceType<(typeof ARRAYS)[NumberType]>;

type FieldsClass<S extends Schema> = new (memory: SharedMemory, at: number) => Data<S>;

/** By their layouts: V8 is fastest where all rings of a schema share a class. */
const classes = new Map<string, FieldsClass<Schema>>();

/** The class of payloads' `data`. */
export function fieldsOf<S extends Schema>({ fields }: PayloadLayout): FieldsClass<S> {
  const key = JSON.stringify(fields);
  let found = classes.get(key);
  if (found === undefined) classes.set(key, (found = createClass(fields)));
  return found as FieldsClass<S>;
}

function createClass(fields: readonly FieldLayout[]): FieldsClass<Schema> {
  class Fields {
    readonly #views: readonly View[];
    readonly #texts: readonly (TextField | undefined)[];
    constructor(memory: SharedMemory, at: number) {
      const buffer = memory.buffer as unknown as ArrayBuffer;
      this.#views = fields.map(({ type, offset, length }) => {
        const View = isText(type) ? Uint8Array : ARRAYS[type];
        return new View(buffer, at + offset, length);
      });
      this.#texts = fields.map(({ name, type, offset, length }) => {
        return isText(type) ? new TextField(name, type, buffer, at + offset, length) : undefined;
      });
      // Assigning a field that the schema does not have throws.
      Object.preventExtensions(this);
    }

    static array(index: number): PropertyDescriptor & ThisType<Fields> {
      return {
        get() {
          return this.#views[index];
        },
      };
    }

    static number(index: number): PropertyDescriptor & ThisType<Fields> {
      return {
        get() {
          return this.#views[index]![0];
        },
        set(value: number & bigint) {
          this.#views[index]![0] = value;
        },
      };
    }

    static text(index: number): PropertyDescriptor & ThisType<Fields> {
      return {
        get() {
          return this.#texts[index]!.read();
        },
        set(value: unknown) {
          this.#texts[index]!.write(value);
        },
      };
    }
  }
  for (const [index, { name, type, isArray }] of fields.entries()) {
    const kind = isText(type) ? 'text' : isArray ? 'array' : 'number';
    Object.defineProperty(Fields.prototype, name, { ...Fields[kind](index), enumerable: true });
  }
  return Fields as unknown as FieldsClass<Schema>;
}
