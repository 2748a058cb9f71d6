// Readable names: of kernels and variables without their C++ mangling, of parameters by number.
import { rangesOf } from '@poundlock/core/internal/base';
import type { PtxFunction } from './module.ts';

/**
 * The own name of a mangled C++ name, without its scopes and template arguments: `pipe` of
 * `_Z4pipeiPf`, `Kernel` of `_ZN3lib6KernelIiEEvi`, `tile` of the local `_ZZ4pipeiE4tile`; others
 * as they are.
 */
export function readableName(mangled: string): string {
  if (mangled.startsWith('_ZZ')) return localName(mangled) ?? mangled;
  const start = /^_ZN?[rVK]*L?/.exec(mangled);
  if (start === null) return mangled;
  const isScoped = start[0].startsWith('_ZN');
  return scopedName(mangled, start[0].length, isScoped) ?? mangled;
}

/**
 * The name at an offset: with scopes the last of those that follow each other. Without them a type
 * of a parameter may follow, which is written the same way.
 */
function scopedName(mangled: string, from: number, isScoped: boolean): string | undefined {
  const length = /^L?(\d+)/.exec(mangled.slice(from));
  if (length === null) return undefined;
  const start = from + length[0].length;
  const end = start + Number(length[1]);
  if (end === start || end > mangled.length) return undefined;
  const name = mangled.slice(start, end);
  return isScoped ? (scopedName(mangled, end, true) ?? name) : name;
}

/** The name of a variable of a function: what its length says stands at the end. */
function localName(mangled: string): string | undefined {
  for (const match of mangled.matchAll(/E(?=(\d+)(\D.*)$)/g)) {
    const [, length = '', rest = ''] = match;
    const name = rest.slice(0, Number(length));
    // An array that the compiler divides into words has a number for each.
    if (name.length > 0 && /^(_\d*)?(_\$_\d+)?$/.test(rest.slice(name.length))) return name;
  }
  return undefined;
}

/** The name of a parameter without that of its kernel: `param_3` of `_Z4pipei_param_3`. */
export function parameterName({ name }: PtxFunction, parameter: string): string {
  return parameter.startsWith(`${name}_`) ? parameter.slice(name.length + 1) : parameter;
}

/** The name of a warp as a role. */
export function roleName(ctas: number, cta: number, warp: number): string {
  return ctas > 1 ? `cta${cta}.warp${warp}` : `warp${warp}`;
}

/** Lanes of a warp, as `lanes 1–7 and 9` or `lane 0`. */
export function lanesText(mask: number): string {
  const lanes = Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);
  return `${lanes.length === 1 ? 'lane' : 'lanes'} ${rangesOf(lanes)}`;
}

/** Readable names of variables; those of two functions may be named alike, and are numbered. */
export function readableNames(mangled: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return mangled.map((each) => {
    const name = readableName(each);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}.${count}`;
  });
}
