// Where the parts of a launch come from: `poundlock launch` writes it beside each.
import type { Field } from './json-fields.ts';

/**
 * Where a part of a launch comes from: the text leaves no other (`text`), a user or a compiler says
 * so (`given`), other values fail (`solved`), it is the largest that is legal (`bound`), or it is
 * one of several that the text allows (`tried`).
 */
export type Origin = 'text' | 'given' | 'solved' | 'bound' | 'tried';

const ORIGINS = ['text', 'given', 'solved', 'bound', 'tried'] as const satisfies readonly Origin[];

/** The parts of a launch beside its parameters. */
export type LaunchPart = 'grid' | 'block' | 'cluster' | 'dynamicSharedMemory';

const PARTS = ['grid', 'block', 'cluster', 'dynamicSharedMemory'] as const;

/** The origin that a field names; `given` unless it does. */
export function readOrigin(field: Field): Origin {
  return (field.word(ORIGINS) ?? 'given') as Origin;
}

/** The origins that a launch names for its parts. */
export function readOrigins(field: Field): Readonly<Record<LaunchPart, Origin>> {
  if (!field.isMissing) field.only(PARTS);
  const origins = PARTS.map((part) => {
    return [part, field.isMissing ? 'given' : readOrigin(field.at(part))] as const;
  });
  return Object.fromEntries(origins) as Record<LaunchPart, Origin>;
}
