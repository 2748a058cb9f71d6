// A model as a TLA+ module: the state is one record, each location of a role is an action.
import { FlightKind } from '@poundlock/core/internal/machine';
import type {
  Action,
  Call,
  FlightModel,
  Guard,
  ExportModel,
  PlaceModel,
  RoleModel,
} from '../model.ts';
import { after, condition, set, text } from './expressions.ts';
import { PRELUDE } from './prelude.ts';

const KINDS = {
  [FlightKind.copy]: 'copy',
  [FlightKind.use]: 'use',
  [FlightKind.signal]: 'signal',
  [FlightKind.group]: 'group',
} as const;
/** The dashes beside a module's name. */
const RULE = '-'.repeat(30);

/** The whole module; TLC requires that its file has the same name. */
export function tla(model: ExportModel, name: string): string {
  const names = actionNames(model);
  const lines = [
    `${RULE} MODULE ${name} ${RULE}`,
    ...header(model, name),
    'EXTENDS Integers, Sequences, FiniteSets, TLC',
    '',
    'VARIABLE s',
    '',
    ...constants(model),
    '',
    ...PRELUDE.split('\n'),
    ...shifts(model),
    ...initial(model),
    ...model.roles.flatMap((role) => roleActions(model, role)),
    ...completions(model),
    '\\* Every role has ended, and nothing is in flight.',
    'Ended ==',
    '  /\\ s.ended = Roles',
    '  /\\ \\A f \\in DOMAIN Flights : ~CanComplete(s, f)',
    '  /\\ UNCHANGED s',
    '',
    'Next ==',
    '  /\\ s.error = "none"',
    ...[...names, 'Ended'].map((action, at) => `  ${at === 0 ? '/\\' : '  '} \\/ ${action}`),
    '',
    'Spec == Init /\\ [][Next]_s',
    'NoFinding == s.error = "none"',
    '='.repeat(60 + 9 + name.length),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function header({ kernel, params }: ExportModel, name: string): string[] {
  return [
    `(* Kernel ${kernel}${params === '' ? '' : `, ${params}`}: exported by poundlock.`,
    `   For TLC, this is ${name}.tla, and ${name}.cfg has two lines:`,
    '',
    '     SPECIFICATION Spec',
    '     INVARIANT NoFinding',
    '',
    '   Where NoFinding fails, s.error is the rule of the finding; TLC reports a deadlock. The',
    '   error "bound" is no finding: a cell has a value beyond max-answers of the export.',
    '   Warnings are left out. A try that fails and changes nothing is left out, too; polling in',
    '   turns, forever, is a livelock, which NoFinding does not exclude.',
    '   Rules (M06, S02, ...) are explained by: poundlock explain M06. *)',
  ];
}

/** A function from names to values. */
function map(entries: readonly (readonly [name: string, value: string | number])[]): string {
  if (entries.length === 0) return '<<>>';
  return entries.map(([name, value]) => `${text(name)} :> ${value}`).join(' @@ ');
}

function constants(model: ExportModel): string[] {
  const { roles, barriers, buffers, pools, queues } = model;
  const namesOf = (all: readonly { readonly name: string }[]) => set(all.map(({ name }) => name));
  const poolText = pools.map(({ name, capacity, buffers: own }) => {
    const list = own.map((one) => text(one.name)).join(', ');
    return [name, `[capacity |-> ${capacity}, buffers |-> <<${list}>>]`] as const;
  });
  const order = queues.map(({ ident, isBag, inOrder }) => {
    return [ident, text(isBag ? 'bag' : inOrder ? 'in-order' : 'any')] as const;
  });
  const flights = queues.flatMap((queue) => queue.flights);
  return [
    `Roles == ${namesOf(roles)}`,
    `Cta == ${map(roles.map(({ name, cta }) => [name, cta] as const))}`,
    `Counters == ${namesOf(barriers.filter(({ isCounter }) => isCounter))}`,
    `Barriers == ${namesOf(barriers)}`,
    '\\* Barriers whose true phase is tracked; of the others only the parity matters.',
    `Phased == ${namesOf(barriers.filter(({ hasPhase }) => hasPhase))}`,
    `Buffers == ${namesOf(buffers)}`,
    `Pools == ${map(poolText)}`,
    `Order == ${map(order)}`,
    ...flightTable(flights),
    'RECURSIVE Sum(_)',
    'Sum(list) == IF list = <<>> THEN 0 ELSE Head(list) + Sum(Tail(list))',
  ];
}

function flightTable(flights: readonly FlightModel[]): string[] {
  if (flights.length === 0) return ['Flights == <<>>'];
  const rows = flights.map((one) => {
    const { ident, flight, queue, barrier, accesses } = one;
    const part = (writes: boolean): string =>
      set(accesses.filter((each) => each.writes === writes).map(({ buffer }) => buffer.name));
    const fields = [
      `kind |-> ${text(KINDS[flight.kind])}`,
      `queue |-> ${text(queue.ident)}`,
      `barrier |-> ${text(barrier?.name ?? 'none')}`,
      `reads |-> ${part(false)}`,
      `writes |-> ${part(true)}`,
    ];
    return `${text(ident)} :> [${fields.join(', ')}]`;
  });
  return ['Flights ==', ...rows.map((row, at) => `  ${at === 0 ? '  ' : '@@'} ${row}`)];
}

function shifts(model: ExportModel): string[] {
  return model.shifts.flatMap(({ ident, registers, barriers, period }) => [
    '\\* R06: states are the same up to double laps.',
    `${ident}(t) ==`,
    `  Shift(t, ${set(registers.map(({ name }) => name))},`,
    `        ${set(barriers.map(({ name }) => name))}, ${period})`,
    '',
  ]);
}

function initial(model: ExportModel): string[] {
  const { roles, barriers, registers, counts, cells, named } = model;
  const zero = (all: readonly { readonly name: string }[]) =>
    map(all.map(({ name }) => [name, 0] as const));
  const everywhere = (value: string | number): string => `[b \\in Barriers |-> ${value}]`;
  const entry = roles.map(({ name, isSpawned, start }) => {
    return [name, isSpawned ? -1 : start.to] as const;
  });
  const [first] = barriers;
  const expected = barriers.every(({ count }) => count === first!.count)
    ? everywhere(first?.count ?? 0)
    : map(barriers.map((one) => [one.name, one.count] as const));
  const unborn = barriers.filter((one) => one.count === 0).map(({ name }) => name);
  const life = `IF b \\in ${set(unborn)} THEN "unborn" ELSE "live"`;
  const fields = [
    ['pc', map(entry)],
    ['P', expected],
    ['E', expected],
    ['T', everywhere(0)],
    ['K', everywhere(0)],
    ['life', everywhere(unborn.length === 0 ? '"live"' : life)],
    ['copies', everywhere(0)],
    ['readers', '[x \\in Buffers |-> 0]'],
    ['writers', '[x \\in Buffers |-> 0]'],
    ['units', '[x \\in Buffers |-> 0]'],
    ['reg', zero(registers)],
    ['count', zero(counts)],
    ['cell', map(cells.map(({ name, initial: value }) => [name, value] as const))],
    ['open', '[f \\in DOMAIN Flights |-> 0]'],
    ['queue', '[q \\in DOMAIN Order |-> <<>>]'],
    ['groups', '[q \\in DOMAIN Order |-> 0]'],
    ['here', zero(named)],
    ['counts', zero(named)],
    ['waits', '[r \\in Roles |-> "nothing"]'],
    ['givenUp', '{}'],
    ['ended', '{}'],
    ['exited', '{}'],
    ['error', '"none"'],
  ] as const;
  const record = fields.map(([name, value]) => `${name} |-> ${value}`);
  const calls = roles.flatMap(({ isSpawned, start }) => (isSpawned ? [] : start.calls));
  return [
    'Start ==',
    ...record.map((field, at) => {
      return `  ${at === 0 ? '[ ' : '  '}${field}${at < record.length - 1 ? ',' : ' ]'}`;
    }),
    '',
    '\\* Every role reaches its first operation.',
    'Init ==',
    ...composed(model, calls, 'Start', (last) => `s = ${last}`, '  '),
    '',
  ];
}

/** Composes calls: a LET that names every intermediate state. */
function composed(
  model: ExportModel,
  calls: readonly Call[],
  from: string,
  result: (last: string) => string,
  indent: string,
): string[] {
  const effective = calls.filter((call) => !isTrivial(model, call));
  if (effective.length === 0) return [`${indent}${result(from)}`];
  const lines = effective.map((call, at) => {
    const before = at === 0 ? from : `t${at}`;
    return `${indent}${at === 0 ? 'LET ' : '    '}t${at + 1} == ${after(model, call, before)}`;
  });
  return [...lines, `${indent}IN  ${result(`t${effective.length}`)}`];
}

/** A test that always holds, because its target can not end. */
function isTrivial({ exits }: ExportModel, call: Call): boolean {
  if (exits || (call.do !== 'reach' && call.do !== 'touch')) return false;
  if (call.do === 'touch') return call.buffer.pool < 0 && call.buffer.cta === call.from;
  return !call.barrier.hasLife && call.barrier.cta === call.from;
}

function actionName(role: RoleModel, place: PlaceModel): string {
  return `${role.ident}_${place.number}`;
}

function actionNames(model: ExportModel): string[] {
  const places = model.roles.flatMap((role) =>
    role.places.filter(({ actions }) => actions.length > 0).map((place) => actionName(role, place)),
  );
  const units = model.units.filter((unit) => unit.completions.length > 0);
  return [...places, ...units.map(({ ident }) => ident)];
}

function roleActions(model: ExportModel, role: RoleModel): string[] {
  return role.places.flatMap((place) => {
    if (place.actions.length === 0) return [];
    return [
      `\\* ${place.text}`,
      `${actionName(role, place)} ==`,
      `  /\\ s.pc[${text(role.name)}] = ${place.number}`,
      ...choices(
        place.actions.map((action) => transition(model, role, action)),
        '  ',
      ),
      '',
    ];
  });
}

function transition(model: ExportModel, role: RoleModel, { guards, calls, to }: Action): string[] {
  return step(model, guards, calls, (last) => `s' = At(${last}, ${text(role.name)}, ${to})`);
}

/** The conjuncts of one transition. */
function step(
  model: ExportModel,
  guards: readonly Guard[],
  calls: readonly Call[],
  result: (last: string) => string,
): string[] {
  const tests = guards.map((guard) => condition(model, guard)).filter((one) => one !== '');
  const [first, ...rest] = composed(model, calls, 's', result, '   ');
  return [...tests.map((test) => `/\\ ${test}`), `/\\ ${first!.trimStart()}`, ...rest];
}

/** A disjunction. */
function choices(alternatives: readonly (readonly string[])[], indent: string): string[] {
  if (alternatives.length === 1) return alternatives[0]!.map((line) => `${indent}${line}`);
  return alternatives.flatMap((lines, number) =>
    lines.map((line, at) => {
      const head = number === 0 && at === 0 ? '/\\ ' : '   ';
      return `${indent}${head}${at === 0 ? '\\/ ' : '   '}${line}`;
    }),
  );
}

function completions(model: ExportModel): string[] {
  return model.units.flatMap(({ ident, name, completions: all }) => {
    if (all.length === 0) return [];
    const moves = all.map(({ flight, calls }) => {
      const lines = step(model, [{ if: 'can-complete', flight }], calls, (last) => `s' = ${last}`);
      return [...lines.slice(0, 1).map((line) => `${line} \\* ${flight.text}`), ...lines.slice(1)];
    });
    return [`\\* Work of the unit ${name} completes.`, `${ident} ==`, ...choices(moves, '  '), ''];
  });
}
