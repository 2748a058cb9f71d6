// A recorded launch: the bytes of each parameter, tensor maps as encoded, contents of memory.
import { parameterName } from '../text/names.ts';
import type { Parameter, PtxFunction } from '../text/module.ts';
import { byteSize } from '../isa/scalar-type.ts';
import type { AllowedData } from './allowed-data.ts';
import type { Field } from './json-fields.ts';
import type { BoundedBuffer, DeviceMemory, TensorMap } from './launch.ts';
import { MAP_BYTES } from './map-key.ts';
import { MAX_PARAMETER_BYTES, ParameterBlock } from './parameter-block.ts';
import type { LaunchOverrides } from './read-launch.ts';

/** What a launch file says of parameters. */
export interface LaunchParameters {
  readonly block: ParameterBlock;
  readonly tensorMaps: ReadonlyMap<string, TensorMap>;
  readonly memory: readonly DeviceMemory[];
  /** Which values the words behind pointers may hold, by the offset of the pointer. */
  readonly allowed?: ReadonlyMap<number, AllowedData>;
  /** Buffers of known sizes by the high half of their addresses. */
  readonly bounds: ReadonlyMap<number, BoundedBuffer>;
  /** Memory that pointers reach: addresses of its first byte and behind its last. */
  readonly reached?: readonly (readonly [from: number, to: number])[];
}

/** The most bytes of a box of a tensor map. */
const MAX_BOX_BYTES = 1 << 24;
/** The most elements of a box along one dimension, and its dimensions. */
const MAX_BOX = 256;
const MAX_DIMENSIONS = 5;
const OF_MEMORY = ['parameter', 'offset', 'address', 'bytes'];
const OF_MAP = [
  'parameter',
  'offset',
  'behind',
  'writtenBy',
  'encoded',
  'elementType',
  'elementBytes',
  'address',
  'dimensions',
  'strides',
  'box',
  'boxBytes',
  'lower',
  'upper',
  'channels',
  'pixels',
  'elementStrides',
  'interleave',
  'swizzle',
  'fill',
];
/** The most bytes of one recorded buffer. */
const MAX_MEMORY = 64 * 1024 * 1024;

/** Reads `parameters`, `tensorMaps` and `memory` of a recorded launch. */
export function readRecorded(
  field: Field,
  entry: PtxFunction,
  overrides: LaunchOverrides,
): LaunchParameters {
  const block = new ParameterBlock(entry);
  const list = field.at('parameters').elements();
  for (const each of list) each.only(['name', 'offset', 'size', 'bytes', 'vary']);
  if (list.length !== entry.parameters.length)
    field
      .at('parameters')
      .fail(`has ${list.length} entries, the kernel has ${entry.parameters.length} parameters`);
  for (const [index, parameter] of entry.parameters.entries()) {
    const bytes = list[index]!.at('bytes').bytes(MAX_PARAMETER_BYTES);
    if (bytes.length > parameter.size)
      list[index]!.at('bytes').fail(`has more than the ${parameter.size} bytes of the parameter`);
    block.write(parameter.offset, bytes);
  }
  override(field, entry, block, overrides);
  const memory = field
    .at('memory')
    .elements()
    .map((each) => ({
      address: each.only(OF_MEMORY).at('address').address(),
      contents: each.at('bytes').bytes(MAX_MEMORY),
    }));
  const maps = tensorMaps(field, entry, block);
  return { block, tensorMaps: maps, memory, bounds: new Map(), reached: reachedFrom(field) };
}

/** What pointers reach, in pieces that have no byte in common. */
function reachedFrom(field: Field): [from: number, to: number][] {
  const pieces: [from: number, to: number][] = [];
  const pointers = field.at('pointers').elements();
  const all = pointers.map((each) => {
    const from = Number(each.at('address').address());
    return [from, from + each.at('left').integer(0, MAX_REACHED, 0)] as [number, number];
  });
  for (const [from, to] of all.toSorted(([one], [other]) => one - other)) {
    const last = pieces.at(-1);
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) pieces.push([from, to]);
  }
  return pieces;
}

