// A launch written by hand: typed parameters in the order of the PTX.
import { parameterName } from '../text/names.ts';
import { scalarType } from '../isa/scalar-type.ts';
import type { ScalarType } from '../isa/scalar-type.ts';
import type { PtxFunction } from '../text/module.ts';
import { Field } from './json-fields.ts';
import type { BoundedBuffer, DeviceMemory, TensorMap } from './launch.ts';
import { MAP_BYTES } from './map-key.ts';
import { readAllowed } from './allowed-data.ts';
import type { AllowedData } from './allowed-data.ts';
import { readOrigin } from './origin.ts';
import { bufferAddress, ParameterBlock } from './parameter-block.ts';
import { boxOf, type LaunchParameters } from './recorded.ts';
import type { LaunchOverrides } from './read-launch.ts';

/** The types of scalars, and their bytes. */
const SCALARS: Readonly<Record<string, number>> = {
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  i64: 8,
  u64: 8,
  f32: 4,
  f64: 8,
  f16: 2,
};
const SCALAR_TYPES: ReadonlyMap<string, ScalarType> = new Map(
  Object.keys(SCALARS).map((name) => [name, scalarType(name.replace('i', 's'))!]),
);
const MAX_BOX_BYTES = 1 << 20;
/** The most bytes of a buffer. */
const MAX_BYTES = 2 ** 40;
const POINTER_BYTES = 8;
/** Bytes that addresses of one buffer have before those of the next one. */
const WINDOW = 2 ** 32;
/** What describes a tensor map; nothing of `swizzle`, `mode` and `tile` decides a verdict. */
const OF_MAPS = ['boxBytes', 'box', 'element', 'swizzle', 'mode', 'tile'];
/** Members of a parameter, by its kind. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  scalar: ['kind', 'name', 'origin', 'type', 'value', 'vary'],
  pointer: [
    'kind',
    'name',
    'origin',
    'bytes',
    'align',
    'alias',
    'int32',
    'values',
    'writtenBy',
    'content',
    ...OF_MAPS,
  ],
  tensormap: ['kind', 'name', 'origin', 'writtenBy', ...OF_MAPS],
  struct: ['kind', 'name', 'origin', 'fields'],
};
/** Members of a pointer to the buffer of another one. */
const OF_ALIAS = new Set(['kind', 'name', 'alias']);
/** What addresses of buffers are multiples of, unless the launch says more. */
const ALLOCATED_ALIGN = 256;
const MAX_ALIGN = 2 ** 31;
const words = new DataView(new ArrayBuffer(8));

/** The type of a scalar; `i32` unless specified. */
function typeOf(field: Field): string {
  const type = field.at('type').text('i32');
  if (Object.hasOwn(SCALARS, type)) return type;
  return field.at('type').fail(`is not one of ${Object.keys(SCALARS).join(', ')}`);
}

/** The bits of a scalar parameter; `null` where they are not computed. */
function bitsOf(field: Field, size: number, override: number | undefined): bigint | null {
  const type = typeOf(field);
  const value = field.at('value');
  if (type.startsWith('f')) {
    const float =
      override ??
      (typeof value.value === 'number' ? value.value : value.fail('has to be a number'));
    if (type === 'f16') return null;
    if (type === 'f64') words.setFloat64(0, float);
    else words.setFloat32(4, float);
    return type === 'f64' ? words.getBigUint64(0) : BigInt(words.getUint32(4));
  }
  if (override !== undefined && !Number.isSafeInteger(override))
    value.fail('has to be a whole number');
  const whole = override === undefined ? value.big() : BigInt(override);
  const bits = 8 * Math.min(size, POINTER_BYTES);
  const isWithin = whole >= -(1n << BigInt(bits - 1)) && whole < 1n << BigInt(bits);
  if (!isWithin) value.fail(`is ${whole}, and the parameter ${sized(size)}`);
  return whole;
}

function sized(bytes: number): string {
  return bytes === 1 ? 'has 1 byte' : `has ${bytes} bytes`;
}

/** A parameter of the kernel, or a field of one: where its bytes are. */
interface Slot {
  /** Its name in the text. */
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  /** Whether an alignment of 64 lets it be a tensor map. */
  readonly type: ScalarType;
}

/** An entry of `params`, or a field of a struct. */
interface Entry {
  readonly field: Field;
  /** The number of its buffer, if it is a pointer. */
  readonly buffer: number;
  readonly slot: Slot;
  /** The value that a scalar has instead of its own. */
  readonly override: number | undefined;
}

