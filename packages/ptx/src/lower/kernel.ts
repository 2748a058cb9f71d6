// A kernel of poundlock from a plan: each role performs the operations of its warp.
import { makeOp, OpKind, WARP } from '@poundlock/core/internal/op';
import { UNITS } from '@poundlock/core/internal/op';
import type { Op } from '@poundlock/core/internal/op';
import {
  barrier,
  buffer,
  cell,
  count,
  currentRole,
  end,
  grid,
  launch,
  loop,
  pool,
  postOwn,
  registers,
  role,
} from '@poundlock/core/internal/program';
import type { Grid, LaunchOptions, Role, WaitStyle } from '@poundlock/core/internal/program';
import { readableName } from '../text/names.ts';
import { positionOf } from '../places/place.ts';
import type { ReferenceRun } from '../steps/run.ts';
import { BARRIER_OPS, ORDER_OPS } from './barrier-ops.ts';
import { PlannedBuffers } from './buffers.ts';
import { ACCESS_OPS, WORK_OPS } from './memory-ops.ts';
import { WORD_OPS } from './word-ops.ts';
import type { Action, Plan, PlannedRole } from './plan.ts';
import { copierOf, doesStore } from './player.ts';
import type { OpsOf, Player } from './player.ts';
import { workCyclesOf } from './work-cycles.ts';

/** Declares what a plan needs and returns its roles. It is called once for each role instance. */
export type MakeRoles = () => Role[];

/** What a simulation adds to a plan. */
export interface Pace {
  /** How long a fence takes, where it has no price of its own. */
  readonly fenceCyclesOf?: Player['fenceCyclesOf'];
  /** How long the tensor core of a warp works on an instruction. */
  readonly workCyclesOf?: Player['cyclesOf'];
  /** How many CTAs run, and where their data is. */
  readonly launched?: Pick<
    LaunchOptions,
    'ctas' | 'source' | 'copies' | 'registers' | 'sharedBytes'
  >;
  /** How a role waits, by its number. */
  readonly waitsOf?: (index: number) => WaitStyle | undefined;
}

/**
 * Prepares the roles of a plan.
 *
 * @param pace What a simulation adds.
 */
export function rolesOf(plan: Plan, run: ReferenceRun, pace: Pace = {}): MakeRoles {
  const makeRoles = periodicRolesOf(plan, run, pace);
  return () => makeRoles(1);
}

/** Prepares the roles of a plan that repeats some of its actions, for any number of periods. */
export function periodicRolesOf(
  plan: Plan,
  run: ReferenceRun,
  {
    fenceCyclesOf = () => 0,
    workCyclesOf: cyclesOf = (at) => workCyclesOf(run.effectOf(at)),
    launched,
    waitsOf = () => undefined,
  }: Pace = {},
): (periods: number) => Role[] {
  let planned: PlannedBuffers | null = null;
  const [ptx] = /^\d+\.\d+/.exec(plan.ptx) ?? [];
  return (periods) => {
    const buffers = (planned ??= new PlannedBuffers(plan, run));
    // CTAs of a cluster begin one after the other.
    launch({
      begin: plan.ctas > 1 ? 'apart' : 'together',
      ...launched,
      ...(ptx === undefined ? {} : { ptx }),
      ...(plan.mostRegisters === null ? {} : { registers: plan.mostRegisters }),
    });
    if (plan.registers !== null) registers(plan.registers);
    const resources = declare(plan, buffers);
    const isTimed = launched !== undefined;
    const player: Player = {
      ...resources,
      placeOf: (at) => positionOf(run.places(at)),
      cyclesOf,
      isStore: (at) => doesStore(run.effectOf(at)),
      copierOf: (at) => (isTimed ? UNITS.tma : copierOf(run.effectOf(at))),
      isTimed,
      fenceCyclesOf,
    };
    const gridOf = gridsOf(plan, run);
    return plan.roles.map((planned, index) => {
      const { name, cta, part = null, isCut = false, warpgroup = null } = planned;
      const grid = gridOf(planned);
      const lanes = part === null ? WARP : part.members.length;
      const waits = waitsOf(index);
      const options = {
        cta,
        lanes,
        ...(grid === null ? {} : { grid }),
        ...(waits === undefined ? {} : { waits }),
      };
      return { ...role(name, options, bodyOf(planned, player, periods)), part, isCut, warpgroup };
    });
  };
}

