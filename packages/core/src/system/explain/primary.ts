// The primary place of a finding that a move shows: the operation, or where its flight was issued.
import { describe, describeFlight } from '../describe.ts';
import type { Draft, Scene } from './draft.ts';
import { workWord } from './work.ts';

/** Adds the primary place; returns the agent there: a role, or asynchronous work of a role. */
export function primaryIsLast(scene: Scene, draft: Draft, text?: (who: string) => string): string {
  const { schedule, names, symptom } = scene;
  const last = schedule.records.length - 1;
  const record = schedule.records[last];
  if (record === undefined) return names.agent(symptom.agent);
  const issuer = schedule.issuerOf(record.flightId, last);
  const who =
    record.flight === null
      ? names.agent(record.agent)
      : `${names.agent(record.flight.role)}'s ${workWord(scene.system, names, record.flight)}`;
  const does =
    record.instruction === null
      ? describeFlight(names, record.flight!)
      : describe(names, record.instruction);
  const agent = issuer < 0 ? record.agent : schedule.records[issuer]!.agent;
  const shown = text?.(who) ?? `${names.agent(agent)}: ${does}`;
  draft.primary(schedule.position(last), shown, agent);
  return who;
}