/** The most bytes behind a pointer. */
const MAX_REACHED = 2 ** 48;

/** The lengths of the box of a tensor map; none where it has no box. */
export function boxOf(map: Field): number[] {
  const lengths = map.at('box').elements();
  if (lengths.length > MAX_DIMENSIONS)
    map.at('box').fail(`has more than ${MAX_DIMENSIONS} lengths`);
  return lengths.map((length) => length.integer(1, MAX_BOX));
}

/** The parameter that an entry speaks of. */
export function parameterOf(field: Field, entry: PtxFunction): Parameter {
  const number = field.at('parameter').integer(0, MAX_PARAMETER_BYTES);
  return (
    entry.parameters[number] ??
    field.at('parameter').fail(`is ${number}, the kernel has ${entry.parameters.length} parameters`)
  );
}

function tensorMaps(
  field: Field,
  entry: PtxFunction,
  block: ParameterBlock,
): Map<string, TensorMap> {
  const maps = new Map<string, TensorMap>();
  for (const each of field.at('tensorMaps').elements()) {
    const offset =
      parameterOf(each.only(OF_MAP), entry).offset +
      each.at('offset').integer(0, MAX_PARAMETER_BYTES);
    const box = boxOf(each);
    const elements = box.reduce((product, length) => product * length, 1);
    const recorded = each.at('boxBytes');
    const size: unknown = each.at('elementBytes').value ?? 0;
    if (typeof size !== 'number') return each.at('elementBytes').fail('has to be a number');
    const boxBytes = recorded.isMissing ? elements * size : recorded.integer(1, MAX_BOX_BYTES);
    if ((recorded.isMissing && box.length === 0) || !(boxBytes > 0 && boxBytes <= MAX_BOX_BYTES))
      each.fail('does not say how many bytes a copy moves');
    const isBehind = each.at('behind').flag();
    const key = isBehind ? pointerAt(block, offset) : `parameter+${offset}`;
    maps.set(key, { boxBytes: Math.ceil(boxBytes), ...(box.length > 0 && { box }) });
    if (!isBehind) block.known.fill(0, offset, offset + MAP_BYTES);
  }
  return maps;
}

/** Whether a parameter has a name, with or without that of its kernel. */
export function isNamed(entry: PtxFunction, parameter: string, name: string): boolean {
  return parameter === name || parameterName(entry, parameter) === name;
}

/** The address in a parameter, as a key of tensor maps. */
function pointerAt(block: ParameterBlock, offset: number): string {
  let address = 0n;
  for (let byte = 7; byte >= 0; byte--)
    address = (address << 8n) | BigInt(block.bytes[offset + byte] ?? 0);
  const low = Number(address & 0xffff_ffffn);
  return `0x${(address >> 32n).toString(16)}${low.toString(16).padStart(8, '0')}`;
}

/** Replaces scalar parameters by name or by number. */
export function override(
  field: Field,
  entry: PtxFunction,
  block: ParameterBlock,
  overrides: LaunchOverrides,
): void {
  const names = field
    .at('parameters')
    .elements()
    .map((each) => each.at('name').text(''));
  for (const [name, value] of Object.entries(overrides)) {
    const index =
      names.indexOf(name) >= 0
        ? names.indexOf(name)
        : entry.parameters.findIndex((parameter) => isNamed(entry, parameter.name, name));
    const parameter = entry.parameters[index];
    if (parameter === undefined) field.at('parameters').fail(`has no parameter named '${name}'`);
    if (parameter.size > 8)
      field.at('parameters').fail(`has more than 8 bytes in '${name}': it is not a number`);
    if (!Number.isSafeInteger(value))
      field.at('parameters').fail(`has whole numbers only: ${value} is none`);
    block.writeInteger(parameter.offset, byteSize(parameter.type), BigInt(value));
  }
}
