// Every kind of random program, by its name.
import type { FuzzKind } from './kind.ts';
import { MEMORY_KINDS } from './memory/kinds.ts';
import { ORDER_KINDS } from './order/kinds.ts';

const ALL = { ...ORDER_KINDS, ...MEMORY_KINDS };

/** The name of a kind. */
export type KindName = keyof typeof ALL;

/** All names: what a run draws unless it names some. */
export const KIND_NAMES = Object.keys(ALL) as readonly KindName[];

/** A kind whose programs are known to be its own. */
export function kindNamed(name: KindName): FuzzKind<unknown> {
  return ALL[name] as unknown as FuzzKind<unknown>;
}

/**
 * The memory profile that the programs of a kind are checked with.
 *
 * @example
 * import { memoryOf } from '@poundlock/fuzz';
 *
 * console.log(memoryOf('users'), memoryOf('isa')); // none isa
 */
export function memoryOf(name: KindName): 'none' | 'practice' | 'isa' {
  return ALL[name].memory;
}
