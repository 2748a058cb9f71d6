// The scalar types of PTX: their width, and how their bits are read.

/** How the bits of a type are read. */
export type ScalarClass = 'bits' | 'unsigned' | 'signed' | 'float' | 'predicate' | 'opaque';

/** A scalar type of PTX. */
export interface ScalarType {
  /** The name without its dot, such as `u32`. */
  readonly name: string;
  /** The width in bits; a predicate has one. */
  readonly bits: number;
  /** How the bits are read. */
  readonly class: ScalarClass;
}

function of(scalarClass: ScalarClass, widths: Readonly<Record<string, number>>): ScalarType[] {
  return Object.entries(widths).map(([name, bits]) => ({ name, bits, class: scalarClass }));
}

const TYPES: ReadonlyMap<string, ScalarType> = new Map(
  [
    ...of('bits', { b1: 1, b4: 4, b8: 8, b16: 16, b32: 32, b64: 64, b128: 128 }),
    ...of('unsigned', { u4: 4, u8: 8, u16: 16, u32: 32, u64: 64, u16x2: 32, u8x4: 32 }),
    ...of('signed', { s4: 4, s8: 8, s16: 16, s32: 32, s64: 64, s16x2: 32, s8x4: 32 }),
    ...of('float', { f16: 16, f16x2: 32, bf16: 16, bf16x2: 32, tf32: 32, f32: 32, f32x2: 64 }),
    ...of('float', { f64: 64, e4m3: 8, e5m2: 8, e4m3x2: 16, e5m2x2: 16, e4m3x4: 32 }),
    ...of('float', { e5m2x4: 32, e2m1: 4, e2m1x2: 8, e2m1x4: 16, e2m3: 6, e3m2: 6 }),
    ...of('float', { e2m3x2: 16, e3m2x2: 16, e2m3x4: 32, e3m2x4: 32, ue8m0: 8, ue8m0x2: 16 }),
    ...of('float', { ue4m3: 8, f8f6f4: 8 }),
    ...of('predicate', { pred: 1 }),
    ...of('opaque', { texref: 64, samplerref: 64, surfref: 64 }),
  ].map((type) => [type.name, type]),
);

/** The type with a name such as `u32`, or `undefined`. */
export function scalarType(name: string): ScalarType | undefined {
  return TYPES.get(name);
}

/** Bytes that a value of a type occupies in memory. */
export function byteSize(type: ScalarType): number {
  return Math.max(1, type.bits >> 3);
}
