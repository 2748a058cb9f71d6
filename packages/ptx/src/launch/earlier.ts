// Buffers that the kernel before a programmatic dependent launch writes: `writtenBy`.
import { parameterName } from '../text/names.ts';
import type { PtxFunction } from '../text/module.ts';
import type { Field } from './json-fields.ts';
import type { EarlierBuffer } from './launch.ts';
import { bufferAddress, MAX_PARAMETER_BYTES } from './parameter-block.ts';
import { parameterOf } from './recorded.ts';

const BY_KERNEL = 'previous kernel';
/** The most bytes of a buffer. */
const MAX_BYTES = 2 ** 40;
const OF_POINTER = ['parameter', 'offset', 'address', 'left', 'writtenBy'];

/** Whether the launch says that the kernel before writes what a field speaks of. */
function isEarlier(field: Field): boolean {
  const by = field.at('writtenBy');
  if (!by.isMissing && by.text() !== BY_KERNEL) by.fail(`has to be '${BY_KERNEL}'`);
  return !by.isMissing;
}

/** The buffers of a launch that the kernel before it writes. */
export function earlierBuffers(field: Field, entry: PtxFunction): EarlierBuffer[] {
  return field.at('parameters').isMissing ? written(field, entry) : recorded(field, entry);
}

/** Those of parameters written by hand: pointers and tensor maps. */
function written(field: Field, entry: PtxFunction): EarlierBuffer[] {
  const list = field.at('params').elements();
  return list.flatMap((each, index): EarlierBuffer[] => {
    if (!isEarlier(each)) return [];
    const parameter = entry.parameters[index]!;
    const name = each.at('name').text(parameterName(entry, parameter.name));
    const map = `parameter+${parameter.offset}`;
    if (each.at('kind').text() === 'tensormap') return [{ name, address: 0, bytes: 0, map }];
    const bytes = each.at('bytes').integer(1, MAX_BYTES);
    return [{ name, address: Number(bufferAddress(index)), bytes, map: null }];
  });
}

/** Those of a recorded launch: the pointers and tensor maps that were found in its parameters. */
function recorded(field: Field, entry: PtxFunction): EarlierBuffer[] {
  const placed = (each: Field): { readonly name: string; readonly at: number } => {
    const parameter = parameterOf(each, entry);
    const offset = each.at('offset').integer(0, MAX_PARAMETER_BYTES);
    const name = parameterName(entry, parameter.name);
    return { name: offset === 0 ? name : `${name}+${offset}`, at: parameter.offset + offset };
  };
  const maps = field.at('tensorMaps').elements().filter(isEarlier);
  return [
    ...field
      .at('pointers')
      .elements()
      .flatMap((each) => {
        const { name } = placed(each.only(OF_POINTER));
        const address = Number(each.at('address').address());
        const isWritten = isEarlier(each);
        const bytes = each
          .at('left')
          .integer(isWritten ? 1 : 0, MAX_BYTES, isWritten ? undefined : 0);
        return isWritten ? [{ name, address, bytes, map: null }] : [];
      }),
    ...maps.map((each) => {
      const { name, at } = placed(each);
      return { name, address: 0, bytes: 0, map: `parameter+${at}` };
    }),
  ];
}
