// A launch written by hand: typed parameters in the order of the PTX.
import { parameterName } from '../names.ts';
import type { PtxFunction } from '../text/module.ts';
import type { Field } from './json-fields.ts';
import type { DeviceMemory, TensorMap } from './launch.ts';
import { bufferAddress, ParameterBlock } from './parameter-block.ts';
import type { LaunchParameters } from './recorded.ts';
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
const words = new DataView(new ArrayBuffer(8));

/** The bits of a scalar parameter. */
function bitsOf(field: Field, override: number | undefined): bigint {
  const type = field.at('type').text('i32');
  if (!SCALARS.has(type)) field.at('type').fail(`is not one of ${[...SCALARS].join(', ')}`);
  const value = field.at('value');
  if (type.startsWith('f')) {
    const float =
      override ??
      (typeof value.value === 'number' ? value.value : value.fail('has to be a number'));
    if (type === 'f64') words.setFloat64(0, float);
    else words.setFloat32(4, float);
    return type === 'f64' ? words.getBigUint64(0) : BigInt(words.getUint32(4));
  }
  return override === undefined ? value.big() : BigInt(override);
}

/** Reads `params` of a launch. */
export function readWritten(
  field: Field,
  entry: PtxFunction,
  overrides: LaunchOverrides,
): LaunchParameters {
  const block = new ParameterBlock(entry);
  const tensorMaps = new Map<string, TensorMap>();
  const memory: DeviceMemory[] = [];
  const list = field.at('params').elements();
  if (list.length > entry.parameters.length)
    field
      .at('params')
      .fail(`has ${list.length} entries, the kernel has ${entry.parameters.length} parameters`);
  const unused = new Set(Object.keys(overrides));
  for (const [index, each] of list.entries()) {
    const parameter = entry.parameters[index]!;
    const name = each.at('name').text(parameterName(entry, parameter.name));
    const value = overrides[name];
    unused.delete(name);
    const readers: Readonly<Record<string, () => void>> = {
      scalar: () => block.writeInteger(parameter.offset, parameter.size, bitsOf(each, value)),
      pointer: () => {
        const address = bufferAddress(index);
        block.writeInteger(parameter.offset, 8, address);
        if (each.at('content').text('') === 'tensormap')
          tensorMaps.set(`0x${address.toString(16)}`, tensorMap(each));
        const contents = each
          .at('int32')
          .elements()
          .map((word) => word.integer(-(2 ** 31), 2 ** 32 - 1));
        if (contents.length > 0)
          memory.push({
            address,
            contents: new Uint8Array(Uint32Array.from(contents, (word) => word >>> 0).buffer),
          });
      },
      tensormap: () => void tensorMaps.set(`parameter+${parameter.offset}`, tensorMap(each)),
    };
    const read = readers[each.at('kind').text()];
    if (read === undefined)
      each.at('kind').fail(`is not one of ${Object.keys(readers).join(', ')}`);
    read();
  }
  const [unknown] = unused;
  if (unknown !== undefined) field.at('params').fail(`has no parameter named '${unknown}'`);
  return { block, tensorMaps, memory };
}

function tensorMap(field: Field): TensorMap {
  return { boxBytes: field.at('boxBytes').integer(1, MAX_BOX_BYTES) };
}
