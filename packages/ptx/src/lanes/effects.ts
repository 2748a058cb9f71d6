// What a step means for the other lanes of its warp: whether it lets what they know in or out.
import type { Step, StepName } from '../steps/step.ts';

/**
 * - `in`: the lanes that make it know more from here on (a wait), or what it does has to be known
 *   to those that come after it (an initialization).
 * - `out`: what its lanes know is carried on by it, to those that wait for it.
 */
interface Effect {
  readonly in: boolean;
  readonly out: boolean;
}

const NEITHER: Effect = { in: false, out: false };
const OUT: Effect = { in: false, out: true };
const IN: Effect = { in: true, out: false };
const BOTH: Effect = { in: true, out: true };

const EFFECTS: Readonly<Record<StepName, Effect>> = {
  init: BOTH,
  invalidate: BOTH,
  arrive: OUT,
  expect: OUT,
  complete: OUT,
  wait: IN,
  copy: OUT,
  use: OUT,
  prefetch: OUT,
  // A change of a map has to be known to those that use it afterwards.
  map: BOTH,
  commit: OUT,
  // A group is of the thread that commits it, and its wait lets in what that thread issued.
  commitGroup: NEITHER,
  waitGroup: IN,
  asyncArrive: OUT,
  access: NEITHER,
  fence: BOTH,
  named: BOTH,
  clusterArrive: OUT,
  clusterWait: IN,
  allocate: BOTH,
  free: BOTH,
  relinquish: BOTH,
  registers: BOTH,
  tensorMisuse: BOTH,
  lanes: BOTH,
  join: NEITHER,
  gridWait: IN,
  signal: OUT,
  poll: IN,
  last: BOTH,
};

/** Whether a step is an access by each of its lanes: `cp.async` is one that ends later. */
export function isAccess(step: Step): boolean {
  return step.op === 'access' ? step.adds === undefined : isThreadCopy(step);
}

function isThreadCopy(step: Step): boolean {
  return step.op === 'use' && step.unit === 'cpAsync';
}

/** Whether lanes that come after a step have to know of it. */
export function letsIn(step: Step): boolean {
  if (step.op === 'arrive') return step.isDrop;
  return step.op === 'access' ? step.adds !== undefined : EFFECTS[step.op].in;
}

/** Whether a step carries on what its lanes know. */
export function carriesOut(step: Step): boolean {
  if (step.op === 'access') return step.adds !== undefined;
  return !isThreadCopy(step) && EFFECTS[step.op].out;
}

/** The barriers at which a step signals, as a text; `null` for one that signals at none. */
export function targetOf(step: Step): string | null {
  switch (step.op) {
    case 'arrive':
    case 'expect':
    case 'complete':
    case 'asyncArrive':
      return `${step.barrier}`;
    case 'copy':
      return step.signals.map(({ barrier }) => barrier).join(' ');
    case 'commit':
      return step.barriers.join(' ');
    case 'signal':
      return `word ${step.word}`;
    case 'init':
    case 'invalidate':
    case 'wait':
    case 'use':
    case 'prefetch':
    case 'map':
    case 'commitGroup':
    case 'waitGroup':
    case 'access':
    case 'fence':
    case 'named':
    case 'clusterArrive':
    case 'clusterWait':
    case 'allocate':
    case 'free':
    case 'relinquish':
    case 'registers':
    case 'tensorMisuse':
    case 'lanes':
    case 'join':
    case 'poll':
    case 'gridWait':
    case 'last':
      return null;
  }
}
