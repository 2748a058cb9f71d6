// The lower end of a diagram: how far each column is after the last step, and why in words.
import type { Standing, StandingState } from '@poundlock/core/internal/finding';
import { grouped } from '@poundlock/core/internal/base';
import { agentName } from '../lanes.ts';
import { wrapped } from '../page.ts';
import type { Column } from './columns.ts';
import type { DrawnEnd, DrawnStanding } from './drawing.ts';
import type { Grid } from './grid.ts';
import { cut, cutName, type Metrics } from './metrics.ts';
import type { DiagramSource } from './source.ts';

/** Of several roles in a column, the first of these states counts. */
const STATES: readonly StandingState[] = [
  'fails',
  'starves',
  'waits',
  'open',
  'continues',
  'absent',
  'ended',
];

/** What is written at the end of a lifeline. */
const LABELS: Readonly<Record<StandingState, string>> = {
  fails: 'fails',
  starves: 'starves',
  waits: 'waits',
  open: '',
  continues: 'next',
  absent: 'absent',
  ended: 'ended',
};

/** The most lines for what one agent does, and the most agents. */
const MAX_LINES = 3;
const MAX_STANDINGS = 24;
/** The most characters of the name of an agent. */
const MAX_NAME = 20;

/** The state of a column. */
export function stateOf({ standing }: DiagramSource, column: Column): StandingState {
  const states = new Set(ownStanding(standing, column).map(({ state }) => state));
  return STATES.find((state) => states.has(state)) ?? 'ended';
}

export function ownStanding(standing: readonly Standing[], { members }: Column): Standing[] {
  return standing.filter((one) => members.includes(agentName(one)));
}

/** The ends of all lifelines of roles. */
export function endsOf(
  source: DiagramSource,
  columns: readonly Column[],
  { lifelines }: Grid,
  y: number,
  { hasLabels }: Metrics,
): DrawnEnd[] {
  const { accesses = [] } = source;
  return columns.flatMap((column, at) => {
    const { members } = column;
    if (column.kind === 'unit') return [];
    const state = stateOf(source, column);
    const isAccess = accesses.some(({ role, step }) => step === null && members.includes(role));
    const label = hasLabels ? LABELS[state] : '';
    return [{ column: at, state, x: lifelines[at]!, y, label, isFailing: isAccess }];
  });
}

interface Room {
  readonly y: number;
  readonly width: number;
  readonly metrics: Metrics;
}

/** What the agents that have not ended do after the last step, each in its lines. */
export function standingsOf(
  { standing, trace }: DiagramSource,
  columns: readonly Column[],
  { y, width, metrics }: Room,
): { readonly lines: readonly DrawnStanding[]; readonly bottom: number } {
  const { edge, character, lineHeight } = metrics;
  const all = columns.flatMap((column) => ofColumn(standing, column));
  const shown = all.filter(({ state }) => state !== 'ended').slice(0, MAX_STANDINGS);
  if (shown.length === 0) return { lines: [], bottom: y };
  const names = Math.min(MAX_NAME, Math.max(...shown.map(({ name }) => name.length)));
  const after = trace.length === 0 ? 'then' : `after step ${grouped(trace.length)}`;
  const text = edge + (names + 2) * character;
  const room = Math.floor((width - text - edge) / character);
  let bottom = y + lineHeight;
  const title = { name: after, state: 'ended' as const, text: '' };
  const heading: DrawnStanding = { ...title, lines: [{ x: edge, y: bottom, text: after }] };
  const lines = shown.map(({ name, state, text: words }): DrawnStanding => {
    const rows = wrapped(words, room);
    const own = rows.slice(0, MAX_LINES);
    const next = rows[MAX_LINES];
    if (next !== undefined) own[MAX_LINES - 1] = cut(`${own.at(-1)} ${next}`, room);
    bottom += lineHeight;
    const first = { x: edge, y: bottom, text: cutName(name, names) };
    const more = own.map((line, at) => ({ x: text, y: bottom + at * lineHeight, text: line }));
    bottom += (own.length - 1) * lineHeight;
    return { name, state, text: words, lines: [first, ...more] };
  });
  return { lines: [heading, ...lines], bottom: bottom + lineHeight / 2 };
}

/** Roles of a column that do the same are named once. */
function ofColumn(
  standing: readonly Standing[],
  column: Column,
): { readonly name: string; readonly state: StandingState; readonly text: string }[] {
  const own = ownStanding(standing, column);
  const same = Map.groupBy(own, ({ text, state }) => `${state} ${text}`);
  return [...same.values()].map((group) => {
    const [first] = group;
    const isAll = group.length === own.length && own.length > 1;
    const more = group.length > 1 ? ` +${group.length - 1}` : '';
    const name = isAll ? column.name : agentName(first!) + more;
    return { name, state: first!.state, text: first!.text };
  });
}
