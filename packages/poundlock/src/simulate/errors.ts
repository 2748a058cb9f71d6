// Errors that end a simulation. They refer to `check`, which explains defects of a program.
import { BoundError, ViolationError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE } from '@poundlock/core/internal/op';
import type { Role } from '@poundlock/core/internal/program';

type Named = Pick<Role, 'name'>;

export function eventBoundReached(maxEvents: number): BoundError {
  return new BoundError('max-events', maxEvents, 'the simulation does not end');
}

export function ruleBrokenBy({ name }: Named, { kind }: Instruction): ViolationError {
  const { name: op } = CATALOGUE[kind]!;
  return new ViolationError(`role ${name} violates a rule at ${op}: run poundlock check`);
}

export function ruleBrokenByFlight({ name }: Named): ViolationError {
  return new ViolationError(
    `an asynchronous operation of role ${name} violates a rule: run poundlock check`,
  );
}

export function deadlock(stuck: readonly Named[]): ViolationError {
  const names = stuck.map(({ name }) => name).join(', ');
  return new ViolationError(
    `deadlock: ${names} ${stuck.length === 1 ? 'waits' : 'wait'} forever: run poundlock check`,
  );
}
