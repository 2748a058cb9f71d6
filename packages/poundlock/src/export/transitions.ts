// The transitions of each operation: guards, effects, and violations.
import { InputError, InvariantError, unreachable } from '@poundlock/core/internal/base';
import type { RuleId } from '@poundlock/core/internal/finding';
import type { Instruction } from '@poundlock/core/internal/machine';
import {
  CATALOGUE,
  isAccess,
  isStageTest,
  OpKind,
  Side,
  type PostedKind,
} from '@poundlock/core/internal/op';
import type { Graph, GraphStep } from './graph.ts';
import { arrivalCalls, byteCalls, touchCalls } from './completion.ts';
import type { BarrierModel, Call, Guard, Phase } from './model.ts';
import { startOf } from './paths.ts';
import type { SymbolTable } from './symbol-table.ts';

/** One transition: to the next step by result, or without one to a violation or a wait. */
export interface Transition {
  readonly guards: readonly Guard[];
  readonly calls: readonly Call[];
  readonly answer: number | null;
  /** Its start and destination at a named or cluster barrier. */
  readonly from?: 'waits' | 'waiting';
}

/** The calls on entry to a step, before its operation (P10, S02, R09). */
export function entryCalls(symbols: SymbolTable, step: GraphStep): Call[] {
  const { instruction, misuse, role } = step;
  if (misuse !== null) return [fail(misuse.rule, 'ownership: reported when the role gets here')];
  if (instruction === null) return [{ do: 'end', role }];
  const { kind, reads, writes } = instruction;
  if (isAccess(kind)) {
    return symbols.accesses(reads, writes).map((access) => ({ do: 'next', ...access }));
  }
  if (!isStageTest(kind) || kind === OpKind.tryClaim) return [];
  const copies = symbols.copiesOf(instruction);
  if (copies.length === 0) return [];
  return [{ do: 'not-behind', register: symbols.register(instruction), copies }];
}

/** All transitions of a step. */
export function transitionsOf(symbols: SymbolTable, graph: Graph, step: GraphStep): Transition[] {
  const instruction = step.instruction!;
  const { kind } = instruction;
  switch (kind) {
    case OpKind.syncNamed:
    case OpKind.arriveNamed:
      return namedTransitions(symbols, instruction);
    case OpKind.syncCluster:
      return clusterTransitions(instruction.role);
    case OpKind.load:
    case OpKind.fetchAdd:
      return cellTransitions(symbols, graph, step);
    case OpKind.alloc:
      return allocTransitions(symbols, step, instruction);
    case OpKind.choose:
      return [...step.edges.keys()].map((answer) => ({ guards: [], calls: [], answer }));
    case OpKind.spawn:
      return spawnTransitions(symbols, graph, instruction.target);
    case OpKind.join:
      return [{ guards: [{ if: 'ended', role: instruction.target }], calls: [], answer: 0 }];
    case OpKind.waitGroup:
      return [{ guards: groupGuards(symbols, instruction), calls: [], answer: 0 }];
    case OpKind.arriveCluster:
    case OpKind.waitCluster:
    case OpKind.giveRegisters:
    case OpKind.takeRegisters:
    case OpKind.launchDependents:
    case OpKind.waitGrids:
      throw unknownToModels(CATALOGUE[kind]!.name);
    case OpKind.wait:
    case OpKind.waitParity:
    case OpKind.tryWait:
      return barrierWait(symbols, step, instruction);
    case OpKind.waitStage:
    case OpKind.tryWaitStage:
    case OpKind.tryClaim:
      return stageWait(symbols, step, instruction);
    case OpKind.step:
    case OpKind.stage:
    case OpKind.more:
    case OpKind.compute:
    case OpKind.fence:
      throw new InvariantError('silent operations belong to the move before them');
    default:
      return always(symbols, kind, instruction);
  }
}

