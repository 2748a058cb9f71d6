// The steps of a program and the machine that they are for: what one engine hands on to the next.
import type { Machine } from '@poundlock/core/internal/machine';
import { Unfolding, type Program } from '@poundlock/core/internal/program';
import { layOutSystem, type SystemLayout } from '@poundlock/core/internal/system';

/**
 * What a program does, as far as it is known, whatever was asked of it. A step costs a call of the
 * kernel where it is the first of a round, so nobody finds out again what another engine knows.
 */
export interface ExecutionContext {
  readonly layout: SystemLayout;
  readonly machine: Machine;
  readonly unfolding: Unfolding;
}

export function executionContext(program: Program): ExecutionContext {
  const { layout, machine } = layOutSystem(program);
  return { layout, machine, unfolding: new Unfolding(program, machine) };
}
