// A simulation without tables, lists of waiting roles, or code of the engine's loop: a reference.
import { BLOCKED, Fault, FlightKind } from '../../../core/src/machine/index.ts';
import { OpKind } from '../../../core/src/op/index.ts';
import { isSilent, isTry } from '../../../core/src/op/index.ts';
import { type Program, Stand, standAt, Unfolding } from '../../../core/src/program/index.ts';
import { layOutSystem, MISSTEP, newState, Registers } from '../../../core/src/system/index.ts';
import { WaitConditions, writeInitial } from '../../../core/src/system/index.ts';
import type { Costs } from '#src/simulate/model';
import type { Actor } from '#src/simulate/actor';
import { FlightClasses } from '#src/simulate/flight-class';
import { styleNumber } from '#src/simulate/polling';
import { Random } from '#src/simulate/random';
import { Reaches } from '#src/simulate/reaches';
import { RoleTimes } from '#src/simulate/role-times';
import { contextOf, StepNode } from '#src/simulate/step-graph';
import type { StepSource } from '#src/simulate/step-source';
import { Units } from '#src/simulate/units';

/** A role or, from the number of roles on, a flight. */
interface Event {
  readonly time: number;
  readonly of: number;
}

/** What a run comes to. */
export interface DullRun {
  readonly ends: readonly number[];
  readonly events: number;
  /** Whether every role has ended, and no rule was broken. */
  readonly isWhole: boolean;
}

class Broken extends Error {}

