// A program's layout, machine and unfolding: what one engine hands on to the next.
import type { Machine } from '@poundlock/core/internal/machine';
import { Unfolding, type Program } from '@poundlock/core/internal/program';
import { layOutSystem, type SystemLayout } from '@poundlock/core/internal/system';

/**
 * What is known of a program's steps, whatever the question. The first step of a round costs a call
 * of the kernel, so engines share the steps that are unfolded.
 */
export interface ExecutionContext {
  readonly layout: SystemLayout;
  readonly machine: Machine;
  readonly unfolding: Unfolding;
  /** Whether every step must come from a fresh round, so that runs in place differ from it. */
  readonly areFresh: boolean;
}

export function executionContext(program: Program): ExecutionContext {
  const { layout, machine } = layOutSystem(program);
  return { layout, machine, unfolding: new Unfolding(program, machine), areFresh: false };
}
