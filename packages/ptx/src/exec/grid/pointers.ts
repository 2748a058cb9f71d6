// What has a name in global memory: buffers that parameters point to, variables of the module.
import { BOX_WINDOW, MODULE_WINDOW, WORKSPACE_WINDOW } from '../../launch/windows.ts';
import type { Layout } from '../machine/symbols.ts';
import { parameterName, readableNames } from '../../text/names.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Pointer } from '../../steps/names.ts';
import type { PtxFunction } from '../../text/module.ts';

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

const WINDOW = 2 ** 32;

/** Variables of the module, and what the driver gives a cooperative launch. */
export function variablesOf({ symbols }: Layout): Pointer[] {
  const all = [...symbols.values()].filter(({ space }) => space === 'module');
  const names = readableNames(all.map(({ name }) => name));
  return [
    ...all.map(({ offset, variable }, at) => {
      const pointer = { name: names[at]!, address: MODULE_WINDOW * WINDOW + offset };
      return variable === null || variable.size === 0
        ? pointer
        : { ...pointer, bytes: variable.size };
    }),
    { name: 'workspace of the grid', address: WORKSPACE_WINDOW * WINDOW },
    { name: 'box of a tensor', address: BOX_WINDOW * WINDOW },
  ];
}
