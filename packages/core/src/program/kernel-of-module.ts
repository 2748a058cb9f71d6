// The kernel that a module exports by default, or why it exports none.
import { InputError } from '../base/index.ts';
import { forgedKernel, isKernel, type Kernel } from './kernel.ts';

const HELP = 'write `export default kernel(name, defaults, params => roles)`';

/**
 * The kernel that a module exports by default.
 *
 * @throws InputError if there is none.
 */
export function kernelOf(module: Readonly<Record<string, unknown>>): Kernel {
  if (!('default' in module)) throw new InputError(`has no default export: ${HELP}`);
  const value = module['default'];
  if (isKernel(value)) return value;
  const forged = forgedKernel(value);
  if (forged !== null) {
    throw new InputError(`its default export was not made by kernel(): ${forged}: ${HELP}`);
  }
  throw new InputError(`its default export is ${described(value)}, not a kernel: ${HELP}`);
}

/** Describes a value in one or two words. */
function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'function') {
    return value.name === '' || value.name === 'default'
      ? 'a function'
      : `the function ${value.name}`;
  }
  if (typeof value !== 'object') return `the ${typeof value} ${JSON.stringify(value) ?? ''}`.trim();
  return 'an object';
}
