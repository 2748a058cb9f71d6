// The numbers of a launch that `--set` may change.
import type { AllowedValues } from '@poundlock/core/internal/program';
import { parameterName } from '../text/names.ts';
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
  return Object.fromEntries(scalarsOf(file, index, entry).map(({ name, value }) => [name, value]));
}

/** Other values that the launch file allows for these parameters. */
export function allowedValues(
  file: LaunchFile,
  index: number,
  entry: PtxFunction,
): AllowedValues[] {
  const vary = file.vary(index);
  const scalars = scalarsOf(file, index, entry);
  return scalars.flatMap(({ name, number }) => {
    const allowed = vary[number];
    return allowed === undefined || allowed === null ? [] : [{ ...allowed, parameter: name }];
  });
}

/**
 * Where the parameters of a launch hold a number; `null` unless it is nowhere else, and nothing but
 * its own bytes follows from it.
 */
export function offsetOf(
  file: LaunchFile,
  index: number,
  entry: PtxFunction,
  name: string,
): number | null {
  const [low, high] = [0, -1].map((value) => file.launch(index, entry, { [name]: value }));
  const changed = [...low!.parameters].flatMap((byte, at) => {
    return byte === high!.parameters[at] ? [] : [at];
  });
  const [offset] = changed;
  const isOne = changed.length === MAX_BYTES && changed[MAX_BYTES - 1] === offset! + MAX_BYTES - 1;
  return isOne ? offset! : null;
}

/** A parameter that is a whole number, by its position. */
export interface Scalar {
  readonly name: string;
  readonly number: number;
  readonly value: number;
}

export function scalarsOf(file: LaunchFile, index: number, entry: PtxFunction): Scalar[] {
  const { parameters, knownParameters } = file.launch(index, entry, {});
  const names = file.names(index);
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  const scalars: Scalar[] = [];
  for (const [number, { name, type, size, offset }] of entry.parameters.entries()) {
    const ownName = names[number] ?? '';
    const isWhole = size <= MAX_BYTES && type.bits === size * 8 && type.class !== 'float';
    if (!isWhole || knownParameters[offset] === 0 || size !== MAX_BYTES) continue;
    scalars.push({
      name: ownName === '' ? parameterName(entry, name) : ownName,
      number,
      value: view.getInt32(offset, true),
    });
  }
  return scalars;
}
