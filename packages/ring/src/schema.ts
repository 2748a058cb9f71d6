// Typed payloads: a schema names the fields of a tile, and each stage has views of them.
import { InputError, requireWord, type SharedMemory } from '../../core/src/base/index.ts';

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

/** A number, or an array of numbers with its length. */
export type SchemaField = NumberType | readonly [NumberType, number];

/** The fields of a payload by name, in the order in which they lie in memory. */
export type Schema = Readonly<Record<string, SchemaField>>;

type NumberOf<T extends NumberType> = T extends 'i64' | 'u64' ? bigint : number;
type ArrayOf<T extends NumberType> = InstanceType<(typeof ARRAYS)[T]>;

/** The fields of a stage's payload: numbers can be assigned, arrays are views. */
export type Data<S extends Schema> = {
  -readonly [K in keyof S]: S[K] extends readonly [infer T extends NumberType, number]
    ? ArrayOf<T>
    : S[K] extends NumberType
      ? NumberOf<S[K]>
      : never;
};

interface FieldLayout {
  readonly name: string;
  readonly type: NumberType;
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
    requireWord(`the type of field ${name}`, type, NUMBER_TYPES);
    if (!Number.isInteger(length) || length < 1) {
      throw new InputError(
        `the length of field ${name} must be a whole number of at least 1, not ${length}`,
      );
    }
    const size = ARRAYS[type].BYTES_PER_ELEMENT;
    bytes = Math.ceil(bytes / size) * size;
    fields.push({ name, type, offset: bytes, length, isArray });
    bytes += size * length;
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
    constructor(memory: SharedMemory, at: number) {
      const buffer = memory.buffer as unknown as ArrayBuffer;
      this.#views = fields.map(({ type, offset, length }) => {
        return new ARRAYS[type](buffer, at + offset, length);
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
  }
  for (const [index, { name, isArray }] of fields.entries()) {
    const descriptor = isArray ? Fields.array(index) : Fields.number(index);
    Object.defineProperty(Fields.prototype, name, { ...descriptor, enumerable: true });
  }
  return Fields as unknown as FieldsClass<Schema>;
}
