// Typed payloads: a schema names the fields of a tile, and each stage gets views of them.
import { InputError, type SharedMemory } from '../../core/src/base/index.ts';

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

interface Placed {
  readonly name: string;
  readonly type: NumberType;
  readonly offset: number;
  readonly length: number;
  readonly isArray: boolean;
}

/** Where the fields of a schema lie in a payload. */
export interface Plan {
  readonly bytes: number;
  readonly fields: readonly Placed[];
}

/** Lays the fields out in order, each at a multiple of its size. */
export function planSchema(schema: Schema): Plan {
  const fields: Placed[] = [];
  let bytes = 0;
  for (const [name, field] of Object.entries(schema)) {
    const isArray = typeof field !== 'string';
    const [type, length] = isArray ? field : [field, 1];
    if (!(type in ARRAYS)) {
      const known = Object.keys(ARRAYS).join(', ');
      throw new InputError(`field ${name} has the type ${type}: there are ${known}`);
    }
    if (!Number.isInteger(length) || length < 1) {
      throw new InputError(`field ${name} needs a whole number of at least 1, not ${length}`);
    }
    const size = ARRAYS[type].BYTES_PER_ELEMENT;
    bytes = Math.ceil(bytes / size) * size;
    fields.push({ name, type, offset: bytes, length, isArray });
    bytes += size * length;
  }
  return { bytes, fields };
}

type View = InstanceType<(typeof ARRAYS)[NumberType]>;

/** Makes the `data` of payloads. All of them are of one class, so that a field stays fast. */
export function fieldsOf<S extends Schema>({ fields }: Plan) {
  class Fields {
    readonly #views: readonly View[];
    constructor(memory: SharedMemory, at: number) {
      const buffer = memory.buffer as unknown as ArrayBuffer;
      this.#views = fields.map(({ type, offset, length }) => {
        return new ARRAYS[type](buffer, at + offset, length);
      });
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
  return Fields as unknown as new (memory: SharedMemory, at: number) => Data<S>;
}
