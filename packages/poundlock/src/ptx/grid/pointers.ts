// The buffers in global memory that parameters of a kernel point to.
import { parameterName } from '../names.ts';
import type { Launch } from '../launch/launch.ts';
import type { Pointer } from '../steps/names.ts';
import type { PtxFunction } from '../text/module.ts';

const POINTER_BYTES = 8;

/** The parameters of a launch that may be pointers, with their values. */
export function pointersOf(code: PtxFunction, launch: Launch): Pointer[] {
  const { parameters, knownParameters } = launch;
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  return code.parameters.flatMap(({ name, offset, size }) => {
    if (size !== POINTER_BYTES || knownParameters[offset] === 0) return [];
    const address = Number(view.getBigUint64(offset, true));
    return Number.isSafeInteger(address) ? [{ name: parameterName(code, name), address }] : [];
  });
}
