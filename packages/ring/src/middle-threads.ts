// Whether this thread both consumes and produces. With one thread more than CPUs, one thread always
// has to sleep. It should not be a middle thread: while that spins, both of its peers find a CPU
// that is awake.
import type { RingSide } from './errors.ts';

const open = { producer: 0, consumer: 0 };

export function endpointOpened(side: RingSide): void {
  open[side]++;
}

export function endpointClosed(side: RingSide): void {
  open[side]--;
}

/** Whether this thread has open endpoints of both sides. */
export function isMiddleThread(): boolean {
  return open.producer > 0 && open.consumer > 0;
}
