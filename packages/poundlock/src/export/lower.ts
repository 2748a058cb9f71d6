// Lowers a system to a model of locations and guarded transitions, which include silent steps.
import { isGlobalBarrier } from '@poundlock/core/internal/machine';
import { isMeeting, OpKind } from '@poundlock/core/internal/op';
import { describe, type System } from '@poundlock/core/internal/system';
import type { Graph, GraphStep, RoleGraph } from './graph.ts';
import { completionCalls } from './completion.ts';
import type { Action, Call, ExportModel, PlaceModel } from './model.ts';
import type { RoleModel, UnitModel } from './model.ts';
import { entryCalls, transitionsOf, unknownToModels, type Transition } from './transitions.ts';
import { pathsFrom, startOf, type Path } from './paths.ts';
import { shownName, shownParameters } from './shown-name.ts';
import { SymbolTable } from './symbol-table.ts';

/** Lowers the whole program. */
export function lower(system: System, graph: Graph): ExportModel {
  if (system.machine.shape.grids.length > 1) throw unknownToModels('several grids');
  const symbols = new SymbolTable(system, graph);
  const roles = graph.roles.map((role) => lowerRole(symbols, graph, role));
  const units = unitsOf(symbols);
  const { kernel, params, ctas } = system.program;
  return {
    kernel: shownName(kernel.name),
    params: shownParameters(params).join(' '),
    barriers: symbols.barriers.filter((barrier) => isUsed(symbols, barrier.ident)),
    registers: [...symbols.registers.values()],
    counts: [...symbols.counts.values()],
    cells: [...symbols.cells.values()],
    buffers: [...symbols.buffers.values()],
    pools: [...symbols.pools.values()],
    named: [...symbols.named.values()],
    queues: [...symbols.queues.values()],
    roles,
    units,
    shifts: symbols.shifts,
    ctas,
    exits: symbols.has(OpKind.exit),
    crosses: crosses(symbols),
    hasCluster: symbols.has(OpKind.syncCluster),
    joins: symbols.has(OpKind.join),
    relinquishes: symbols.has(OpKind.relinquish),
  };
}

/** Omits barriers without operations, except those of rings. */
function isUsed(symbols: SymbolTable, ident: string): boolean {
  const touched = new Set(symbols.instructions.flatMap(({ barriers }) => barriers));
  for (const queue of symbols.queues.values()) {
    for (const { flight } of queue.flights) touched.add(flight.barrier);
  }
  const ringed = symbols.shifts.flatMap(({ barriers }) => barriers);
  const at = symbols.barriers.findIndex((barrier) => barrier.ident === ident);
  return (
    symbols.barriers[at]!.hasPhase || ringed.includes(symbols.barriers[at]!) || touched.has(at)
  );
}

/** L02: whether an operation targets another CTA, which may have ended. */
function crosses(symbols: SymbolTable): boolean {
  const { ctas } = symbols.system.program;
  return symbols.instructions.some(({ kind, cta, barriers, flights, reads, writes }) => {
    const isOther = (id: number): boolean => id >= 0 && id % ctas !== cta;
    if (kind === OpKind.free) return false;
    const issued = flights.map((id) => symbols.flight(id).flight);
    return (
      barriers.some((id) => isOther(id) && !isGlobalBarrier(symbols.system.machine.shape, id)) ||
      [...reads, ...writes].some(isOther) ||
      issued.some(({ barrier, writes: into }) => isOther(barrier) || into.some(isOther))
    );
  });
}

function lowerRole(symbols: SymbolTable, graph: Graph, roleGraph: RoleGraph): RoleModel {
  const { role, steps } = roleGraph;
  const { name: declared, cta, spawned } = symbols.system.program.roles[role]!;
  const name = shownName(declared);
  const numbering = new Numbering(symbols, steps);
  const start = startOf(symbols, roleGraph);
  const first = numbering.numberOf(start.to);
  const places: PlaceModel[] = [];
  for (let at = 0; at < numbering.size; at++) {
    places.push(...lowerStep(symbols, graph, numbering, numbering.step(at)));
  }
  return {
    index: role,
    name,
    ident: symbols.identifiers.take('role', name),
    cta,
    isSpawned: spawned,
    start: { calls: [...start.calls, ...entryCalls(symbols, steps.get(start.to)!)], to: first },
    places: places.toSorted((a, b) => a.number - b.number),
  };
}

/** Numbers the visible steps of a role in the order in which transitions reach them. */
class Numbering {
  readonly #symbols: SymbolTable;
  readonly #steps: ReadonlyMap<number, GraphStep>;
  readonly #numbers = new Map<number, number>();
  readonly #order: GraphStep[] = [];
  #next = 0;

  constructor(symbols: SymbolTable, steps: ReadonlyMap<number, GraphStep>) {
    this.#symbols = symbols;
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
      // Waiting at a named or cluster barrier is a separate location.
      if (isGathering(step)) this.#next++;
    }
    return number;
  }

  paths(id: number): Path[] {
    return pathsFrom(this.#symbols, this.#steps, id);
  }

  entry(id: number): Call[] {
    return entryCalls(this.#symbols, this.#steps.get(id)!);
  }
}

function isGathering({ instruction }: GraphStep): boolean {
  return instruction !== null && isMeeting(instruction.kind);
}

function lowerStep(
  symbols: SymbolTable,
  graph: Graph,
  numbering: Numbering,
  step: GraphStep,
): PlaceModel[] {
  const number = numbering.numberOf(step.id);
  if (step.instruction === null) {
    const isEnd = step.misuse === null;
    const text = isEnd ? 'the end' : `a misuse: ${step.misuse.rule}`;
    return [{ number, text, isEnd, actions: [] }];
  }
  const text = describe(symbols.names, step.instruction);
  const isEnd = false;
  const place: PlaceModel = { number, text, isEnd, actions: [] };
  const waiting: PlaceModel = { number: number + 1, text: `${text}: wait`, isEnd, actions: [] };
  for (const move of transitionsOf(symbols, graph, step)) {
    const from = move.from === 'waiting' ? waiting : place;
    from.actions.push(...actionsAlongPaths(numbering, step, number, move));
  }
  return isGathering(step) ? [place, waiting] : [place];
}

/** A transition for each path through the following silent steps to the next visible one. */
function actionsAlongPaths(
  numbering: Numbering,
  step: GraphStep,
  number: number,
  move: Transition,
): Action[] {
  const { guards, calls, answer } = move;
  if (answer === null) return [{ guards, calls, to: move.from === 'waits' ? number + 1 : number }];
  const target = step.edges.get(answer);
  if (target === undefined) return [];
  return numbering.paths(target).flatMap((path) => {
    const to = numbering.numberOf(path.to);
    const all = [...calls, ...path.calls, ...numbering.entry(path.to)];
    // Omits a failed try that changes nothing, so that endless polling is a deadlock.
    if (to === number && guards.length + all.length === 0) return [];
    return [{ guards: [...guards, ...path.guards], calls: all, to }];
  });
}

function unitsOf(symbols: SymbolTable): UnitModel[] {
  const units = new Map<number, UnitModel['completions'][number][]>();
  for (const queue of symbols.queues.values()) {
    const completions = units.get(queue.unit) ?? [];
    units.set(queue.unit, completions);
    for (const flight of queue.flights) {
      const calls = completionCalls(symbols, flight);
      if (calls !== null) completions.push({ flight, calls });
    }
  }
  return [...units].map(([unit, completions]) => {
    const name = symbols.names.agent(symbols.system.roles + unit);
    return { name, ident: symbols.identifiers.take('unit', name), completions };
  });
}