/** Declares the resources of a plan. */
function declare(
  plan: Plan,
  buffers: PlannedBuffers,
): Omit<Player, 'placeOf' | 'isStore' | 'copierOf' | 'cyclesOf' | 'isTimed' | 'fenceCyclesOf'> {
  const isMisused = plan.roles.some(({ actions }) => actions.some(isOfPool));
  const bufferIds = buffers.buffers.map(({ name, bytes, space, family }) => {
    return buffer(name, { bytes, space, ...(family !== undefined && { family }) }).id;
  });
  return {
    barriers: plan.barriers.map(
      ({ name, count, isHidden = false, lack }) =>
        barrier(name, { count, isHidden, ...(lack && { lack }) }).id,
    ),
    buffers,
    columns: isMisused ? pool('tensor memory', { capacity: COLUMNS, buffers: 1 }) : null,
    mapIds: plan.maps.map(({ name, at, bytes }) => {
      return buffer(name, { space: 'tensormap', at, bytes }).id;
    }),
    cells: plan.cells.map(({ name, initial }) => cell(name, initial).id),
    bufferIds,
    counters: plan.counters.map(({ name, arrivals }, index) => {
      const word = buffers.ofCounter(index).map((one) => bufferIds[one]!);
      return barrier(name, { count: arrivals, mode: 'counter', space: 'global', word }).id;
    }),
    guards: Array.from({ length: plan.guards }, (_, index) => {
      return buffer(`the value that a poll waits for, ${index}`, { space: 'global' }).id;
    }),
  };
}

/** What a role performs: its actions, of which some are repeated in a loop. */
function bodyOf(
  { cta, actions, repeated }: PlannedRole,
  player: Player,
  periods: number,
): () => Generator<Op, void, number> {
  if (repeated === undefined || repeated.length === 0)
    return function* () {
      yield* play(player, cta, actions);
    };
  const [from, to] = [repeated.at, repeated.at + repeated.length];
  const parts = [actions.slice(0, from), actions.slice(from, to), actions.slice(to)] as const;
  const rounds = count(periods);
  return function* () {
    yield* play(player, cta, parts[0]);
    yield* loop(null, function* () {
      if (!(yield* rounds.more())) return end(null);
      yield* play(player, cta, parts[1]);
      return null;
    });
    yield* play(player, cta, parts[2]);
  };
}

/** The grid of each role, where one of them stands for the kernel before. */
function gridsOf(
  { roles }: Plan,
  { kernel: name }: ReferenceRun,
): (role: PlannedRole) => Grid | null {
  if (!roles.some(({ isEarlier }) => isEarlier)) return () => null;
  const before = grid('earlier');
  const own = grid(readableName(name), { after: before });
  return ({ isEarlier = false }) => (isEarlier ? before : own);
}

/** Columns of tensor memory. */
const COLUMNS = 512;

function isOfPool(action: Action): boolean {
  if (action.kind === 'last') return action.actions.some(isOfPool);
  return action.kind === 'touchPool' || action.kind === 'allocatePool';
}

/** How each kind of action becomes operations; `last` contains other actions. */
const OPS: OpsOf<Exclude<Action['kind'], 'last'>> = {
  ...BARRIER_OPS,
  ...ORDER_OPS,
  ...ACCESS_OPS,
  ...WORK_OPS,
  ...WORD_OPS,
  compute: (_player, { cycles }) => [makeOp(OpKind.compute, { cycles, work: null })],
};

const BLOCKING: ReadonlySet<Action['kind']> = new Set([
  'wait',
  'waitGroup',
  'clusterWait',
  'gridWait',
  'poll',
  'takeRegisters',
  'allocatePool',
  'add',
  'compute',
]);

/** Whether the one operation of an action can block, or has an answer. */
function canBlock(action: Action): boolean {
  const { kind } = action;
  if (kind === 'named') return action.isSync;
  return BLOCKING.has(kind);
}

function* play(
  player: Player,
  own: number,
  actions: readonly Action[],
): Generator<Op, void, number> {
  /** What the cell that was added to last held before. */
  let held = 0;
  for (const action of actions) {
    if (action.kind === 'last') {
      if (held === action.equals) yield* play(player, own, action.actions);
      continue;
    }
    const context = currentRole('yield*');
    const place = context.capture ? player.placeOf(action.at) : undefined;
    const make = OPS[action.kind] as (one: Player, of: Action, cta: number) => readonly Op[];
    const ops = make(player, action, own);
    if (canBlock(action)) {
      if (context.capture) context.yieldedAt = place;
      const answer = yield ops[0]!;
      if (action.kind === 'add') held = answer;
    } else for (const op of ops) postOwn(context, op, place);
    const cycles = action.kind === 'fence' ? player.fenceCyclesOf(action.at) : 0;
    if (cycles > 0) yield makeOp(OpKind.compute, { cycles, work: null });
  }
}
