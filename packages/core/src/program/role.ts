// A role: a concurrent agent of a kernel, written as a synchronous generator function.
import { InputError, currentPosition, type Position } from '../base/index.ts';
import type { Op } from '../op/index.ts';
import { isLocating, requireCount } from './declarations.ts';

/** The body of a role: it yields operations and is resumed with their answers. */
export type RoleBody = () => Generator<Op, void, number>;

export interface RoleOptions {
  /** The CTA (thread block of a cluster) that the role runs in; 0 unless given. */
  readonly cta?: number;
  /** Threads of the role: it arrives so many times where the library says "every thread". */
  readonly lanes?: number;
  /** The role whose end is the time that `simulate` reports. */
  readonly measured?: boolean;
  /** The role does not start with the kernel but by `spawn`. */
  readonly spawned?: boolean;
}

export interface Role {
  readonly name: string;
  readonly cta: number;
  readonly lanes: number;
  readonly measured: boolean;
  readonly spawned: boolean;
  readonly body: RoleBody;
  /** Where it is declared, when the kernel call asked for it. */
  readonly position: Position | undefined;
}

const BODY_NEEDED = 'must be a generator function: role(name, function* () { … })';

/**
 * Declares a role. Time passes only at `yield*`; everything else happens at once.
 *
 * @throws InputError if the body is not a synchronous generator function.
 * @example
 * role('load', { cta: 1, lanes: 32 }, function* () { … });
 */
export function role(name: string, body: RoleBody): Role;
export function role(name: string, options: RoleOptions, body: RoleBody): Role;
export function role(name: string, optionsOrBody: RoleOptions | RoleBody, body?: RoleBody): Role {
  const options = typeof optionsOrBody === 'function' ? {} : optionsOrBody;
  const run = typeof optionsOrBody === 'function' ? optionsOrBody : body;
  const kind = run?.constructor?.name;
  if (kind !== 'GeneratorFunction') {
    const async = kind === 'AsyncGeneratorFunction' || kind === 'AsyncFunction';
    const why = async ? 'is async, but a role must wait with yield* alone' : BODY_NEEDED;
    throw new InputError(`the body of role ${name} ${why}`, currentPosition());
  }
  const { cta = 0, lanes = 1, measured = false, spawned = false } = options;
  requireCount(`the cta of role ${name}`, cta, 0);
  requireCount(`the lanes of role ${name}`, lanes, 1);
  return {
    name,
    cta,
    lanes,
    measured,
    spawned,
    body: run!,
    position: isLocating() ? currentPosition() : undefined,
  };
}
