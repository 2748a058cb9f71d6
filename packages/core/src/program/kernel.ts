// A kernel: a name, parameters with defaults, and a callback that makes the roles.
import { InputError, currentPosition, type Position } from '../base/index.ts';
import type { Parameters } from '../finding/index.ts';
import type { Defaults, Resolved } from './parameters.ts';
import type { Role } from './role.ts';

const KERNEL = Symbol.for('poundlock.kernel');

/** When a handle's stage is released: where the program says, or after the handle's last use. */
export type KernelOwnership = 'explicit' | 'raii';

export interface KernelOptions {
  /**
   * `raii` moves every release to right after the last use of its handle, as a destructor that
   * runs as soon as possible would: for roles without choices. `explicit` unless given.
   */
  readonly ownership?: KernelOwnership;
}

/** A program text: the default export of a kernel file. */
export interface Kernel {
  readonly [KERNEL]: true;
  readonly name: string;
  readonly defaults: Defaults;
  /** Makes the roles. Every role instance comes from its own call (P01). */
  readonly build: (params: Parameters) => readonly Role[];
  readonly ownership: KernelOwnership;
  readonly position: Position | undefined;
}

/**
 * Declares a kernel. `build` is called once for every role instance, so roles share nothing but
 * operations; what it declares must be the same in every call.
 *
 * @example
 * export default kernel('ring', { stages: 2, tiles: 8 }, ({ stages, tiles }) => [
 *   role('load', function* () { … }),
 * ]);
 */
export function kernel<const D extends Defaults>(
  name: string,
  defaults: D,
  build: (params: Resolved<D>) => readonly Role[],
  options: KernelOptions = {},
): Kernel {
  if (typeof name !== 'string' || name === '') {
    throw new InputError('a kernel needs a name', currentPosition());
  }
  if (typeof build !== 'function') {
    throw new InputError(
      `kernel ${name} needs a callback that returns its roles`,
      currentPosition(),
    );
  }
  const { ownership = 'explicit' } = options;
  if (ownership !== 'explicit' && ownership !== 'raii') {
    throw new InputError(
      `the ownership of kernel ${name} must be explicit or raii, not ${String(ownership)}`,
      currentPosition(),
    );
  }
  return {
    [KERNEL]: true,
    name,
    defaults,
    build: build as unknown as Kernel['build'],
    ownership,
    position: currentPosition(),
  };
}

/** Whether a module's default export is a kernel. */
export function isKernel(value: unknown): value is Kernel {
  return typeof value === 'object' && value !== null && KERNEL in value;
}
