// What analyses ask of an instruction: total functions over its effect.
import type { Access, Effect, Space } from './effect.ts';

/** What has an effect: an instruction. */
export interface HasEffect {
  readonly effect: Effect;
}

/** An access of lanes that reads without writing. */
export function isLoad({ effect }: HasEffect): boolean {
  return effect.kind === 'access' && effect.op === 'load';
}

/** An access of lanes that writes without reading. */
export function isStore({ effect }: HasEffect): boolean {
  return effect.kind === 'access' && effect.op === 'store';
}

/** An access of lanes that reads and writes at once, with a result or without one. */
export function isAtomic({ effect }: HasEffect): boolean {
  return effect.kind === 'access' && (effect.op === 'atomic' || effect.op === 'reduction');
}

/** Whether other threads may be taking part in an access: it has an order, or is volatile. */
export function isStrong({ effect }: HasEffect): boolean {
  return effect.kind === 'access' && effect.isStrong;
}

/** The state space of an access; `null`: it is none. */
export function accessSpace({ effect }: HasEffect): Space | null {
  return effect.kind === 'access' ? effect.space : null;
}

/** The access that an instruction is; `null`: it is none. */
export function accessOf({ effect }: HasEffect): Access | null {
  return effect.kind === 'access' ? effect : null;
}

/** Whether it asks or waits for a phase of an mbarrier. */
export function isPhaseWait({ effect }: HasEffect): boolean {
  return effect.kind === 'mbarrier' && (effect.op === 'try' || effect.op === 'test');
}
