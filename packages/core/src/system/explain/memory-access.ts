// The two accesses of a symptom of memory, and their marks.
import type { Instruction } from '../../machine/index.ts';
import { OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import { markMeeting, meetingBetween } from './memory-path.ts';
import { workWord } from './work.ts';

/** An access of a schedule: its move, and what it does. */
export interface Access {
  readonly move: number;
  readonly role: number;
  /** `load's copy`. */
  readonly who: string;
  readonly buffer: string;
  readonly writes: boolean;
}

/** The accesses of a symptom; the first may be unknown. */
export interface Accesses {
  readonly first: Access | null;
  readonly second: Access;
}

export function accessesOf(scene: Scene): Accesses {
  const { memory } = scene.symptom;
  const last = scene.schedule.records.length - 1;
  const second = accessAt(scene, memory!.second >= 0 ? Math.min(memory!.second, last) : last);
  const first = memory!.first < 0 ? null : accessAt(scene, memory!.first);
  return { first, second };
}

function accessAt(scene: Scene, move: number): Access {
  const { schedule, names, symptom, system } = scene;
  const { agent: role, instruction } = schedule.records[move]!;
  const isAsync = instruction !== null && instruction.flights.length > 0;
  const isOwn = instruction?.kind === OpKind.read || instruction?.kind === OpKind.write;
  const [flight] = isAsync ? instruction.flights : [];
  const work =
    flight === undefined ? '' : workWord(system, names, system.machine.flights.flights[flight]!);
  return {
    move,
    role,
    who: names.agent(role) + (isAsync && role < system.roles ? `'s ${work}` : ''),
    buffer: names.buffer(isOwn ? instruction.target : symptom.at),
    writes:
      instruction !== null && (writesTo(scene, instruction, symptom.at) || instruction.isOfStore),
  };
}

function writesTo({ system }: Scene, instruction: Instruction, piece: number): boolean {
  if (instruction.writes.includes(piece)) return true;
  const { flights } = system.machine.flights;
  return instruction.flights.some((id) => flights[id]!.writes.includes(piece));
}

/** `load's copy writes s`. */
export function accessText(access: Access): string {
  return `${access.who} ${access.writes ? 'writes' : 'reads'} ${access.buffer}`;
}

/** `which add wrote`, or `fallback` where nothing is known of the first access. */
export function priorText({ first }: Accesses, fallback: string): string {
  return first === null ? fallback : `which ${first.who} ${first.writes ? 'wrote' : 'read'}`;
}

/** Marks both accesses, and the signal and the wait between them. */
export function markAccesses(scene: Scene, draft: Draft, { first, second }: Accesses): void {
  const { schedule } = scene;
  draft.primary(schedule.position(second.move), `${accessText(second)} here`, second.role);
  if (first === null) return;
  draft.label(schedule.position(first.move), `${accessText(first)} here`, first.role);
  const meeting = meetingBetween(scene, first, second);
  if (meeting !== null) markMeeting(scene, draft, meeting);
}

/** A role as it was written, without the number of a strand. */
export function writtenName({ system, names }: Scene, role: number): string {
  return system.program.roles[role]?.part?.family ?? names.agent(role);
}