/** Simulates a program with the prices and units of the engine, and nothing else of it. */
export function dullSimulation(
  program: Program,
  costs: Costs,
  seed: number,
  maxEvents: number,
): DullRun {
  const { layout, machine } = layOutSystem(program);
  const rings = contextOf(program, layout, machine);
  const steps = new Unfolding(program, machine);
  const words = newState(machine);
  writeInitial(machine.shape, machine.layout, words);
  const registers = new Registers(program, layout, machine);
  const waits = new WaitConditions(machine, registers);
  const random = new Random(seed);
  const classes = new FlightClasses(program, machine);
  const units = new Units(costs, program, { classes, random, sharing: undefined, beside: null });
  const reaches = program.ctas > 1 ? new Reaches(program, costs) : null;
  const times = new RoleTimes(costs, program.declarations.launch.copies === 'tiled');
  const none = {} as StepSource;
  const actors = program.roles.map(({ waits: style }, role) =>
    times.actorOf(role, none, styleNumber(style)),
  );
  for (const actor of actors) times.reset(actor, 0);
  const at = program.roles.map(() => -1);
  const state = program.roles.map((): 'new' | 'running' | 'waiting' | 'woken' | 'ended' => 'new');
  const ends = program.roles.map(() => 0);
  const events: Event[] = [];
  let count = 0;

  const nodeOf = (step: number): StepNode => {
    const instruction = steps.instruction(step);
    const end = steps.misuse(step) === null ? Stand.end : Stand.misuse;
    const stand = instruction === null ? end : standAt(instruction.kind);
    return new StepNode(
      step,
      instruction,
      stand,
      rings,
      steps.startsRound(step),
      steps.isRetry(step),
    );
  };
  const push = (of: number, time: number): void => {
    const later = events.findIndex((event) => event.time > time);
    events.splice(later < 0 ? events.length : later, 0, { time, of });
  };
  const testedBy = (role: number): number =>
    waits.testedBarrier(words, steps.instruction(at[role]!)!);

  function isEnabled({ role, failedTry, misses }: Actor): boolean {
    const instruction = steps.instruction(at[role]!)!;
    if (instruction.kind === OpKind.join) return state[instruction.target] === 'ended';
    const isPoll = failedTry === instruction && misses >= program.rows.most;
    if (isTry(instruction.kind) && !isPoll && !steps.isRetry(at[role]!)) return true;
    return waits.passes(words, instruction);
  }

  /** Any operation and any end may have ended any wait. */
  function wakeAll(now: number): void {
    for (const actor of actors) {
      const { role } = actor;
      if (state[role] !== 'waiting' || !isEnabled(actor)) continue;
      const { kind, unit } = steps.instruction(at[role]!)!;
      state[role] = 'woken';
      actor.at = Math.max(now, reaches?.visibleAt[testedBy(role)] ?? 0);
      const drain = kind === OpKind.waitGroup ? units.drainCycles(unit) : 0;
      times.awake(actor, { kind, isGroupWait: false }, drain);
      push(role, actor.at);
    }
  }

  function goOn(actor: Actor, first: number): boolean {
    const { role } = actor;
    for (let step = first; ;) {
      const node = nodeOf(step);
      if (node.startsRound) times.startRound(actor);
      at[role] = step;
      if (node.stand === Stand.misuse) throw new Broken();
      if (node.stand === Stand.end) {
        if (!program.roles[role]!.isCut) machine.endRole(words, role);
        state[role] = 'ended';
        ends[role] = actor.at;
        wakeAll(actor.at);
        return false;
      }
      const instruction = node.instruction!;
      if (!isSilent(instruction.kind)) return true;
      const answer = registers.pass(words, instruction);
      if (answer === MISSTEP) throw new Broken();
      if (instruction.kind === OpKind.compute) times.compute(actor, instruction.cycles);
      step = steps.follow(step, answer);
    }
  }

  function start(role: number): boolean {
    state[role] = 'running';
    return goOn(actors[role]!, steps.entry(role));
  }

  function schedule(role: number): void {
    times.reach(actors[role]!, nodeOf(at[role]!), actors[role]!.at);
    push(role, actors[role]!.at);
  }

  function answerOf(actor: Actor): number {
    const instruction = steps.instruction(at[actor.role]!)!;
    machine.fault = Fault.none;
    const before = actor.failedTry;
    actor.failedTry = null;
    switch (instruction.kind) {
      case OpKind.choose:
        return random.below(instruction.choices);
      case OpKind.spawn: {
        const { target } = instruction;
        if (state[target] !== 'new') return 0;
        actors[target]!.at = actor.at;
        if (start(target)) schedule(target);
        return 0;
      }
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim: {
        const passes = waits.passes(words, instruction);
        actor.misses = before === instruction ? actor.misses + 1 : 1;
        if (!passes) actor.failedTry = instruction;
        if (instruction.kind !== OpKind.tryClaim) return passes ? 1 : 0;
        return passes ? registers.claim(words, instruction) : -1;
      }
      case OpKind.waitStage:
        return registers.stage(words, instruction);
      case OpKind.join:
        return 0;
      default:
        return machine.issue(words, instruction);
    }
  }

  function perform(actor: Actor): void {
    const { role } = actor;
    const node = nodeOf(at[role]!);
    const instruction = node.instruction!;
    if (actor.heldIn >= 0 && times.isHeld(actor, units)) return push(role, actor.at);
    const mayWait = node.mayWait;
    if (mayWait && state[role] === 'running') actor.firstPoll = actor.at;
    if (mayWait && !isEnabled(actor)) {
      state[role] = 'waiting';
      return;
    }
    if (mayWait && reaches !== null && !reaches.isVisible(testedBy(role), actor)) {
      state[role] = 'woken';
      times.awake(actor, { kind: instruction.kind, isGroupWait: false }, 0);
      return push(role, actor.at);
    }
    if (instruction.kind === OpKind.asyncUse && units.roomAt(instruction.cta, role) > actor.at) {
      actor.at = units.roomAt(instruction.cta, role);
      return push(role, actor.at);
    }
    const now = actor.at;
    machine.hasCompleted = false;
    // A wait for a stage changes nothing, and a try may be tried again after it.
    const isWait = instruction.kind === OpKind.waitStage && !instruction.isAssumed;
    const { failedTry } = actor;
    const answer = answerOf(actor);
    if (isWait) actor.failedTry = failedTry;
    if (machine.fault !== Fault.none) throw new Broken();
    if (!isWait) reaches?.arrived(instruction, now, machine);
    for (const id of instruction.flights) {
      const flight = machine.flights.flights[id]!;
      if (flight.kind === FlightKind.group) continue;
      units.issue(now, role, id, flight, instruction);
      push(program.roles.length + id, units.completion[0]!);
    }
    if (!isWait) wakeAll(now);
    times.leave(actor, node, units);
    if (answer === BLOCKED) {
      state[role] = 'waiting';
      return;
    }
    state[role] = 'running';
    if (goOn(actor, steps.follow(at[role]!, answer))) schedule(role);
  }

  function complete(id: number, now: number): void {
    const open = machine.openFlights;
    machine.hasCompleted = false;
    let index = 0;
    while (open.idAt(words, index) !== id || !open.canComplete(words, index)) index++;
    machine.completeFlight(words, index);
    const { barrier } = machine.flights.flights[id]!;
    if (machine.hasCompleted && barrier >= 0) reaches?.completed(barrier, now);
    if (machine.fault !== Fault.none) throw new Broken();
    wakeAll(now);
  }

  try {
    program.roles.forEach(({ spawned }, role) => !spawned && start(role));
    for (const [role, now] of state.entries()) if (now === 'running') schedule(role);
    while (events.length > 0 && count < maxEvents) {
      const { of, time } = events.shift()!;
      count++;
      if (of < program.roles.length) perform(actors[of]!);
      else complete(of - program.roles.length, time);
    }
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { ends, events: count, isWhole: false };
  }
  return { ends, events: count, isWhole: state.every((now) => now === 'ended') };
}
