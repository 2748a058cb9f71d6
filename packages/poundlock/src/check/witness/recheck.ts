// Rechecks the conditions of a certificate with a second implementation, for certificate files.
import type { System } from '@poundlock/core/internal/system';
import { runOnce } from './construct.ts';

/** How often each condition of docs/explanation/certificate.md was checked in one run, and held. */
export interface Conditions {
  /** Roles that ended. */
  readonly D: number;
  /** Arrivals and bytes. */
  readonly M: number;
  /** Waits, as they passed. */
  readonly L: number;
  /** Waits, as the phase after theirs completed. */
  readonly U: number;
  /** Expects that are no arrivals. */
  readonly E: number;
  /** Copies that complete bytes. */
  readonly X: number;
  /** Accesses to buffers. */
  readonly R: number;
}

/**
 * Runs a program once and checks every condition with stored clocks. `null` where one does
 * not hold, where the run does not end, or where it is longer than `witness-events`.
 */
export function recheckConditions(system: System): Conditions | null {
  const { driver, recorder } = runOnce(system);
  const isOver = system.isFinal(driver.words) && driver.error === null;
  if (!isOver || recorder.candidates.list.length > 0) return null;
  return { D: system.roles, ...recorder.checked };
}
