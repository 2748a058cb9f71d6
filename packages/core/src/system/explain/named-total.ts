// The threads that come to a named barrier in a whole program, against those that it counts.
import type { System } from '../system.ts';
import { protocolOf } from './protocol.ts';

/** A count that the threads which come in all do not make up. */
export interface NamedTotal {
  readonly count: number;
  readonly threads: number;
  readonly roles: readonly number[];
}

/** The wrong count of a named barrier; `null` where it may be right, or not all is known. */
export function wrongNamedCount(system: System, target: number): NamedTotal | null {
  const protocol = protocolOf(system);
  const uses = protocol.named[target] ?? [];
  if (!protocol.isWhole || uses.length === 0) return null;
  const { count } = uses[0]!;
  const threads = uses.reduce((sum, use) => sum + use.threads, 0);
  const isOne = uses.every((use) => use.count === count);
  if (!isOne || count === 0 || threads % count === 0) return null;
  return { count, threads, roles: uses.map(({ role }) => role) };
}
