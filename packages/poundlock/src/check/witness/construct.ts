// Builds a schedule that goes wrong from one run: the run itself, or a cut of it that deviates.
import type { Move, Symptom, System } from '@poundlock/core/internal/system';
import type { FailedCondition } from '../certify/index.ts';
import { ANY_UNIT, Driver, FIRST, LAST } from './driver.ts';
import { EventRecorder } from './recorder.ts';
import type { EventLog } from './log.ts';
import type { CandidateCut } from './candidate-cuts.ts';

/** The most moves of all runs and replays of one construction (bound `witness-moves`). */
const MAX_WITNESS_MOVES = 1_000_000;
/** The most moves of a run that can go round in circles (bound `circling`). */
const MAX_CIRCLING_MOVES = 2_000;

/** A schedule that ends with something wrong, as the machine shows it. */
export interface Witness {
  readonly symptom: Symptom;
  readonly path: readonly Move[];
  /** The condition that led there; `D` where a whole run did. */
  readonly condition: FailedCondition['condition'];
}

/** A run and what was recorded of it. */
interface Recorded {
  readonly driver: Driver;
  readonly recorder: EventRecorder;
}

/**
 * Looks for a schedule that goes wrong without a search: runs the program, and where a condition
 * of docs/explanation/certificate.md fails, replays the cut of the run that shows it and goes on,
 * with the cut's agent first and with it last. `null` when none of that shows a violation.
 */
export function constructWitness(system: System): Witness | null {
  return new Construction(system).find();
}

/** Runs a program in the first way that is tried. */
export function runOnce(system: System): Recorded {
  return new Construction(system).record(policies(system)[0]!);
}

interface Policy {
  readonly order: readonly number[];
  readonly option: number;
}

/**
 * How programs are run: flights complete at once, or as late as they can; roles go in order, or the
 * other way round; choices take their first answer and tries succeed, or the last and they fail.
 */
function policies(system: System): Policy[] {
  const roles = Array.from({ length: system.roles }, (_, role) => role);
  return [
    { order: [ANY_UNIT, ...roles], option: FIRST },
    { order: [...roles, ANY_UNIT], option: FIRST },
    { order: [ANY_UNIT, ...roles.toReversed()], option: FIRST },
    { order: [ANY_UNIT, ...roles], option: LAST },
  ];
}

class Construction {
  readonly #system: System;
  #left = MAX_WITNESS_MOVES;

  constructor(system: System) {
    this.#system = system;
  }

  find(): Witness | null {
    for (const policy of policies(this.#system)) {
      const { driver, recorder } = this.record(policy);
      const symptom = driver.verdict();
      if (symptom !== null) return { symptom, path: driver.path, condition: 'D' };
      for (const candidate of recorder.candidates.list) {
        const found = this.#follow(recorder.log, candidate);
        if (found !== null) return found;
      }
    }
    return null;
  }

  record({ order, option }: Policy): Recorded {
    const recorder = new EventRecorder(this.#system);
    const driver = new Driver(this.#system, recorder, option);
    this.#run(driver, order, ANY_UNIT, () => recorder.isFull);
    recorder.end();
    return { driver, recorder };
  }

  /** Replays a cut and goes on: its agent first, flights at once or late, or its agent last. */
  #follow(log: EventLog, candidate: CandidateCut): Witness | null {
    const roles = Array.from({ length: this.#system.roles }, (_, role) => role);
    const others = roles.filter((role) => role !== candidate.agent);
    const orders = [
      [candidate.agent, ANY_UNIT, ...others],
      [candidate.agent, ...others, ANY_UNIT],
      [ANY_UNIT, ...others, candidate.agent],
    ];
    for (const order of orders) {
      if (this.#left <= 0) return null;
      const driver = replayCut(this.#system, log, candidate);
      this.#left -= driver.path.length;
      this.#run(driver, order, candidate.agent, () => false);
      const symptom = driver.verdict();
      if (symptom !== null) return { symptom, path: driver.path, condition: candidate.condition };
    }
    return null;
  }

  /**
   * Lets agents move, those that come first in `order` before the others, until nothing does.
   * `exceptUnit` is a unit that `order` names for itself.
   */
  #run(
    driver: Driver,
    order: readonly number[],
    exceptUnit: number,
    isEnough: () => boolean,
  ): void {
    for (let at = 0; at < order.length && this.#left > 0;) {
      if (isEnough() || circles(driver)) return;
      const hasMoved = driver.move(order[at]!, exceptUnit);
      if (hasMoved) this.#left--;
      at = hasMoved ? 0 : at + 1;
    }
  }
}

/** Whether a role polls, and has done so for long: it would go on for ever. */
function circles({ system, path }: Driver): boolean {
  return path.length >= MAX_CIRCLING_MOVES && system.steps.canCircle;
}

/** Makes the moves of a cut: few changes from one agent to another, or the order of the run. */
function replayCut(system: System, log: EventLog, { cut }: CandidateCut): Driver {
  const events: number[] = [];
  for (let event = 0; event < log.size; event++) {
    const thread = log.threads[event]!;
    if (log.clocks[event]![thread]! <= (cut[thread] ?? 0)) events.push(event);
  }
  return replayByAgents(system, log, events) ?? replayInOrder(system, log, events);
}

/**
 * Makes them each agent as far as it can; `null` where that gets stuck. Who comes last to a meeting
 * passes in one move: another order of arrivals has other moves.
 */
function replayByAgents(system: System, log: EventLog, events: readonly number[]): Driver | null {
  const driver = new Driver(system);
  const lanes = Map.groupBy(events, (event) => log.threads[event]!);
  const queues = [...lanes.values()].map((lane) => ({ lane, done: 0 }));
  for (let moved = true; moved;) {
    moved = false;
    for (const queue of queues) {
      while (queue.done < queue.lane.length && again(driver, log, queue.lane[queue.done]!)) {
        queue.done++;
        moved = true;
      }
    }
  }
  return queues.every(({ lane, done }) => done === lane.length) ? driver : null;
}

function replayInOrder(system: System, log: EventLog, events: readonly number[]): Driver {
  const driver = new Driver(system);
  for (const event of events) if (!again(driver, log, event)) break;
  return driver;
}

/** Makes the move of an event once more; `false` if it is not possible now. */
function again(driver: Driver, log: EventLog, event: number): boolean {
  const [agent, detail] = [log.agents[event]!, log.details[event]!];
  if (agent < driver.system.roles) return driver.step(agent, detail);
  return driver.complete(agent, detail);
}