/** Collects what the entries of `params` say. */
class WrittenParameters implements LaunchParameters {
  readonly block: ParameterBlock;
  readonly tensorMaps = new Map<string, TensorMap>();
  readonly memory: DeviceMemory[] = [];
  readonly bounds = new Map<number, BoundedBuffer>();
  readonly allowed = new Map<number, AllowedData>();
  readonly #overrides: Overriding;
  /** Names of all parameters, and the buffers of those that have one of their own. */
  readonly #names = new Set<string>();
  readonly #owners = new Map<string, number>();
  readonly #aliases: { alias: Field; name: string; own: string; offset: number }[] = [];
  #buffers: number;
  readonly #readers: Readonly<Record<string, (entry: Entry) => void>> = {
    scalar: (entry) => this.#scalar(entry),
    pointer: (entry) => this.#pointer(entry),
    struct: (entry) => this.#struct(entry),
    tensormap: (entry) => {
      // A structure may begin with a map.
      requireSize(entry, Math.max(MAP_BYTES, entry.slot.size));
      this.#addMap(`parameter+${entry.slot.offset}`, entry.field);
    },
  };

  constructor(entry: PtxFunction, overrides: Overriding) {
    this.block = new ParameterBlock(entry);
    this.#buffers = entry.parameters.length;
    this.#overrides = overrides;
  }

  read(field: Field, slot: Slot, buffer: number): void {
    const kind = field.at('kind').text();
    if (!Object.hasOwn(this.#readers, kind))
      field.at('kind').fail(`is not one of ${Object.keys(this.#readers).join(', ')}`);
    field.only(MEMBERS[kind]!);
    readOrigin(field.at('origin'));
    const name = field.at('name').text(slot.name);
    this.#names.add(name);
    const override = this.#overrides.of(name);
    this.#readers[kind]!({ field, buffer, slot, override });
  }

  #scalar({ field, slot, override }: Entry): void {
    const { isMissing } = field.at('type');
    const type = typeOf(field);
    if (!isMissing && SCALARS[type]! !== slot.size)
      field.fail(`is ${type}, and the parameter ${sized(slot.size)} (${slot.type.name})`);
    const bits = bitsOf(field, slot.size, override);
    if (bits !== null) this.block.writeInteger(slot.offset, slot.size, bits);
  }

  #struct({ field, slot }: Entry): void {
    if (slot.size <= POINTER_BYTES && slot.type.bits === slot.size * 8)
      field.fail(`is a struct, and the parameter a number (${slot.type.name})`);
    let end = 0;
    for (const each of field.at('fields').elements()) {
      const at = each.at('offset').integer(0, slot.size - 1);
      const kind = each.at('kind').text();
      const type = SCALAR_TYPES.get(kind === 'scalar' ? typeOf(each) : kind) ?? slot.type;
      const size = kind === 'scalar' ? SCALARS[typeOf(each)]! : kind === 'pointer' ? 8 : MAP_BYTES;
      if (at < end) each.at('offset').fail(`is ${at}, in the field before, which ends at ${end}`);
      end = at + size;
      if (end > slot.size) each.fail(`ends at ${end}, and the parameter ${sized(slot.size)}`);
      const name = `${slot.name}+${at}`;
      this.read(
        withoutOffset(each),
        { name, offset: slot.offset + at, size, type },
        this.#buffers++,
      );
    }
  }

  #pointer(entry: Entry): void {
    const { field, buffer, slot } = entry;
    requireSize(entry, POINTER_BYTES);
    const alias = field.at('alias');
    const isApart = alias.value === false;
    if (!alias.isMissing && !isApart) {
      const target = alias.text();
      const more = field.names().find((member) => !OF_ALIAS.has(member));
      if (more !== undefined) field.at(more).fail('belongs to the parameter that alias names');
      const own = field.at('name').text(slot.name);
      this.#aliases.push({ alias, name: target, own, offset: slot.offset });
      return;
    }
    this.#owners.set(field.at('name').text(slot.name), buffer);
    const size = field.at('bytes');
    const bytes = size.integer(0, MAX_BYTES, MAX_BYTES);
    const address = bufferAddress(buffer);
    const name = field.at('name').text(slot.name);
    const align = field.at('align').integer(1, MAX_ALIGN, ALLOCATED_ALIGN);
    if (Math.log2(align) % 1 !== 0) field.at('align').fail('has to be a power of two');
    const bounded = { name, bytes: size.isMissing ? WINDOW : bytes, align, isApart };
    this.bounds.set(Number(address >> 32n), bounded);
    this.block.writeInteger(slot.offset, 8, address);
    const values = readAllowed(field.at('values'));
    if (values !== null) this.allowed.set(slot.offset, values);
    const content = field.at('content');
    if (!content.isMissing && content.value !== 'tensormap') content.fail("has to be 'tensormap'");
    if (!content.isMissing) this.#addMap(`0x${address.toString(16)}`, field);
    const elements = field.at('int32').elements();
    const integers = elements.map((word) => word.integer(-(2 ** 31), 2 ** 32 - 1));
    if (integers.length * 4 > bytes)
      field.at('int32').fail(`has ${integers.length * 4} bytes, and the buffer ${sized(bytes)}`);
    if (integers.length === 0) return;
    const contents = Uint32Array.from(integers, (word) => word >>> 0);
    this.memory.push({ address, contents: new Uint8Array(contents.buffer) });
  }

  /** Points what has the buffer of another parameter to it, after all of them are read. */
  settleAliases(): void {
    for (const { alias, name, own, offset } of this.#aliases) {
      if (name === own || !this.#names.has(name))
        alias.fail(`is '${name}', which no other parameter is named`);
      const buffer = this.#owners.get(name);
      if (buffer === undefined) alias.fail(`is '${name}', which has no buffer of its own`);
      else this.block.writeInteger(offset, 8, bufferAddress(buffer));
    }
  }

  #addMap(key: string, field: Field): void {
    const map = tensorMap(field);
    if (map !== null) this.tensorMaps.set(key, map);
  }
}

