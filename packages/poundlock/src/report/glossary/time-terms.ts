// Words of a prediction: what `simulate` and `sweep` say of time.
import { term, type Term } from './term.ts';

export const TIME_WORDS = {
  'waits for data': term(
    'a role waits until a stage is full, or until work that it issued is complete',
    'More stages, or copies that are issued earlier, hide it where bandwidth is left.',
  ),
  'waits for space': term(
    'a role waits until a stage is empty',
    'Its consumer is slower, or releases the stage later than it could.',
  ),
  'waits for a unit': term(
    'a role waits until a unit that others use takes its work',
    'The unit, such as the tensor core or the port of shared memory, is the limit there.',
  ),
  occupancy: term(
    'how many CTAs an SM runs at the same time',
    'Registers, shared memory, threads and a limit of the chip bound it: the line names which one.',
  ),
  wave: term(
    'as many CTAs as all SMs run at the same time',
    'A grid runs in waves. The last one may leave SMs without work, so more CTAs can take no ' +
      'longer.',
  ),
  roofline: term(
    'what bounds a kernel that never waits: its products, or its bytes',
    'Each resource has what it achieved and its limit. With few operations for each byte, ' +
      'memory is the roof; with many, the tensor core is.',
    'roof',
    'achieved',
  ),
  'critical path': term(
    'the chain of steps that the time of the run is made of',
    'Each step waits for the one before. A step that is off this path can take longer and change ' +
      'nothing.',
  ),
  knee: term(
    'the first row of a sweep that is within 1 % of the fastest',
    'Beyond it, more stages or more shared memory gain next to nothing.',
  ),
} satisfies Record<string, Term>;