/** A model of states does not have it: the drawing has. */
export function unknownToModels(what: string): InputError {
  return new InputError(`export to Promela and TLA+ does not know ${what} yet`);
}

/** U04, G02, H4: groups, what their stores read, and those of a team. */
function groupGuards(symbols: SymbolTable, instruction: Instruction): Guard[] {
  const { role, unit, reading, team, inFlight } = instruction;
  const queues = [
    symbols.queueOf(role, unit),
    symbols.queueOf(role, reading),
    ...team.map((other) => symbols.queueOf(other, unit)),
  ];
  return [...new Set(queues)].flatMap((queue): Guard[] =>
    queue === undefined ? [] : [{ if: 'groups', queue, most: inFlight }],
  );
}

function fail(rule: RuleId | 'bound', note: string): Call {
  return { do: 'fail', rule, note };
}

function violation(guards: readonly Guard[], rule: RuleId | 'bound', note: string): Transition {
  return { guards, calls: [fail(rule, note)], answer: null };
}

/** The violations that a wait can show: M02, M10. */
function waitViolations(
  barrier: BarrierModel,
  phase: Phase | null,
  where: readonly Guard[],
): Transition[] {
  const found: Transition[] = [];
  if (barrier.hasLife) {
    const note = 'M02: a wait for a barrier that is not initialized';
    found.push(violation([...where, { if: 'unborn', barrier }], 'uninitialised-barrier', note));
  }
  if (phase !== null && !barrier.isCounter) {
    const calls: Call[] = [{ do: 'alias-fault', barrier, phase }];
    found.push({ guards: [...where, { if: 'alias', barrier, phase }], calls, answer: null });
  }
  return found;
}

function barrierWait(
  symbols: SymbolTable,
  step: GraphStep,
  instruction: Instruction,
): Transition[] {
  const { kind, target, cta } = instruction;
  const barrier = symbols.barriers[target]!;
  const isParity = kind === OpKind.waitParity || instruction.isRaw;
  const value = kind === OpKind.waitParity ? instruction.parity : instruction.phase;
  const phase: Phase = { at: 'number', value };
  const passes: Guard = { if: 'passes', barrier, phase };
  const found = waitViolations(barrier, isParity ? null : phase, []);
  if (kind !== OpKind.tryWait) {
    const calls: Call[] = [{ do: 'reach', barrier, from: cta }];
    return [...found, { guards: [passes], calls, answer: 0 }];
  }
  return [...found, { guards: [passes], calls: [], answer: 1 }, ...failedTry(step, 0)];
}

/** M08, P07: a try may fail at any time, except right after it has failed. */
function failedTry({ edges }: GraphStep, answer: number): Transition[] {
  return edges.has(answer) ? [{ guards: [], calls: [], answer }] : [];
}

function stageWait(symbols: SymbolTable, step: GraphStep, instruction: Instruction): Transition[] {
  const { kind, side, cta } = instruction;
  const register = symbols.register(instruction);
  const isWait = kind === OpKind.waitStage;
  const phase: Phase = { at: 'lap', register, less: side === Side.consume ? 0 : 1 };
  const transitions: Transition[] = [];
  for (let stage = 0; stage < register.stages; stage++) {
    if (kind !== OpKind.tryWaitStage && !step.edges.has(stage)) continue;
    const barrier = symbols.stageBarrier(instruction, stage);
    const isAtStage: Guard = { if: 'stage', register, plus: 0, stage };
    const answer = kind === OpKind.tryWaitStage ? 1 : stage;
    const reach: Call[] = isWait ? [{ do: 'reach', barrier, from: cta }] : [];
    if (instruction.isAssumed) {
      const unfinished: Guard = { if: 'unfinished', barrier, phase };
      const note = 'R08: no try tested it, and the phase has not completed';
      transitions.push(...waitViolations(barrier, null, [isAtStage]));
      transitions.push(violation([isAtStage, unfinished], 'stale-try-token', note));
      transitions.push({ guards: [isAtStage], calls: reach, answer });
      continue;
    }
    const claim: Call[] = kind === OpKind.tryClaim ? claimCalls(symbols, instruction) : [];
    transitions.push(...waitViolations(barrier, phase, [isAtStage]));
    const passes: Guard = { if: 'passes', barrier, phase };
    transitions.push({ guards: [isAtStage, passes], calls: [...reach, ...claim], answer });
  }
  if (kind === OpKind.tryWaitStage) transitions.push(...failedTry(step, 0));
  if (kind === OpKind.tryClaim) transitions.push(...failedTry(step, -1));
  return transitions;
}

