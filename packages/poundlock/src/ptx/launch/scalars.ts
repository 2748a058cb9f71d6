// The numbers of a launch that `--set` may change.
import { parameterName } from '../names.ts';
import type { PtxFunction } from '../text/module.ts';
import type { LaunchFile } from './read-launch.ts';

/** The widest parameter that is a number, in bytes. */
const MAX_BYTES = 4;

/** Parameters that are whole numbers, by the names of the launch file or of the PTX. */
export function namedScalars(
  file: LaunchFile,
  index: number,
  entry: PtxFunction,
): Record<string, number> {
  const { parameters, knownParameters } = file.launch(index, entry, {});
  const names = file.names(index);
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  const scalars: Record<string, number> = {};
  for (const [number, { name, type, size, offset }] of entry.parameters.entries()) {
    const ownName = names[number] ?? '';
    const isWhole = size <= MAX_BYTES && type.bits === size * 8 && type.class !== 'float';
    if (!isWhole || knownParameters[offset] === 0 || size !== MAX_BYTES) continue;
    scalars[ownName === '' ? parameterName(entry, name) : ownName] = view.getInt32(offset, true);
  }
  return scalars;
}
