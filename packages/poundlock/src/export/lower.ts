// Lowers a system to a model: visible operations are places, silent ones belong to moves.
import { isMeeting, OpKind } from '@poundlock/core/internal/op';
import { describe, type System } from '@poundlock/core/internal/system';
import type { Graph, GraphStep, RoleGraph } from './graph.ts';
import { landingCalls } from './completion.ts';
import { THE_END, type Action, type Call, type Model, type PlaceModel } from './model.ts';
import type { RoleModel, UnitModel } from './model.ts';
import { entryCalls, movesOf, type Move } from './transitions.ts';
import { pathsFrom, startOf, type Path } from './paths.ts';
import { Things } from './symbol-table.ts';

/** The whole program as guarded moves. */
export function lower(system: System, graph: Graph): Model {
  const things = new Things(system, graph);
  const roles = graph.roles.map((role) => lowerRole(things, graph, role));
  const units = unitsOf(things);
  const { kernel, params, ctas } = system.program;
  const text = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return {
    kernel: kernel.name,
    params: text.join(' '),
    barriers: things.barriers.filter((barrier) => isUsed(things, barrier.ident)),
    registers: [...things.registers.values()],
    counts: [...things.counts.values()],
    cells: [...things.cells.values()],
    buffers: [...things.buffers.values()],
    pools: [...things.pools.values()],
    named: [...things.named.values()],
    queues: [...things.queues.values()],
    roles,
    units,
    shifts: things.shifts,
    ctas,
    exits: things.has(OpKind.exit),
    crosses: crosses(things),
    hasCluster: things.has(OpKind.syncCluster),
    joins: things.has(OpKind.join),
    relinquishes: things.has(OpKind.relinquish),
  };
}

/** Barriers that nobody reaches are left out; those of rings are all there. */
function isUsed(things: Things, ident: string): boolean {
  const touched = new Set(things.instructions.flatMap(({ barriers }) => barriers));
  for (const queue of things.queues.values()) {
    for (const { flight } of queue.flights) touched.add(flight.barrier);
  }
  const ringed = things.shifts.flatMap(({ barriers }) => barriers);
  const at = things.barriers.findIndex((barrier) => barrier.ident === ident);
  return things.barriers[at]!.hasPhase || ringed.includes(things.barriers[at]!) || touched.has(at);
}

/** L02: whether anything reaches into another CTA, which may have ended. */
function crosses(things: Things): boolean {
  const { ctas } = things.system.program;
  return things.instructions.some(({ kind, cta, barriers, flights, reads, writes }) => {
    const isOther = (id: number): boolean => id >= 0 && id % ctas !== cta;
    if (kind === OpKind.free) return false;
    const landed = flights.map((id) => things.flight(id).flight);
    return (
      [...barriers, ...reads, ...writes].some(isOther) ||
      landed.some(({ barrier, writes: into }) => isOther(barrier) || into.some(isOther))
    );
  });
}

function lowerRole(things: Things, graph: Graph, roleGraph: RoleGraph): RoleModel {
  const { role, steps } = roleGraph;
  const { name, cta, spawned } = things.system.program.roles[role]!;
  const numbering = new Numbering(things, steps);
  const start = startOf(things, roleGraph);
  const first = numbering.numberOf(start.to);
  const places: PlaceModel[] = [];
  for (let at = 0; at < numbering.size; at++) {
    places.push(...lowerStep(things, graph, numbering, numbering.step(at)));
  }
  return {
    index: role,
    name,
    ident: things.identifiers.take('role', name),
    cta,
    isSpawned: spawned,
    start: { calls: [...start.calls, ...entryCalls(things, steps.get(start.to)!)], to: first },
    places: places.toSorted((a, b) => a.number - b.number),
  };
}

/** Numbers the visible steps of a role in the order in which moves lead to them. */
class Numbering {
  readonly #things: Things;
  readonly #steps: ReadonlyMap<number, GraphStep>;
  readonly #numbers = new Map<number, number>();
  readonly #order: GraphStep[] = [];
  #next = 0;

  constructor(things: Things, steps: ReadonlyMap<number, GraphStep>) {
    this.#things = things;
    this.#steps = steps;
  }

  get size(): number {
    return this.#order.length;
  }

  step(at: number): GraphStep {
    return this.#order[at]!;
  }

  numberOf(id: number): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#next++;
      const step = this.#steps.get(id)!;
      this.#numbers.set(id, number);
      this.#order.push(step);
      // A role that waits at a named or cluster barrier stands at a place of its own.
      if (isGathering(step)) this.#next++;
    }
    return number;
  }

  paths(id: number): Path[] {
    return pathsFrom(this.#things, this.#steps, id);
  }

  entry(id: number): Call[] {
    return entryCalls(this.#things, this.#steps.get(id)!);
  }
}

function isGathering({ instruction }: GraphStep): boolean {
  return instruction !== null && isMeeting(instruction.kind);
}

function lowerStep(
  things: Things,
  graph: Graph,
  numbering: Numbering,
  step: GraphStep,
): PlaceModel[] {
  const number = numbering.numberOf(step.id);
  if (step.instruction === null) {
    const text = step.misuse === null ? THE_END : `a misuse: ${step.misuse.rule}`;
    return [{ number, text, actions: [] }];
  }
  const text = describe(things.names, step.instruction);
  const place: PlaceModel = { number, text, actions: [] };
  const waiting: PlaceModel = { number: number + 1, text: `${text}: wait`, actions: [] };
  for (const move of movesOf(things, graph, step)) {
    const from = move.from === 'waiting' ? waiting : place;
    from.actions.push(...completed(numbering, step, number, move));
  }
  return isGathering(step) ? [place, waiting] : [place];
}

/** A move on every way through the silent steps behind it, up to the next visible one. */
function completed(numbering: Numbering, step: GraphStep, number: number, move: Move): Action[] {
  const { guards, calls, answer } = move;
  if (answer === null) return [{ guards, calls, to: move.from === 'waits' ? number + 1 : number }];
  const target = step.edges.get(answer);
  if (target === undefined) return [];
  return numbering.paths(target).flatMap((path) => {
    const to = numbering.numberOf(path.to);
    const all = [...calls, ...path.calls, ...numbering.entry(path.to)];
    // A failed try that leads back and changes nothing: without it, polling for ever is a deadlock.
    if (to === number && guards.length + all.length === 0) return [];
    return [{ guards: [...guards, ...path.guards], calls: all, to }];
  });
}

function unitsOf(things: Things): UnitModel[] {
  const units = new Map<number, UnitModel['landings'][number][]>();
  for (const queue of things.queues.values()) {
    const landings = units.get(queue.unit) ?? [];
    units.set(queue.unit, landings);
    for (const flight of queue.flights) {
      const calls = landingCalls(things, flight);
      if (calls !== null) landings.push({ flight, calls });
    }
  }
  return [...units].map(([unit, landings]) => {
    const name = things.names.agent(things.system.roles + unit);
    return { name, ident: things.identifiers.take('unit', name), landings };
  });
}