/** R05: the claim itself advances the shared register. */
function claimCalls(symbols: SymbolTable, instruction: Instruction): Call[] {
  const shift = symbols.shift(instruction.target, instruction.cta);
  const step: Call = { do: 'step', register: symbols.register(instruction) };
  return shift === null ? [step] : [step, { do: 'shift', shift }];
}

function namedTransitions(
  symbols: SymbolTable,
  { kind, target, lanes, threads, role }: Instruction,
): Transition[] {
  const named = symbols.namedBarrier(target);
  const state = { named, threads: lanes, count: threads };
  const note = 'N01: another count, or more threads than the count';
  const waits = kind === OpKind.syncNamed;
  const gather: Call = { do: 'gather', ...state };
  const wait: Call = { do: 'wait-named', named, role };
  return [
    violation([{ if: 'mismatch', ...state }], 'named-barrier-mismatch', note),
    { guards: [{ if: 'full', ...state }], calls: [{ do: 'release-named', named }], answer: 0 },
    waits
      ? { guards: [{ if: 'part', ...state }], calls: [gather, wait], answer: null, from: 'waits' }
      : { guards: [{ if: 'part', ...state }], calls: [gather], answer: 0 },
    ...(waits ? [released(role)] : []),
  ];
}

function released(role: number): Transition {
  return { guards: [{ if: 'together', role }], calls: [], answer: 0, from: 'waiting' };
}

function clusterTransitions(role: number): Transition[] {
  const note = 'N02: a role has ended before the cluster barrier';
  return [
    violation([{ if: 'cluster', state: 'divergent' }], 'divergent-exit', note),
    {
      guards: [{ if: 'cluster', state: 'full' }],
      calls: [{ do: 'release-cluster' }],
      answer: 0,
    },
    {
      guards: [{ if: 'cluster', state: 'part' }],
      calls: [{ do: 'wait-cluster', role }],
      answer: null,
      from: 'waits',
    },
    released(role),
  ];
}

function cellTransitions(
  symbols: SymbolTable,
  { domains: answers }: Graph,
  { edges, instruction }: GraphStep,
): Transition[] {
  const { kind, target, amount } = instruction!;
  const cell = symbols.cell(target);
  const hasEdge = (value: number): boolean => edges.has(value);
  const calls: Call[] = kind === OpKind.fetchAdd ? [{ do: 'add', cell, value: amount }] : [];
  const values = answers.valuesBefore(instruction!);
  // A value that the role can not see here has no edge.
  const transitions: Transition[] = values.filter(hasEdge).map((value) => {
    return { guards: [{ if: 'cell', cell, value }], calls, answer: value };
  });
  if (!answers.truncated.has(target)) return transitions;
  const note = 'no finding: the value is beyond the bound max-answers of the export';
  return [...transitions, violation([{ if: 'beyond', cell, values }], 'bound', note)];
}

