// No engine ignores an operation: each is posted on each of them, and changes what they answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { check } from '#src/check/index';
import { exportKernel, FORMATS, type Format } from '#src/export/index';
import { unfoldRoles } from '#src/export/graph';
import { transitionsOf } from '#src/export/transitions';
import { SymbolTable } from '#src/export/symbol-table';
import { CATALOGUE, OpKind, type OpName } from '@poundlock/core/internal/op';
import { runLinear, Program, Unfolding } from '@poundlock/core/internal/program';
import { Crew, RoleFailed, run } from '#src/run/index';
import { costsOf, prepareInPlace, MODELS, Simulation } from '#src/simulate/index';
import { System } from '@poundlock/core/internal/system';
import operations, { LONG_CYCLES } from './kernels.ts';

const CHECKS = ['search', 'reduced', 'certify', 'auto'] as const;
const ENGINES = [...CHECKS, 'simulate', 'run', ...FORMATS] as const;
type Engine = (typeof ENGINES)[number];

/** Engines that an operation does not change by design, each with the reason. */
type Unchanged = Partial<Record<Engine, string>>;

const NO_ORDER = 'S03: the machine keeps no proxies, so that a fence orders nothing';
const NOT_VISIBLE = 'D02: without waitGrids() nothing of a grid is visible, whenever it ended';
const NO_TIME = 'S04: time is not part of a state';

const UNCHANGED = {
  init: {},
  invalidate: {},
  wait: {},
  waitParity: {},
  waitStage: {},
  tryWait: {},
  tryWaitStage: {},
  arrive: {},
  expectTx: {},
  completeTx: {},
  arriveDrop: {},
  asyncCopy: {},
  asyncUse: {},
  commit: {},
  waitGroup: {},
  syncNamed: {},
  arriveNamed: {},
  syncCluster: {},
  read: {},
  write: {},
  fence: {
    search: NO_ORDER,
    reduced: NO_ORDER,
    certify: NO_ORDER,
    auto: NO_ORDER,
    simulate: NO_ORDER,
    run: NO_ORDER,
    promela: NO_ORDER,
    tla: NO_ORDER,
  },
  store: {},
  load: {},
  fetchAdd: {},
  tryClaim: {},
  compute: {
    search: NO_TIME,
    reduced: NO_TIME,
    certify: NO_TIME,
    auto: NO_TIME,
    promela: NO_TIME,
    tla: NO_TIME,
  },
  alloc: {},
  free: {},
  relinquish: {},
  choose: {},
  more: {},
  spawn: {},
  join: {},
  exit: {},
  own: {},
  use: {},
  disown: {},
  step: {},
  loop: {},
  stage: {},
  arriveCluster: {},
  waitCluster: {},
  giveRegisters: {},
  takeRegisters: {},
  launchDependents: { search: NOT_VISIBLE, reduced: NOT_VISIBLE, auto: NOT_VISIBLE },
  waitGrids: {},
} satisfies Record<OpName, Unchanged>;

const crew = new Crew();
after(() => crew[Symbol.asyncDispose]());

/** What an engine answers for the kernel of an operation, with the operation or without it. */
async function outcomeOf(engine: Engine, operation: OpName, makes: boolean): Promise<string> {
  const params = { operation, makes };
  switch (engine) {
    case 'search':
    case 'reduced':
    case 'certify':
    case 'auto': {
      const { verdict, findings } = await check(operations, { engine, params });
      return [verdict, ...findings.map(({ rule }) => rule).toSorted()].join(' ');
    }
    case 'simulate':
      return simulated(Program.together(operations, params));
    case 'run':
      return ran(params);
    case 'promela':
    case 'tla':
    case 'dot':
      return actions(engine, exportKernel(operations, engine, { params }));
    default:
      return engine satisfies never;
  }
}

/** Operations that models of states do not have: their exports refuse them. */
const REFUSED_BY_MODELS = new Set<OpName>([
  'arriveCluster',
  'waitCluster',
  'giveRegisters',
  'takeRegisters',
  'launchDependents',
  'waitGrids',
]);

