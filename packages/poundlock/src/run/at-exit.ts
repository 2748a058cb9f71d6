// Reports stages of a ring that are still held as the process exits.
import type { Ring, Schema } from '@poundlock/ring';

/** The part of `process` that is needed. */
export interface Exiting {
  readonly once: (event: 'exit', listener: () => void) => unknown;
  readonly removeListener: (event: 'exit', listener: () => void) => unknown;
  readonly stderr: { readonly write: (text: string) => unknown };
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
 * reportAtExit(process, ring);
 */
export function reportAtExit<S extends Schema>(host: Exiting, ring: Ring<S>): () => void {
  const report = (): void => {
    for (const line of leftovers(ring)) host.stderr.write(`${line}\n`);
  };
  host.once('exit', report);
  return () => void host.removeListener('exit', report);
}
