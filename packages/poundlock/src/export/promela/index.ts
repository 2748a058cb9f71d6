// A model as a Promela program for SPIN: one process for each role and unit.
import { InputError } from '@poundlock/core/internal/base';
import { FlightKind } from '@poundlock/core/internal/machine';
import type { Action, ExportModel, PlaceModel } from '../model.ts';
import type { RoleModel, UnitModel } from '../model.ts';
import { declarations, initialState, queueInlines } from './declarations.ts';
import { conjunction } from './expressions.ts';
import { Statements } from './statements.ts';

/** SPIN's limit; one of the processes is `init`. */
const MAX_PROCESSES = 255;
/** The most flights of one kind, or entries of one queue, that are open at one time. */
const DEFAULT_MAX_OPEN = 32;

/** SPIN 6.5.2 has a table of 2048 d_steps, and may use several entries for one. */
const MAX_D_STEPS = 500;

/** A transition is one d_step, which is deterministic. In large models it is atomic. */
function stepWord({ roles, units }: ExportModel): string {
  const places = roles.flatMap((role) => role.places);
  const moves = places.reduce((sum, { actions }) => sum + actions.length, 0);
  const landings = units.reduce((sum, unit) => sum + unit.completions.length, 0);
  return moves + landings + 1 > MAX_D_STEPS ? 'atomic' : 'd_step';
}

/** The whole program as text. */
export function promela(model: ExportModel): string {
  const landing = model.units.filter(({ completions }) => completions.length > 0);
  const processes = model.roles.length + landing.length + 1;
  if (processes > MAX_PROCESSES) {
    throw new InputError(
      `kernel ${model.kernel} has ${processes} roles and units, and SPIN runs ${MAX_PROCESSES}`,
    );
  }
  const statements = new Statements(model);
  const processLines = [
    ...queueInlines(model, statements),
    ...landing.flatMap((unit) => unitLines(model, unit, statements)),
    ...model.roles.flatMap((role) => roleLines(model, role, statements)),
    ...initLines(model, landing, statements),
  ];
  const rules = new Set(['over_arrival', 'export_bound', ...statements.rules]);
  if (model.barriers.some(({ hasCopies }) => hasCopies)) rules.add('tx_mismatch');
  if (model.buffers.length > 0) rules.add('race');
  rules.delete('bound');
  const lines = [
    ...header(model),
    `hidden byte ${[...rules].toSorted().join(', ')};`,
    '',
    ...declarations(model),
    ...processLines,
  ];
  return `${lines.join('\n')}\n`;
}

function header({ kernel, params }: ExportModel): string[] {
  return [
    `/* Kernel ${kernel}${params === '' ? '' : `, ${params}`}: exported by poundlock.`,
    ' *',
    ' *   spin -a FILE && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000',
    ' *',
    ' * "assertion violated race || ..." is the finding race, "invalid end state" a deadlock; an',
    ' * export_bound is no finding, but a bound of this file. Warnings are left out. A try that',
    ' * fails and changes nothing is left out, too, so roles that only poll are in an invalid end',
    ' * state; polling in turns, forever, is a livelock, which neither of the two shows.',
    ' * Rules (M06, S02, ...) are explained by: poundlock explain M06. */',
    '#ifndef MAX_OPEN',
    `#define MAX_OPEN ${DEFAULT_MAX_OPEN}`,
    '#endif',
    '/* M07, M10: what the parity shows of k completed phases, and where it is ambiguous. */',
    '#define PASSES(k, phase) ((((k) + (phase)) & 1) != 0)',
    '#define ALIAS(k, phase) (((k) < (phase) && PASSES(k, phase)) || \\',
    '                         ((k) > (phase) + 1 && !PASSES(k, phase)))',
  ];
}

function roleLines(model: ExportModel, role: RoleModel, statements: Statements): string[] {
  // The end is last, where a process of SPIN ends.
  const places = role.places.toSorted((one, other) => Number(one.isEnd) - Number(other.isEnd));
  const body = places.flatMap((place, at) => placeLines(model, place, places[at + 1], statements));
  const enter = role.start.to === places[0]!.number ? [] : [`  goto L${role.start.to};`];
  const start = role.isSpawned ? [`  Started[${role.index}];`] : [];
  return [`proctype ${role.ident}() {`, ...start, ...enter, ...body, '}', ''];
}

function placeLines(
  model: ExportModel,
  place: PlaceModel,
  next: PlaceModel | undefined,
  statements: Statements,
): string[] {
  const { number, text, isEnd, actions } = place;
  const label = `L${number}: /* ${text} */`;
  if (isEnd) return [label, '  skip'];
  if (actions.length === 0) return [label, '  false;'];
  const options = actions.flatMap((action) => {
    const [first, ...rest] = actionLines(model, action, statements, '     ');
    const last = rest.pop();
    const lines = last === undefined ? [] : [...rest, last];
    const jump = action.to === next?.number ? [] : [`     goto L${action.to}`];
    return [`  :: ${first!.trimStart()}`, ...lines, ...jump];
  });
  return [label, '  if', ...options, '  fi;'];
}

/** The statements of an action as one step, each line ended. */
function actionLines(
  model: ExportModel,
  { guards, calls }: Pick<Action, 'guards' | 'calls'>,
  statements: Statements,
  indent: string,
): string[] {
  const guard = conjunction(model, guards);
  const statementLines = statements.of(calls);
  if (statementLines.length === 0) return [`${indent}${guard === '' ? 'true' : guard};`];
  const lines = statementLines.map(
    (line) => `${indent}  ${line}${line.startsWith('/*') ? '' : ';'}`,
  );
  const test = guard === '' ? [] : [`${indent}  ${guard} ->`];
  return [`${indent}${stepWord(model)} {`, ...test, ...lines, `${indent}};`];
}

function unitLines(model: ExportModel, unit: UnitModel, statements: Statements): string[] {
  const options = unit.completions.flatMap(({ flight, calls }) => {
    const guards = [{ if: 'can-complete', flight } as const];
    const [first, ...rest] = actionLines(model, { guards, calls }, statements, '     ');
    const owner = model.roles[flight.queue.role]!.name;
    const what = flight.flight.kind === FlightKind.signal ? 'signal' : 'work';
    return [`  /* ${what} of ${owner}: ${flight.text} */`, `  :: ${first!.trimStart()}`, ...rest];
  });
  return [`proctype ${unit.ident}() {`, `end_${unit.ident}:`, '  do', ...options, '  od', '}', ''];
}

function initLines(
  model: ExportModel,
  landing: readonly UnitModel[],
  statements: Statements,
): string[] {
  const early = model.roles.filter(({ isSpawned }) => !isSpawned);
  const calls = early.flatMap(({ start }) => statements.of(start.calls));
  const first = [...initialState(model), ...calls].map((line) => {
    return `      ${line}${line.startsWith('/*') ? '' : ';'}`;
  });
  const started = first.length === 0 ? [] : ['    d_step {', ...first, '    };'];
  const runs = [...landing, ...model.roles].map(({ ident }) => `    run ${ident}();`);
  return ['init {', '  atomic {', ...started, ...runs, '  }', '}'];
}
