// The conditions of a certificate, counted by a second implementation: what its file keeps.
import {
  Program,
  Unfolding,
  type Kernel,
  type KernelParameters,
} from '@poundlock/core/internal/program';
import { System } from '@poundlock/core/internal/system';
import { recheckConditions, type Conditions } from './witness/index.ts';

/**
 * Runs a kernel once, and counts how often each condition of docs/explanation/certificate.md was
 * looked at and held. `null` where that run proves nothing: a condition fails, it is too long, or
 * there are releases to move.
 */
export function countConditions(kernel: Kernel, params: KernelParameters = {}): Conditions | null {
  if (kernel.ownership !== 'explicit') return null;
  const program = new Program(kernel, params);
  return recheckConditions(new System(program, (_, machine) => new Unfolding(program, machine)));
}

export type { Conditions };
