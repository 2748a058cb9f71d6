// Errors that end a simulation. They refer to `check`, which explains defects of a program.
import { BoundError, InputError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE } from '@poundlock/core/internal/op';
import type { Role } from '@poundlock/core/internal/program';

type Named = Pick<Role, 'name'>;

export function eventBoundReached(maxEvents: number): BoundError {
  return new BoundError('max-events', maxEvents, 'the simulation does not end');
}

export function ruleBrokenBy({ name }: Named, { kind }: Instruction): InputError {
  const { name: op } = CATALOGUE[kind]!;
  return new InputError(`role ${name} violates a rule at ${op}: run poundlock check`);
}

export function ruleBrokenByFlight({ name }: Named): InputError {
  return new InputError(
    `an asynchronous operation of role ${name} violates a rule: run poundlock check`,
  );
}

export function deadlock(stuck: readonly Named[]): InputError {
  const names = stuck.map(({ name }) => name).join(', ');
  return new InputError(
    `deadlock: ${names} ${stuck.length === 1 ? 'waits' : 'wait'} forever: run poundlock check`,
  );
}
