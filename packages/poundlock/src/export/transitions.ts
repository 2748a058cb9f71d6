// The moves of each operation: when it can be performed, what it does, and what is found there.
import { InvariantError, unreachable } from '@poundlock/core/internal/base';
import type { RuleId } from '@poundlock/core/internal/finding';
import type { Instruction } from '@poundlock/core/internal/machine';
import { isAccess, isStageTest, OpKind, Side, type PostedKind } from '@poundlock/core/internal/op';
import type { Graph, GraphStep } from './graph.ts';
import { arrivalCalls, byteCalls } from './completion.ts';
import type { BarrierModel, Call, Guard, Phase } from './model.ts';
import { startOf } from './paths.ts';
import type { Things } from './symbol-table.ts';

/** One way to move: with an answer to the next step, or without to a finding or into waiting. */
export interface Move {
  readonly guards: readonly Guard[];
  readonly calls: readonly Call[];
  readonly answer: number | null;
  /** Where it starts and leads to, at a named or cluster barrier. */
  readonly from?: 'waits' | 'waiting';
}

/** What is noted and tested as a role comes to a step, before it moves (P10, S02, R09). */
export function entryCalls(things: Things, step: GraphStep): Call[] {
  const { instruction, misuse, role } = step;
  if (misuse !== null) return [fail(misuse.rule, 'ownership: reported when the role gets here')];
  if (instruction === null) return [{ do: 'end', role }];
  const { kind, reads, writes } = instruction;
  if (isAccess(kind)) {
    return things.accesses(reads, writes).map((access) => ({ do: 'next', ...access }));
  }
  if (!isStageTest(kind) || kind === OpKind.tryClaim) return [];
  const copies = things.copiesOf(instruction);
  if (copies.length === 0) return [];
  return [{ do: 'not-behind', register: things.register(instruction), copies }];
}

/** Every move of a step. */
export function movesOf(things: Things, graph: Graph, step: GraphStep): Move[] {
  const instruction = step.instruction!;
  const { kind } = instruction;
  switch (kind) {
    case OpKind.syncNamed:
    case OpKind.arriveNamed:
      return namedMoves(things, instruction);
    case OpKind.syncCluster:
      return clusterMoves(instruction.role);
    case OpKind.load:
    case OpKind.fetchAdd:
      return cellMoves(things, graph, instruction);
    case OpKind.alloc:
      return allocMoves(things, step, instruction);
    case OpKind.choose:
      return [...step.edges.keys()].map((answer) => ({ guards: [], calls: [], answer }));
    case OpKind.spawn:
      return spawnMoves(things, graph, instruction.target);
    case OpKind.join:
      return [{ guards: [{ if: 'ended', role: instruction.target }], calls: [], answer: 0 }];
    case OpKind.waitGroup: {
      const queue = things.queueOf(instruction.role, instruction.unit);
      const guards: Guard[] =
        queue === undefined ? [] : [{ if: 'groups', queue, most: instruction.inFlight }];
      return [{ guards, calls: [], answer: 0 }];
    }
    case OpKind.wait:
    case OpKind.waitParity:
    case OpKind.tryWait:
      return barrierWait(things, step, instruction);
    case OpKind.waitStage:
    case OpKind.tryWaitStage:
    case OpKind.tryClaim:
      return stageWait(things, step, instruction);
    case OpKind.step:
    case OpKind.stage:
    case OpKind.more:
    case OpKind.compute:
    case OpKind.fence:
      throw new InvariantError('silent operations belong to the move before them');
    default:
      return [{ guards: [], calls: effects(things, kind, instruction), answer: 0 }];
  }
}

function fail(rule: RuleId | 'bound', note: string): Call {
  return { do: 'fail', rule, note };
}

function alarm(guards: readonly Guard[], rule: RuleId | 'bound', note: string): Move {
  return { guards, calls: [fail(rule, note)], answer: null };
}

