// Whether this thread passes on what it gets: it has taken an end of each side. Where there is one
// thread more than CPUs, somebody always has to sleep, and it should not be one of those in the
// middle: while they look, both of their peers find a CPU that is awake.
import type { RingSide } from './errors.ts';

const open = { producer: 0, consumer: 0 };

export function endpointOpened(side: RingSide): void {
  open[side]++;
}

export function endpointClosed(side: RingSide): void {
  open[side]--;
}

/** Whether this thread has open endpoints of both sides. */
export function isRelay(): boolean {
  return open.producer > 0 && open.consumer > 0;
}
