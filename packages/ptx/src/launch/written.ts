// A launch written by hand: typed parameters in the order of the PTX.
import { parameterName } from '../text/names.ts';
import type { Parameter, PtxFunction } from '../text/module.ts';
import type { Field } from './json-fields.ts';
import type { BoundedBuffer, DeviceMemory, TensorMap } from './launch.ts';
import { MAP_BYTES } from './map-key.ts';
import { bufferAddress, ParameterBlock } from './parameter-block.ts';
import { boxOf, type LaunchParameters } from './recorded.ts';
import type { LaunchOverrides } from './read-launch.ts';

const SCALARS = new Set([
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'f32',
  'f64',
  'f16',
]);
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
  scalar: ['kind', 'name', 'type', 'value', 'vary'],
  pointer: ['kind', 'name', 'bytes', 'align', 'alias', 'int32', 'writtenBy', 'content', ...OF_MAPS],
  tensormap: ['kind', 'name', 'writtenBy', ...OF_MAPS],
};
/** Members of a pointer to the buffer of another one. */
const OF_ALIAS = new Set(['kind', 'name', 'alias']);
/** What addresses of buffers are multiples of, unless the launch says more. */
const ALLOCATED_ALIGN = 256;
const MAX_ALIGN = 2 ** 31;
const words = new DataView(new ArrayBuffer(8));

/** The bits of a scalar parameter; `null` where they are not computed. */
function bitsOf(field: Field, size: number, override: number | undefined): bigint | null {
  const type = field.at('type').text('i32');
  if (!SCALARS.has(type)) field.at('type').fail(`is not one of ${[...SCALARS].join(', ')}`);
  const value = field.at('value');
  if (type.startsWith('f')) {
    const float =
      override ??
      (typeof value.value === 'number' ? value.value : value.fail('has to be a number'));
    if (Number(type.slice(1)) > size * 8)
      field.fail(`is ${type}, and the parameter ${sized(size)}`);
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

/** An entry of `params`. */
interface Entry {
  readonly field: Field;
  readonly index: number;
  readonly parameter: Parameter;
  /** All entries. */
  readonly fields: readonly Field[];
  /** The value that a scalar has instead of its own. */
  readonly override: number | undefined;
}

/** Collects what the entries of `params` say. */
class WrittenParameters implements LaunchParameters {
  readonly block: ParameterBlock;
  readonly tensorMaps = new Map<string, TensorMap>();
  readonly memory: DeviceMemory[] = [];
  readonly bounds = new Map<number, BoundedBuffer>();
  readonly #entry: PtxFunction;
  readonly #readers: Readonly<Record<string, (entry: Entry) => void>> = {
    scalar: (entry) => this.#scalar(entry),
    pointer: (entry) => this.#pointer(entry),
    tensormap: (entry) => {
      requireSize(entry, MAP_BYTES);
      this.#addMap(`parameter+${entry.parameter.offset}`, entry.field);
    },
  };

  constructor(entry: PtxFunction) {
    this.block = new ParameterBlock(entry);
    this.#entry = entry;
  }

  read(entry: Entry): void {
    const { field } = entry;
    const kind = field.at('kind').text();
    if (!Object.hasOwn(this.#readers, kind))
      field.at('kind').fail(`is not one of ${Object.keys(this.#readers).join(', ')}`);
    field.only(MEMBERS[kind]!);
    this.#readers[kind]!(entry);
  }

  #scalar({ field, parameter, override }: Entry): void {
    const bits = bitsOf(field, parameter.size, override);
    if (bits !== null) this.block.writeInteger(parameter.offset, parameter.size, bits);
  }

  #pointer(entry: Entry): void {
    const { field, index, parameter } = entry;
    requireSize(entry, POINTER_BYTES);
    const alias = field.at('alias');
    const isApart = alias.value === false;
    if (!alias.isMissing && !isApart) {
      const target = this.#aliasOf(entry, alias);
      return this.block.writeInteger(parameter.offset, 8, bufferAddress(target));
    }
    const size = field.at('bytes');
    const bytes = size.integer(0, MAX_BYTES, MAX_BYTES);
    const address = bufferAddress(index);
    const name = this.#nameOf(field, index);
    const align = field.at('align').integer(1, MAX_ALIGN, ALLOCATED_ALIGN);
    if (Math.log2(align) % 1 !== 0) field.at('align').fail('has to be a power of two');
    const bounded = { name, bytes: size.isMissing ? WINDOW : bytes, align, isApart };
    this.bounds.set(Number(address >> 32n), bounded);
    this.block.writeInteger(parameter.offset, 8, address);
    const content = field.at('content');
    if (!content.isMissing && content.value !== 'tensormap') content.fail("has to be 'tensormap'");
    if (!content.isMissing) this.#addMap(`0x${address.toString(16)}`, field);
    const elements = field.at('int32').elements();
    const integers = elements.map((word) => word.integer(-(2 ** 31), 2 ** 32 - 1));
    if (integers.length * 4 > bytes)
      field.at('int32').fail(`has ${integers.length * 4} bytes, and the buffer ${sized(bytes)}`);
    if (integers.length === 0) return;
    const { buffer } = Uint32Array.from(integers, (word) => word >>> 0);
    this.memory.push({ address, contents: new Uint8Array(buffer) });
  }

  #nameOf(field: Field, index: number): string {
    return field.at('name').text(parameterName(this.#entry, this.#entry.parameters[index]!.name));
  }

  /** The parameter that points to the buffer to which an entry points, too. */
  #aliasOf({ field, fields, index }: Entry, alias: Field): number {
    const name = alias.text();
    const more = field.names().find((member) => !OF_ALIAS.has(member));
    if (more !== undefined) field.at(more).fail('belongs to the parameter that alias names');
    const target = fields.findIndex((other, at) => {
      return at !== index && this.#nameOf(other, at) === name;
    });
    if (target < 0) alias.fail(`is '${name}', which no other parameter is named`);
    const other = fields[target]!;
    const isBuffer =
      other.at('kind').text() === 'pointer' && typeof other.at('alias').value !== 'string';
    if (!isBuffer) alias.fail(`is '${name}', which has no buffer of its own`);
    return target;
  }

  #addMap(key: string, field: Field): void {
    const map = tensorMap(field);
    if (map !== null) this.tensorMaps.set(key, map);
  }
}

function requireSize({ field, parameter: { size } }: Entry, bytes: number): void {
  if (size < bytes) field.fail(`is a ${field.at('kind').text()}, and the parameter ${sized(size)}`);
}

/** Reads `params` of a launch. */
export function readWritten(
  launch: Field,
  entry: PtxFunction,
  overrides: LaunchOverrides,
): LaunchParameters {
  const parameters = new WrittenParameters(entry);
  const params = launch.at('params');
  const fields = params.elements();
  const { length } = entry.parameters;
  if (fields.length !== length)
    params.fail(`has ${fields.length} entries, the kernel has ${length} parameters`);
  const unused = new Set(Object.keys(overrides));
  for (const [index, field] of fields.entries()) {
    const parameter = entry.parameters[index]!;
    const name = field.at('name').text(parameterName(entry, parameter.name));
    const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
    unused.delete(name);
    parameters.read({ field, fields, index, parameter, override });
  }
  const [unknown] = unused;
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