/** What is wrong with standing at a wait: M02, M10. */
function alarms(barrier: BarrierModel, phase: Phase | null, where: readonly Guard[]): Move[] {
  const found: Move[] = [];
  if (barrier.hasLife) {
    const note = 'M02: a wait for a barrier that is not initialized';
    found.push(alarm([...where, { if: 'unborn', barrier }], 'uninitialised-barrier', note));
  }
  if (phase !== null && !barrier.isCounter) {
    const calls: Call[] = [{ do: 'told', barrier, phase }];
    found.push({ guards: [...where, { if: 'alias', barrier, phase }], calls, answer: null });
  }
  return found;
}

function barrierWait(things: Things, step: GraphStep, instruction: Instruction): Move[] {
  const { kind, target, cta } = instruction;
  const barrier = things.barriers[target]!;
  const isParity = kind === OpKind.waitParity;
  const value = isParity ? instruction.parity : instruction.phase;
  const phase: Phase = { at: 'number', value };
  const passes: Guard = { if: 'passes', barrier, phase };
  const found = alarms(barrier, isParity ? null : phase, []);
  if (kind !== OpKind.tryWait) {
    const calls: Call[] = [{ do: 'reach', barrier, from: cta }];
    return [...found, { guards: [passes], calls, answer: 0 }];
  }
  return [...found, { guards: [passes], calls: [], answer: 1 }, ...failedTry(step, 0)];
}

/** M08, P07: a try may fail at any time, except right after it has failed. */
function failedTry({ edges }: GraphStep, answer: number): Move[] {
  return edges.has(answer) ? [{ guards: [], calls: [], answer }] : [];
}

function stageWait(things: Things, step: GraphStep, instruction: Instruction): Move[] {
  const { kind, side, cta } = instruction;
  const register = things.register(instruction);
  const isWait = kind === OpKind.waitStage;
  const phase: Phase = { at: 'lap', register, less: side === Side.consume ? 0 : 1 };
  const moves: Move[] = [];
  for (let stage = 0; stage < register.stages; stage++) {
    if (kind !== OpKind.tryWaitStage && !step.edges.has(stage)) continue;
    const barrier = things.stageBarrier(instruction, stage);
    const stands: Guard = { if: 'stage', register, plus: 0, stage };
    const answer = kind === OpKind.tryWaitStage ? 1 : stage;
    const reach: Call[] = isWait ? [{ do: 'reach', barrier, from: cta }] : [];
    if (instruction.isAssumed) {
      const unfinished: Guard = { if: 'unfinished', barrier, phase };
      const note = 'R08: no try tested it, and the phase has not completed';
      moves.push(...alarms(barrier, null, [stands]));
      moves.push(alarm([stands, unfinished], 'stale-try-token', note));
      moves.push({ guards: [stands], calls: reach, answer });
      continue;
    }
    const claim: Call[] = kind === OpKind.tryClaim ? claimCalls(things, instruction) : [];
    moves.push(...alarms(barrier, phase, [stands]));
    const passes: Guard = { if: 'passes', barrier, phase };
    moves.push({ guards: [stands, passes], calls: [...reach, ...claim], answer });
  }
  if (kind === OpKind.tryWaitStage) moves.push(...failedTry(step, 0));
  if (kind === OpKind.tryClaim) moves.push(...failedTry(step, -1));
  return moves;
}

/** R05: the claim itself moves the shared register on. */
function claimCalls(things: Things, instruction: Instruction): Call[] {
  const shift = things.shift(instruction.target, instruction.cta);
  const step: Call = { do: 'step', register: things.register(instruction) };
  return shift === null ? [step] : [step, { do: 'shift', shift }];
}

function namedMoves(things: Things, { kind, target, lanes, threads, role }: Instruction): Move[] {
  const named = things.namedBarrier(target);
  const state = { named, threads: lanes, count: threads };
  const note = 'N01: another count, or more threads than the count';
  const waits = kind === OpKind.syncNamed;
  const gather: Call = { do: 'gather', ...state };
  const wait: Call = { do: 'wait-named', named, role };
  return [
    alarm([{ if: 'mismatch', ...state }], 'named-barrier-mismatch', note),
    { guards: [{ if: 'full', ...state }], calls: [{ do: 'release-named', named }], answer: 0 },
    waits
      ? { guards: [{ if: 'part', ...state }], calls: [gather, wait], answer: null, from: 'waits' }
      : { guards: [{ if: 'part', ...state }], calls: [gather], answer: 0 },
    ...(waits ? [together(role)] : []),
  ];
}

