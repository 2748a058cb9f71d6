// What can happen after a schedule: every enabled move, and where each role is in the source.
import type { Position } from '../base/index.ts';
import type { BarrierState } from '../finding/index.ts';
import { E, P, T } from '../machine/index.ts';
import { describe, describeFlight } from './describe.ts';
import type { Schedule } from './schedule.ts';
import { barrierState } from './space-time.ts';
import { agentOf, optionOf } from './system.ts';

/** A move that is possible now. */
export interface NextMove extends Partial<Position> {
  /** The role or unit that makes it. */
  readonly agent: string;
  readonly kind: 'role' | 'unit';
  /** How a replay token writes it: the letter of the agent, and which of its moves it is. */
  readonly letter: string;
  readonly option: number;
  /** What it does, in words. */
  readonly text: string;
}

/** The next operation of a role; a role that has ended has none. */
export interface NextOperation extends Partial<Position> {
  readonly role: string;
  readonly text: string;
}

/** The most moves of a state. */
const MAX_MOVES = 1 << 16;

/** Every move that is enabled after the last step, roles first. */
export function nextMoves(schedule: Schedule): NextMove[] {
  const { system, names, words } = schedule;
  const moves = new Int32Array(MAX_MOVES);
  const count = system.moves(words, moves);
  return Array.from(moves.subarray(0, count), (move): NextMove => {
    const [agent, option] = [agentOf(move), optionOf(move)];
    const { letter, name, kind } = names.agents[agent] ?? {
      letter: names.letter(agent),
      name: names.agent(agent),
      kind: 'unit' as const,
    };
    const own = { agent: name, kind, letter, option };
    if (agent < system.roles) {
      const step = words[agent]!;
      const text = describe(names, system.steps.instruction(step)!);
      const which = system.options(words, agent) > 1 ? `: result ${option}` : '';
      return { ...own, text: text + which, ...system.steps.position(step) };
    }
    const open = system.machine.openFlights;
    const index = open.completableOf(words, agent - system.roles, option);
    const issuer = schedule.issuerOf(open.idAt(words, index), schedule.records.length);
    const place = issuer < 0 ? undefined : schedule.position(issuer);
    return { ...own, text: describeFlight(names, open.flightAt(words, index)), ...place };
  });
}

/** Where each role is after the last step. */
export function nextOperations({ system, names, words }: Schedule): NextOperation[] {
  return system.program.roles.flatMap((_, role) => {
    const step = words[role]!;
    const instruction = step < 0 ? null : system.steps.instruction(step);
    if (instruction === null) return [];
    const text = describe(names, instruction);
    return [{ role: names.agent(role), text, ...system.steps.position(step) }];
  });
}

/** All barriers after the last step that have been initialized. */
export function barriersAfter({ system, names, words }: Schedule): BarrierState[] {
  const { machine } = system;
  const all = Array.from(
    { length: machine.shape.barriers.length * machine.shape.ctas },
    (_, id) => id,
  );
  return all.flatMap((barrier) => {
    const at = machine.barrierAt(barrier);
    const [expected, pending, bytes] = [words[at + E]!, words[at + P]!, words[at + T]!];
    if (expected <= 0) return [];
    const completed = machine.completed(words, barrier);
    return [barrierState(names, { barrier, expected, pending, bytes, completed })];
  });
}
