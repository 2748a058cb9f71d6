// All effects by the names that the table gives them.
import type { Effect } from '../effect.ts';
import type { Words } from '../words.ts';
import { BARRIER_EFFECTS } from './barriers.ts';
import { COPY_EFFECTS } from './copies.ts';
import { MEMORY_EFFECTS } from './memory.ts';
import { REGISTER_EFFECTS } from './registers.ts';
import { TENSOR_CORE_EFFECTS } from './tensor-core.ts';

const EFFECTS = {
  ...MEMORY_EFFECTS,
  ...COPY_EFFECTS,
  ...BARRIER_EFFECTS,
  ...TENSOR_CORE_EFFECTS,
  ...REGISTER_EFFECTS,
};

/** The name of an effect, as the headings of the table have it. */
export type EffectName = keyof typeof EFFECTS;

/** Whether an effect has a name. */
export function isEffectName(name: string): name is EffectName {
  return Object.hasOwn(EFFECTS, name);
}

/** What an instruction with some words does. */
export function effectOf(name: EffectName, words: Words): Effect {
  return EFFECTS[name](words);
}
