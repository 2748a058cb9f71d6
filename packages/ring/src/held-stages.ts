// What an endpoint holds, in words that outlive its thread: whoever finds it dead reads them.
import { EndpointWord, type Layout } from './layout.ts';
import { PHASE_SHIFT } from './futex-word.ts';

/**
 * In a ring with one endpoint on each side, stages are taken in order, so that the next stage and
 * how many were taken say it all, in one word: the stage in the lower bits, and from here on the
 * count. How many were given on is the endpoint's counter; a ring has fewer stages than 2^16.
 */
export const TURN_SHIFT = 16;
const TURN_MASK = (1 << TURN_SHIFT) - 1;

/** The value of a stage's word: held; or, in a ring of counters, given on before its turn. */
export const MARKED = 1;

/** The stages that endpoint `index` holds, oldest first where that is known. */
export function heldStages(words: Int32Array, layout: Layout, index: number): number[] {
  const at = layout.endpoint(index);
  const isMarked = (stage: number): boolean => words[at + EndpointWord.marks + stage] === MARKED;
  const { stages, producers } = layout.shape;
  if (!layout.isPair) return Array.from({ length: stages }, (_, stage) => stage).filter(isMarked);
  const side = index < producers ? 'producer' : 'consumer';
  const turn = words[at + EndpointWord.turn]!;
  const given = Atomics.load(words, layout.counter(side)) >>> PHASE_SHIFT;
  const count = ((turn >>> TURN_SHIFT) - given) & TURN_MASK;
  const first = (turn & TURN_MASK) + stages - count;
  const taken = Array.from({ length: count }, (_, number) => (first + number) % stages);
  return taken.filter((stage) => !isMarked(stage));
}
