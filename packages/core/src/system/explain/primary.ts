// The primary place of a finding that a move shows: the operation, or where its flight was issued.
import { FlightKind } from '../../machine/index.ts';
import { describe, describeFlight } from '../describe.ts';
import type { Draft, Scene } from './draft.ts';

/** Adds the primary place, and returns who acts there: a role, or what a role has started. */
export function primaryIsLast(scene: Scene, draft: Draft, text?: (who: string) => string): string {
  const { schedule, names, symptom } = scene;
  const last = schedule.made.length - 1;
  const made = schedule.made[last];
  if (made === undefined) return names.agent(symptom.agent);
  const issuer = schedule.issuerOf(made.flightId, last);
  const who =
    made.flight === null
      ? names.agent(made.agent)
      : `${names.agent(made.flight.role)}'s ${flightWord(made.flight.kind)}`;
  const does =
    made.instruction === null
      ? describeFlight(names, made.flight!)
      : describe(names, made.instruction);
  const agent = issuer < 0 ? made.agent : schedule.made[issuer]!.agent;
  const shown = text?.(who) ?? `${names.agent(agent)}: ${does}`;
  draft.primary(schedule.position(last), shown, agent);
  return who;
}

/** What a flight is called: `copy`, `commit`, `asynchronous work`. */
export function flightWord(kind: FlightKind): string {
  if (kind === FlightKind.signal) return 'commit';
  return kind === FlightKind.use ? 'asynchronous work' : 'copy';
}
