// The stages that an endpoint holds, in shared words that other threads can read after a crash.
import { EndpointWord, type RingLayout } from './layout.ts';
import { PHASE_SHIFT } from './futex-word.ts';

/**
 * With one endpoint on each side, stages are taken in order, so one word suffices: the next stage
 * in the lower bits and the number of stages taken in the bits from here on. The number of stages
 * released is the endpoint's counter. A ring has fewer than 2^16 stages.
 */
export const TAKEN_SHIFT = 16;
const TAKEN_MASK = (1 << TAKEN_SHIFT) - 1;

/** The value of a stage's word: held; or, in a ring of counters, released out of order. */
export const MARKED = 1;

/** The stages that endpoint `index` holds; with counters, the oldest first. */
export function heldStages(words: Int32Array, layout: RingLayout, index: number): number[] {
  const at = layout.endpoint(index);
  const isMarked = (stage: number): boolean => words[at + EndpointWord.marks + stage] === MARKED;
  const { stages } = layout.shape;
  if (!layout.isPair) return Array.from({ length: stages }, (_, stage) => stage).filter(isMarked);
  const count = takenCount(words, layout, index);
  const first = oldestStage(words, layout, index);
  const taken = Array.from({ length: count }, (_, number) => (first + number) % stages);
  return taken.filter((stage) => !isMarked(stage));
}

/** How many stages an endpoint of a ring of counters has taken and not published. */
function takenCount(words: Int32Array, layout: RingLayout, index: number): number {
  const side = index < layout.shape.producers ? 'producer' : 'consumer';
  const position = words[layout.endpoint(index) + EndpointWord.position]!;
  const released = Atomics.load(words, layout.counter(side)) >>> PHASE_SHIFT;
  return ((position >>> TAKEN_SHIFT) - released) & TAKEN_MASK;
}

/** The oldest of these stages, or the next to take. */
export function oldestStage(words: Int32Array, layout: RingLayout, index: number): number {
  const { stages } = layout.shape;
  const next = words[layout.endpoint(index) + EndpointWord.position]! & TAKEN_MASK;
  return (next + stages - takenCount(words, layout, index)) % stages;
}
