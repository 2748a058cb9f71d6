// Who may move: steps, phases, flights and rooms. It knows nothing of memory.
import type { Scene, SceneStep } from './scene.ts';

/** How far a flight is: not issued, in flight, read but not written, over. */
const IDLE = 0;
export const FLYING = 1;
export const HALFWAY = 2;
export const LANDED = 3;

export interface BarrierState {
  readonly phase: number;
  readonly pending: number;
  readonly expected: number;
  readonly bytes: number;
  readonly isLive: boolean;
}

export interface Control {
  /** The next step of each agent. */
  readonly at: readonly number[];
  /** The generation of the room that an agent has arrived in, or -1. */
  readonly tokens: readonly number[];
  readonly barriers: readonly BarrierState[];
  readonly flights: readonly number[];
  readonly rooms: readonly { readonly count: number; readonly generation: number }[];
  readonly registers: readonly number[];
  readonly free: number;
  readonly isTriggered: readonly boolean[];
}

/** What may be wrong with the control: the deliberate faults of the tests. */
export interface ControlFaults {
  /** A wait for reads also waits for the writes. */
  readonly readWaitsForWrites?: boolean;
  /** A wait that leaves n groups open waits for all. */
  readonly waitsForAllGroups?: boolean;
}

export function startOf({ agents, barriers, flights, rooms }: Scene): Control {
  return {
    at: agents.map(() => 0),
    tokens: agents.map(() => -1),
    barriers: barriers.map(({ count, bytesAt }) => {
      return { phase: 0, pending: count, expected: count, bytes: 0, isLive: bytesAt < 0 };
    }),
    flights: flights.map(() => IDLE),
    rooms: rooms.map(() => ({ count: 0, generation: 0 })),
    registers: agents.map(({ registers }) => registers),
    free: 0,
    isTriggered: agents.map(() => false),
  };
}

export function hasEnded(scene: Scene, control: Control, agent: number): boolean {
  return control.at[agent]! >= scene.agents[agent]!.steps.length;
}

/** All agents of a CTA have ended. */
export function isGone(scene: Scene, control: Control, cta: number): boolean {
  return scene.agents.every((one, i) => one.cta !== cta || hasEnded(scene, control, i));
}

/** Some agent of a CTA has performed a step. */
export function hasBegun(scene: Scene, control: Control, cta: number): boolean {
  return scene.agents.some((one, i) => {
    return one.cta === cta && (control.at[i]! > 0 || control.tokens[i]! >= 0);
  });
}

/** Moves: an agent's number, or the number of agents and that of a flight that lands. */
export function movesOf(scene: Scene, control: Control, faults: ControlFaults): number[] {
  const moves: number[] = [];
  const { agents, flights } = scene;
  for (const [agent, { grid }] of agents.entries()) {
    if (hasEnded(scene, control, agent)) continue;
    if (grid > 0 && !mayDependentsStart(scene, control)) continue;
    if (canStep(scene, control, agent, faults)) moves.push(agent);
  }
  for (const [flight, { after }] of flights.entries()) {
    const state = control.flights[flight]!;
    if (state === IDLE || state === LANDED) continue;
    if (after.some((earlier) => control.flights[earlier] !== LANDED)) continue;
    moves.push(agents.length + flight);
  }
  return moves;
}

function mayDependentsStart(scene: Scene, control: Control): boolean {
  return scene.agents.every(({ grid }, agent) => {
    return grid > 0 || control.isTriggered[agent]! || hasEnded(scene, control, agent);
  });
}

function canStep(scene: Scene, control: Control, agent: number, faults: ControlFaults): boolean {
  const one = scene.agents[agent]!;
  const step = one.steps[control.at[agent]!]!;
  const { op } = step;
  const token = control.tokens[agent]!;
  switch (op.k) {
    case 'wait': {
      const { isLive, phase } = control.barriers[step.bar]!;
      return !isLive || phase % 2 !== op.ph! % 2;
    }
    case 'named':
    case 'sw':
      return token < 0 || control.rooms[step.room]!.generation > token;
    case 'clwait':
      return control.rooms[step.room]!.generation > token;
    case 'gwait': {
      const isRead = op.read === true && faults.readWaitsForWrites !== true;
      return groupsOver(scene, step, agent, faults).every((flight) => {
        const state = control.flights[flight]!;
        return state === LANDED || (isRead && state === HALFWAY);
      });
    }
    case 'wgwait':
    case 'cpwait':
    case 'twait':
      return awaited(scene, step, agent).every((flight) => control.flights[flight] === LANDED);
    case 'inc':
      return control.free >= (op.n! - control.registers[agent]!) * one.threads;
    case 'gridwait': {
      const isOver = scene.agents.every(({ grid }, i) => grid > 0 || hasEnded(scene, control, i));
      return (
        isOver &&
        scene.flights.every((flight, j) => {
          const isEarlier = scene.agents[flight.agent]!.grid === 0;
          return !isEarlier || control.flights[j] === IDLE || control.flights[j] === LANDED;
        })
      );
    }
    default:
      return true;
  }
}

/** The bulk groups of a thread that have to be over: all but the newest `n` before the step. */
export function groupsOver(
  { flights }: Scene,
  { op, line }: SceneStep,
  agent: number,
  faults: ControlFaults,
): number[] {
  const groups = numbersOf(flights, (flight) => {
    return flight.agent === agent && flight.isGroup && flight.line < line;
  });
  const open = faults.waitsForAllGroups === true ? 0 : (op.n ?? 0);
  return groups.slice(0, Math.max(0, groups.length - open));
}

/** The work that a wait for all earlier work of one kind is about: a team's, or the thread's. */
export function awaited(
  { agents, flights }: Scene,
  { op, line }: SceneStep,
  agent: number,
): number[] {
  const units = { wgwait: 'wg', cpwait: 'cpa', twait: op.w0 === 'ld' ? 'tld' : 'tst' } as const;
  const unit = units[op.k as keyof typeof units];
  return numbersOf(flights, (flight) => {
    if (flight.unit !== unit || flight.line > line) return false;
    if (flight.agent === agent) return true;
    return op.team === true && agents[flight.agent]!.role === agents[agent]!.role;
  });
}

function numbersOf<T>(list: readonly T[], isChosen: (one: T) => boolean): number[] {
  return [...list.keys()].filter((number) => isChosen(list[number]!));
}
