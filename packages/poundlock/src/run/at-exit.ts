// Stages that are still held as the process ends: nobody will ever release them.
import { writeSync } from 'node:fs';
import host from 'node:process';
import type { Ring, Schema } from '../ring/index.ts';

const STDERR = 2;

/** What a ring leaves behind, a line for each endpoint that holds stages; empty when none does. */
export function leftovers(ring: Ring<Schema>): string[] {
  return ring.held().map(({ role, side, stages, line }) => {
    const at = line === null ? '' : `, acquired at ${line}`;
    const which = `stage${stages.length > 1 ? 's' : ''} ${stages.join(', ')}`;
    return `poundlock: the process ends while ${side} ${role} holds ${which} of ${ring.name}${at}`;
  });
}

/**
 * Reports the stages of a ring that are still held as the process exits, on stderr unless `report`
 * takes the lines. Answers how to stop that.
 */
export function reportAtExit<S extends Schema>(
  ring: Ring<S>,
  report: (line: string) => void = (line) => void writeSync(STDERR, `${line}\n`),
): () => void {
  const tell = (): void => leftovers(ring as unknown as Ring<Schema>).forEach(report);
  host.once('exit', tell);
  return () => void host.removeListener('exit', tell);
}