function allocTransitions(
  symbols: SymbolTable,
  step: GraphStep,
  instruction: Instruction,
): Transition[] {
  const { target, units, cta } = instruction;
  const pool = symbols.pool(target);
  const note = 'A01: more than the capacity, or after relinquish';
  const transitions: Transition[] = [];
  if (units > pool.capacity || symbols.has(OpKind.relinquish)) {
    transitions.push(violation([{ if: 'impossible', pool, units }], 'capacity', note));
  }
  for (const answer of step.edges.keys()) {
    const buffer = symbols.buffer(answer * symbols.system.program.ctas + cta);
    const take: Call = { do: 'take', pool, units, buffer };
    const guards: Guard[] = [{ if: 'first-free', pool, units, buffer }];
    transitions.push({ guards, calls: [take], answer });
  }
  return transitions;
}

function spawnTransitions(symbols: SymbolTable, graph: Graph, target: number): Transition[] {
  const spawned = graph.roles[target]!;
  const start = startOf(symbols, spawned);
  const calls: Call[] = [
    { do: 'start', role: target },
    ...start.calls,
    ...entryCalls(symbols, spawned.steps.get(start.to)!),
  ];
  if (!symbols.system.program.roles[target]!.spawned) return [{ guards: [], calls: [], answer: 0 }];
  return [
    { guards: [{ if: 'unstarted', role: target }], calls, answer: 0 },
    { guards: [{ if: 'started', role: target }], calls: [], answer: 0 },
  ];
}

/** Posted operations, except those whose transitions depend on the state. */
type EffectKind = Exclude<
  PostedKind,
  | typeof OpKind.arriveNamed
  | typeof OpKind.spawn
  | typeof OpKind.arriveCluster
  | typeof OpKind.giveRegisters
  | typeof OpKind.launchDependents
>;

/** The effects of an operation that never blocks and has no result. */
/** A transition that is always enabled. */
function always(symbols: SymbolTable, kind: EffectKind, instruction: Instruction): Transition[] {
  return [{ guards: [], calls: effects(symbols, kind, instruction), answer: 0 }];
}

function effects(symbols: SymbolTable, kind: EffectKind, instruction: Instruction): Call[] {
  const { cta, target, arrivals, lanes, bytes } = instruction;
  const barriers = instruction.barriers.map((id) => symbols.barriers[id]!);
  switch (kind) {
    case OpKind.init:
      return [{ do: 'init', barrier: barriers[0]!, count: arrivals }];
    case OpKind.invalidate:
      return [
        { do: 'reach', barrier: barriers[0]!, from: cta },
        { do: 'invalidate', barrier: barriers[0]! },
      ];
    case OpKind.arrive:
      return barriers.flatMap((barrier) => arrivalCalls(barrier, cta, arrivals, lanes, bytes));
    case OpKind.expectTx:
      return barriers.flatMap((barrier) => byteCalls(barrier, cta, bytes));
    case OpKind.completeTx:
      return barriers.flatMap((barrier) => byteCalls(barrier, cta, -bytes));
    case OpKind.arriveDrop:
      return [
        { do: 'reach', barrier: barriers[0]!, from: cta },
        { do: 'drop', barrier: barriers[0]!, count: arrivals },
      ];
    case OpKind.asyncCopy:
    case OpKind.asyncUse:
    case OpKind.commit:
      if (arrivals > 0) throw unknownToModels('signalWhenDone() without noInc');
      return instruction.flights.map((id) => ({ do: 'issue', flight: symbols.flight(id) }));
    case OpKind.read:
    case OpKind.write:
      return symbols
        .accesses(instruction.reads, instruction.writes)
        .flatMap((access): Call[] => [
          { do: 'done', ...access },
          ...touchCalls(access.buffer, cta),
        ]);
    case OpKind.store:
      return [{ do: 'store', cell: symbols.cell(target), value: instruction.stored }];
    case OpKind.free:
      return [
        { do: 'free', pool: symbols.pool(target), buffer: symbols.buffer(instruction.writes[0]!) },
      ];
    case OpKind.relinquish:
      return [{ do: 'relinquish', pool: symbols.pool(target) }];
    case OpKind.exit:
      return [{ do: 'exit', cta }];
    default:
      return unreachable(kind);
  }
}