/** A field of a struct as a parameter of its own. */
function withoutOffset(field: Field): Field {
  const members = Object.entries(field.value as object).filter(([name]) => name !== 'offset');
  return new Field(field.file, field.path, Object.fromEntries(members));
}

function requireSize({ field, slot: { size, type } }: Entry, bytes: number): void {
  if (size === bytes) return;
  field.fail(`is a ${field.at('kind').text()}, and the parameter ${sized(size)} (${type.name})`);
}

/** Values that replace those of the file, each for one parameter or field. */
class Overriding {
  readonly #values: LaunchOverrides;
  readonly #unused: Set<string>;

  constructor(values: LaunchOverrides) {
    this.#values = values;
    this.#unused = new Set(Object.keys(values));
  }

  /** The value of a name. */
  of(name: string): number | undefined {
    this.#unused.delete(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** A name that nothing has. */
  get unknown(): string | undefined {
    return [...this.#unused][0];
  }
}

/** The parameters of a kernel with their types. */
export function parameterList(entry: PtxFunction): string {
  return entry.parameters
    .map(({ name, type, size }) => `${parameterName(entry, name)} (${type.name}, ${size} bytes)`)
    .join(', ');
}

/** Reads `params` of a launch. */
export function readWritten(
  launch: Field,
  entry: PtxFunction,
  overrides: LaunchOverrides,
): LaunchParameters {
  const overriding = new Overriding(overrides);
  const parameters = new WrittenParameters(entry, overriding);
  const params = launch.at('params');
  const fields = params.elements();
  const { length } = entry.parameters;
  if (fields.length !== length) {
    const list = length === 0 ? '' : `: ${parameterList(entry)}`;
    params.fail(`has ${fields.length} entries, the kernel has ${length} parameters${list}`);
  }
  for (const [index, field] of fields.entries()) {
    const { name, offset, size, type } = entry.parameters[index]!;
    parameters.read(field, { name: parameterName(entry, name), offset, size, type }, index);
  }
  parameters.settleAliases();
  const { unknown } = overriding;
  if (unknown !== undefined) params.fail(`has no parameter named '${unknown}'`);
  return parameters;
}

/** Bytes of an element of a tensor map. */
const ELEMENTS: Readonly<Record<string, number>> = {
  u8: 1,
  i8: 1,
  e4m3: 1,
  e5m2: 1,
  f16: 2,
  bf16: 2,
  u16: 2,
  i16: 2,
  f32: 4,
  tf32: 4,
  i32: 4,
  u32: 4,
  f64: 8,
  i64: 8,
  u64: 8,
  // Triton's names.
  fp8e4nv: 1,
  fp8e5: 1,
  fp16: 2,
  fp32: 4,
  fp64: 8,
};

/** What a launch says of a map; `null` where its box is not given, and has to be solved. */
function tensorMap(field: Field): TensorMap | null {
  const box = boxOf(field);
  const elements = box.reduce((product, length) => product * length, 1);
  const { isMissing } = field.at('element');
  const element = isMissing ? '' : field.at('element').text();
  if (!isMissing && !Object.hasOwn(ELEMENTS, element))
    field.at('element').fail(`is not one of ${Object.keys(ELEMENTS).join(', ')}`);
  const isTiled = box.length > 0 && !isMissing;
  const bytes = isTiled ? elements * ELEMENTS[element]! : 0;
  const declared = field.at('boxBytes');
  const shape = box.length > 0 ? { box } : {};
  if (declared.isMissing) return isTiled ? { boxBytes: bytes, ...shape } : null;
  const boxBytes = declared.integer(1, MAX_BOX_BYTES);
  if (isTiled && bytes !== boxBytes) declared.fail(`is ${boxBytes}, and the box ${sized(bytes)}`);
  return { boxBytes, ...shape };
}