function together(role: number): Move {
  return { guards: [{ if: 'together', role }], calls: [], answer: 0, from: 'waiting' };
}

function clusterMoves(role: number): Move[] {
  const note = 'N02: a role has ended before the cluster barrier';
  return [
    alarm([{ if: 'cluster', state: 'divergent' }], 'divergent-exit', note),
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
    together(role),
  ];
}

function cellMoves(things: Things, { answers }: Graph, instruction: Instruction): Move[] {
  const { kind, target, amount } = instruction;
  const cell = things.cell(target);
  const calls: Call[] = kind === OpKind.fetchAdd ? [{ do: 'add', cell, value: amount }] : [];
  const values = answers.valuesBefore(instruction);
  const moves: Move[] = values.map((value) => {
    return { guards: [{ if: 'cell', cell, value }], calls, answer: value };
  });
  if (!answers.truncated.has(target)) return moves;
  const note = 'no finding: the value is beyond the bound max-answers of the export';
  return [...moves, alarm([{ if: 'beyond', cell, values }], 'bound', note)];
}

function allocMoves(things: Things, step: GraphStep, instruction: Instruction): Move[] {
  const { target, units, cta } = instruction;
  const pool = things.pool(target);
  const note = 'A01: more than the capacity, or after relinquish';
  const moves: Move[] = [];
  if (units > pool.capacity || things.has(OpKind.relinquish)) {
    moves.push(alarm([{ if: 'impossible', pool, units }], 'capacity', note));
  }
  for (const answer of step.edges.keys()) {
    const buffer = things.buffer(answer * things.system.program.ctas + cta);
    const take: Call = { do: 'take', pool, units, buffer };
    const guards: Guard[] = [{ if: 'first-free', pool, units, buffer }];
    moves.push({ guards, calls: [take], answer });
  }
  return moves;
}

function spawnMoves(things: Things, graph: Graph, target: number): Move[] {
  const spawned = graph.roles[target]!;
  const start = startOf(things, spawned);
  const calls: Call[] = [
    { do: 'start', role: target },
    ...start.calls,
    ...entryCalls(things, spawned.steps.get(start.to)!),
  ];
  if (!things.system.program.roles[target]!.spawned) return [{ guards: [], calls: [], answer: 0 }];
  return [
    { guards: [{ if: 'unstarted', role: target }], calls, answer: 0 },
    { guards: [{ if: 'started', role: target }], calls: [], answer: 0 },
  ];
}

/** Posted operations, but for those whose moves depend on the state. */
type EffectKind = Exclude<PostedKind, typeof OpKind.arriveNamed | typeof OpKind.spawn>;

/** What an operation does that is never blocked and has no answer. */
function effects(things: Things, kind: EffectKind, instruction: Instruction): Call[] {
  const { cta, target, arrivals, lanes, bytes } = instruction;
  const barriers = instruction.barriers.map((id) => things.barriers[id]!);
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
      return instruction.flights.map((id) => ({ do: 'launch', flight: things.flight(id) }));
    case OpKind.read:
    case OpKind.write:
      return things.accesses(instruction.reads, instruction.writes).flatMap((access): Call[] => [
        { do: 'done', ...access },
        { do: 'touch', buffer: access.buffer, from: cta },
      ]);
    case OpKind.store:
      return [{ do: 'store', cell: things.cell(target), value: instruction.stored }];
    case OpKind.free:
      return [
        { do: 'free', pool: things.pool(target), buffer: things.buffer(instruction.writes[0]!) },
      ];
    case OpKind.relinquish:
      return [{ do: 'relinquish', pool: things.pool(target) }];
    case OpKind.exit:
      return [{ do: 'exit', cta }];
    default:
      return unreachable(kind);
  }
}
