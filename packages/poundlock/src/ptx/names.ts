// Readable names: of kernels and variables without their C++ mangling, of parameters by number.
import type { PtxFunction } from './text/module.ts';

/** The last name of a mangled C++ name, such as `pipe` of `_Z4pipeiPf`; others as they are. */
export function readableName(mangled: string): string {
  const local = /E(\d+)([A-Za-z_]\w*)$/.exec(mangled);
  const simple = /^_ZN?K?(\d+)([A-Za-z_]\w*)/.exec(mangled);
  for (const match of [local, simple]) {
    const [, length, rest] = match ?? [];
    if (rest !== undefined && rest.length >= Number(length)) return rest.slice(0, Number(length));
  }
  return mangled;
}

/** The name of a parameter without that of its kernel: `param_3` of `_Z4pipei_param_3`. */
export function parameterName({ name }: PtxFunction, parameter: string): string {
  return parameter.startsWith(`${name}_`) ? parameter.slice(name.length + 1) : parameter;
}
