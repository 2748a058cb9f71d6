// Reports stages of a ring that are still held as the process exits.
import type { Ring, Schema } from '@poundlock/ring';

/** The part of Node's `process` that {@link reportAtExit} needs. */
export interface Exiting {
  /** Adds a listener of the end of the process. */
  readonly once: (event: 'exit', listener: () => void) => unknown;
  /** Removes the listener. */
  readonly removeListener: (event: 'exit', listener: () => void) => unknown;
  /** Where the lines go. */
  readonly stderr: {
    /** Writes a line. */
    readonly write: (text: string) => unknown;
  };
}

/** A line for each endpoint of a ring that holds stages. */
function leftovers<S extends Schema>(ring: Ring<S>): string[] {
  return ring.held().map(({ role, side, stages, line }) => {
    const at = line === null ? '' : `, acquired at ${line}`;
    const which = `stage${stages.length > 1 ? 's' : ''} ${stages.join(', ')}`;
    return `poundlock: the process ends while ${side} ${role} holds ${which} of ${ring.name}${at}`;
  });
}

/**
 * Reports the stages of a ring that are still held as the process exits, on its stderr. Returns a
 * function that removes the listener.
 *
 * @example
 * import process from 'node:process';
 * import { createRing } from 'poundlock/ring';
 * import { reportAtExit } from 'poundlock/run';
 *
 * const ring = createRing({ name: 'frames', stages: 3, bytes: 8 });
 * const stop = reportAtExit(process, ring);
 * ring.producer('camera').acquireSync().release(); // a stage still held here would be reported
 * stop();
 */
export function reportAtExit<S extends Schema>(host: Exiting, ring: Ring<S>): () => void {
  const report = (): void => {
    for (const line of leftovers(ring)) host.stderr.write(`${line}\n`);
  };
  host.once('exit', report);
  return () => void host.removeListener('exit', report);
}