const NOT_IN_MODELS = { message: /^export to Promela and TLA\+ does not know/ };

function isRefused(engine: Engine, name: OpName): boolean {
  return (engine === 'promela' || engine === 'tla') && REFUSED_BY_MODELS.has(name);
}

/** Why a simulation does not end, or its long times: what an operation costs is not its effect. */
function simulated(program: Program): string {
  const simulation = new Simulation(prepareInPlace(program), { costs: costsOf(MODELS.h200) });
  try {
    simulation.run();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return `${Math.round(Math.max(...simulation.ends) / LONG_CYCLES)} long times`;
}

/** What a run on threads finds, and which operations it recorded. */
async function ran(params: Record<string, string | boolean>): Promise<string> {
  const module = new URL('./kernels.ts', import.meta.url);
  try {
    const { findings, conforms, recorded } = await run(operations, params, { module, crew });
    const rules = findings.map(({ rule }) => rule).toSorted();
    assert.equal(conforms, true, 'what was recorded is a path of the machine');
    return [...rules, ...(recorded === null ? [] : kindsOf(new Program(recorded)))].join(' ');
  } catch (error) {
    if (error instanceof RoleFailed) return error.message;
    throw error;
  }
}

function kindsOf(program: Program): string[] {
  return program.roles.flatMap((_, role) => {
    return runLinear(program, role).map(({ op }) => CATALOGUE[op.kind]!.name);
  });
}

/** What the steps of an export do: its lines without comments, numbers of places and repetitions. */
function actions(format: Format, text: string): string {
  const plain = {
    promela: (): string => {
      const roles = text.slice(text.indexOf('proctype'));
      return roles.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/(goto )?\bL\d+:?/g, '');
    },
    tla: (): string => {
      const roles = text.slice(text.indexOf('Start =='));
      return roles.replaceAll(/\\\*.*/g, '').replaceAll(/\d+/g, '');
    },
    dot: (): string => text.replaceAll(/\bs\d+\b/g, ''),
  } satisfies Record<Format, () => string>;
  const lines = plain[format]().split('\n');
  return [...new Set(lines.map((line) => line.trim()))].toSorted().join('\n');
}

for (const { name } of CATALOGUE) {
  for (const engine of ENGINES) {
    if (isRefused(engine, name)) {
      test(`${name} is refused by ${engine}`, async () => {
        await assert.rejects(outcomeOf(engine, name, true), NOT_IN_MODELS);
      });
      continue;
    }
    const reason = (UNCHANGED[name] as Unchanged)[engine];
    const verb = reason === undefined ? 'changes' : 'does not change';
    test(`${name} ${verb} what ${engine} answers`, async () => {
      const [performed, omitted] = [
        await outcomeOf(engine, name, true),
        await outcomeOf(engine, name, false),
      ];
      if (reason === undefined) assert.notEqual(performed, omitted);
      else assert.equal(performed, omitted, reason);
    });
  }
}

for (const { name, class: kind } of CATALOGUE) {
  if (kind !== 'blocking' && kind !== 'posted') continue;
  test(`${name} does something in the model of an export`, () => {
    const program = new Program(operations, { operation: name, makes: true });
    const system = new System(program, (of, machine) => new Unfolding(of, machine));
    const graph = unfoldRoles(system, { maxSteps: 10_000, maxAnswers: 100 });
    const symbols = new SymbolTable(system, graph);
    const steps = graph.roles.flatMap((one) => [...one.steps.values()]);
    const matching = steps.filter(({ instruction }) => instruction?.kind === OpKind[name]);
    if (REFUSED_BY_MODELS.has(name)) {
      assert.throws(() => transitionsOf(symbols, graph, matching[0]!), NOT_IN_MODELS);
      return;
    }
    const does = matching.some((step) => {
      const moves = transitionsOf(symbols, graph, step);
      return (
        moves.length > 1 || moves.some(({ guards, calls }) => guards.length + calls.length > 0)
      );
    });
    assert.ok(does, 'it has a condition, an effect, or several answers');
  });
}
