// Lays out a space-time diagram: columns side by side, rows below one another, shapes between them.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { counted, grouped } from '@poundlock/core/internal/base';
import { agentName } from '../lanes.ts';
import { wrapped } from '../page.ts';
import { placeOf } from '../trace.ts';
import { columnsOf, type Column } from './columns.ts';
import type { Drawing, DrawnColumn, DrawnHeading, DrawnRow, TextLine } from './drawing.ts';
import { endsOf, standingsOf, stateOf } from './ends.ts';
import { factsOfRow, type Fact } from './facts.ts';
import { labelOf, sentenceOf, stepNumbers } from './labels.ts';
import { cut, METRICS, type DiagramWidth, type Metrics } from './metrics.ts';
import { LABEL_GAP, placeColumns, type Grid } from './grid.ts';
import type { Row, StepRow } from './row.ts';
import { rowsOf } from './rows.ts';
import { arrowsOf, debtArrows, drawSpans, issueLines, legendOf } from './shapes.ts';
import type { MarkOf, YOfStep } from './shapes.ts';
import type { DiagramSource } from './source.ts';
import { spansOf, stagesOf, tracksOf, type Span } from './spans.ts';

/** How a diagram is laid out. */
export interface LayoutOptions {
  /** `narrow` fits a telephone. */
  readonly width?: DiagramWidth;
  /** The width in pixels that it should have: its margin is as wide as there is room. */
  readonly room?: number;
  /** Whether laps and the middle of a long schedule are shown, too. */
  readonly all?: boolean;
  /** Whether the rule and its message are part of the diagram. */
  readonly hasHeading?: boolean;
}

/**
 * Lays out the diagram of a schedule.
 *
 * @example
 * const drawing = layOut(sourceOf(finding)!, { width: 'narrow' });
 */
export function layOut(source: DiagramSource, options: LayoutOptions = {}): Drawing {
  const { trace } = source;
  const metrics = metricsFor(options);
  const columns = columnsOf(source);
  const rows = rowsOf(trace, columns, options.all ?? false);
  const spans = spansOf(trace, columns);
  const tracks = tracksOf(spans, metrics.maxTracks);
  const grid = placeColumns(trace, columns, rows, { spans, tracks }, metrics);
  const heading = options.hasHeading === true ? headingOf(source, grid, metrics) : [];
  const top = metrics.edge + heading.length * metrics.lineHeight + grid.headHeight;
  const drawn = drawRows(source, columns, rows, grid, { top, metrics });
  const end = (drawn.at(-1)?.top ?? top) + (drawn.at(-1)?.height ?? 0) + metrics.rowHeight;
  const yOf = yOfSteps(drawn);
  const markOf = marksOfSteps(columns, drawn, trace, metrics);
  const stages = stagesOf(trace);
  const drawnSpans = drawSpans(spans, tracks, stages, { grid, yOf, end, metrics });
  const debts = debtArrows(source, columns, grid, end);
  const foot = end - top > FOOT_FROM ? end + metrics.lineHeight + debts.height : null;
  const footHeight = foot === null ? 0 : grid.headHeight;
  const below = end + metrics.lineHeight + debts.height + footHeight;
  const standings = standingsOf(source, columns, { y: below, width: grid.width, metrics });
  const legend = legendOf(stages, standings.bottom, grid.width, metrics);
  return {
    width: grid.width,
    height: Math.ceil(legend.bottom + metrics.edge),
    ...wordsOf(source, columns),
    fontSize: metrics.fontSize,
    heading,
    top,
    hasUprightHeads: !metrics.hasLabels,
    columns: drawColumns(source, columns, spans, { grid, drawn, top, end, foot, metrics }),
    rows: drawn,
    arrows: [
      ...issueLines(spans, drawnSpans, markOf),
      ...arrowsOf(trace, markOf, yOf),
      ...debts.arrows,
    ],
    spans: drawnSpans,
    ends: endsOf(source, columns, grid, end, metrics),
    standings: standings.lines,
    legend: legend.entries,
  };
}

/** From this height of its rows on, in pixels, the heads are below a diagram, too. */
const FOOT_FROM = 640;

function marksOfSteps(
  columns: readonly Column[],
  rows: readonly DrawnRow[],
  trace: readonly TraceStep[],
  { character, hasLabels }: Metrics,
): MarkOf {
  return (step) => {
    const row = rows.find(({ first, last }) => step + 1 >= first && step + 1 <= last);
    const name = agentName(trace[step]!);
    const mark = row?.marks.find(({ column }) => columns[column]!.members.includes(name));
    if (mark === undefined) return undefined;
    const words = hasLabels ? LABEL_GAP + mark.label.length * character : 4;
    return { x: mark.x, y: mark.y, right: mark.x + words + 3 };
  };
}

interface Frame {
  readonly grid: Grid;
  readonly drawn: readonly DrawnRow[];
  /** The top of the first row, and the line below the last one. */
  readonly top: number;
  readonly end: number;
  /** Where the names are below the columns, if they are. */
  readonly foot: number | null;
  readonly metrics: Metrics;
}

/** A role has a lifeline from the start, a unit while it works. */
function drawColumns(
  source: DiagramSource,
  columns: readonly Column[],
  spans: readonly Span[],
  { grid, drawn, top, end, foot, metrics }: Frame,
): DrawnColumn[] {
  const yOf = yOfSteps(drawn);
  return columns.map((column, at) => {
    const state = stateOf(source, column);
    const own = drawn.filter(({ marks }) => marks.some((mark) => mark.column === at));
    const middles = own.map((row) => row.top + row.height / 2);
    const isUnit = column.kind === 'unit';
    const work = isUnit ? spans.filter((span) => span.column === at) : [];
    const ends = work.map(({ to }) => yOf(to) ?? end);
    const starts = work.flatMap(({ from }) => yOf(from) ?? []);
    const until = Math.max(top, ...middles, ...ends);
    const goesOn = !isUnit && state !== 'ended' && state !== 'absent';
    return {
      ...column,
      x: grid.lifelines[at]!,
      top: isUnit ? Math.min(until, ...starts, ...middles) : top - 4,
      until,
      bottom: goesOn ? end : until,
      state,
      head: grid.heads[at]!.map(({ x, y, text }) => ({ x, y: y + top, text })),
      foot: foot === null ? [] : footOf(grid, at, foot, metrics),
    };
  });
}

/** An upright name ends where its column ends; others have lines from there on. */
function footOf(grid: Grid, at: number, top: number, metrics: Metrics): TextLine[] {
  return grid.heads[at]!.map(({ x, text }, line) => {
    return { x, y: top + (metrics.hasLabels ? (line + 1) * metrics.lineHeight - 4 : 0), text };
  });
}

function metricsFor({ width = 'wide', room }: LayoutOptions): Metrics {
  const metrics = METRICS[width];
  if (room === undefined) return metrics;
  return {
    ...metrics,
    minWidth: width === 'wide' ? room : Math.max(room, metrics.minWidth),
    minMargin: Math.min(metrics.minMargin, LEAST_MARGIN),
    maxMargin: METRICS.wide.maxMargin,
  };
}

/** The characters of the margin where there is little room. */
const LEAST_MARGIN = 24;

function yOfSteps(rows: readonly DrawnRow[]): YOfStep {
  return (step) => {
    if (step === null) return undefined;
    const row = rows.find(({ first, last }) => step + 1 >= first && step + 1 <= last);
    return row && row.top + row.height / 2;
  };
}

function headingOf(source: DiagramSource, { width }: Grid, metrics: Metrics): DrawnHeading[] {
  const { broken, message, subject = '' } = source;
  const room = Math.floor((width - 2 * metrics.edge) / metrics.character);
  const text = broken === undefined ? message : `${broken.severity}[${broken.rule}]: ${message}`;
  const lines = wrapped(text, room).slice(0, MAX_HEADING);
  const more = subject === '' ? [] : wrapped(subject, room).slice(0, MAX_HEADING);
  return [...lines, ...more].map((line, at) => ({
    x: metrics.edge,
    y: metrics.edge + metrics.fontSize + at * metrics.lineHeight,
    text: cut(line, room),
    isSubject: at >= lines.length,
  }));
}

/** The most lines of a heading. */
const MAX_HEADING = 6;

function drawRows(
  source: DiagramSource,
  columns: readonly Column[],
  rows: readonly Row[],
  grid: Grid,
  { top, metrics }: { readonly top: number; readonly metrics: Metrics },
): DrawnRow[] {
  let y = top;
  return rows.map((row): DrawnRow => {
    const drawn =
      row.kind === 'steps'
        ? stepRow(source, columns, row, grid, y, metrics)
        : {
            kind: 'hidden' as const,
            first: row.first + 1,
            last: row.last + 1,
            top: y,
            height: metrics.rowHeight,
            number: { x: grid.numbers, y: middle(y, metrics), text: '⋮' },
            place: null,
            marks: [],
            facts: [hiddenFact(row.text, grid, y, metrics)],
            text: `${stepNumbers(row.first, row.last)}: ${row.text}`,
            isFailing: false,
          };
    y += drawn.height;
    return drawn;
  });
}

/** The characters of `13 more laps`: with less room, it stands across the columns. */
const MIN_HIDDEN = 12;

/** What is hidden, in the margin, where it covers no bars. */
function hiddenFact(text: string, grid: Grid, y: number, metrics: Metrics) {
  const { margin, marginCharacters } = grid;
  const isInMargin = marginCharacters >= MIN_HIDDEN;
  const x = isInMargin ? margin : grid.numbers + 12;
  const across = Math.floor((grid.width - x - metrics.edge) / metrics.character);
  const room = isInMargin ? marginCharacters : across;
  return { x, y: middle(y, metrics), text, shown: cut(text, room), kind: 'step' as const };
}

/** The baseline of the first line of a row. */
function middle(top: number, { rowHeight, fontSize }: Metrics): number {
  return top + rowHeight / 2 + fontSize * 0.35;
}

function stepRow(
  source: DiagramSource,
  columns: readonly Column[],
  row: StepRow,
  grid: Grid,
  top: number,
  metrics: Metrics,
): DrawnRow {
  const { trace, standing, broken, accesses = [] } = source;
  const { first, last } = row;
  const steps = trace.slice(first, last + 1);
  const starves = standing.some(({ state }) => state === 'starves');
  const isLast = broken !== undefined && !starves && last === trace.length - 1;
  const failing = new Set([
    ...(isLast ? [last] : []),
    ...accesses.flatMap(({ step }) => (step === null ? [] : [step - 1])),
  ]);
  const isFailing = steps.some((_, at) => failing.has(first + at));
  const facts = factsOfRow(steps);
  const height = metrics.rowHeight + (facts.length - 1) * metrics.lineHeight;
  const y = top + height / 2;
  const marks = row.marks.map(({ column, steps: own }) => ({
    column,
    x: grid.lifelines[column]!,
    y,
    kind: columns[column]!.kind,
    label: metrics.hasLabels ? labelOf(trace, columns[column]!, own) : '',
    isFailing: own.some((step) => failing.has(step)),
  }));
  const room = (boxes: number): number => grid.marginCharacters - boxes;
  const verb = metrics.hasLabels ? '' : `${steps[0]!.verb} `;
  return {
    kind: 'steps',
    first: first + 1,
    last: last + 1,
    top,
    height,
    number: { x: grid.numbers, y: y + metrics.fontSize * 0.35, text: stepNumbers(first, last) },
    place: { x: grid.places, y: y + metrics.fontSize * 0.35, text: shownPlace(trace, first, grid) },
    marks,
    facts: facts.map((fact, at) => ({
      ...fact,
      x: grid.margin,
      y: middle(top, metrics) + at * metrics.lineHeight,
      shown: shownFact(fact, at === 0 ? verb : '', room(boxesOf(fact.arrivals?.expected ?? 0))),
    })),
    text: steps.map((step, at) => sentenceOf(step, first + at)).join('\n'),
    isFailing,
  };
}

/** Where there is no room for both, which barrier it is matters more than the verb. */
function shownFact({ text, kind }: Fact, verb: string, room: number): string {
  const whole = verb + text;
  if (whole.length <= room) return whole;
  const [name = ''] = text.split(' ');
  const hasName = verb.length + name.length < room;
  return kind === 'step' && hasName ? cut(whole, room) : cutAfterName(text, name, room);
}

/** A barrier keeps its number, however little room there is for its name. */
function cutAfterName(text: string, name: string, room: number): string {
  if (name.length < room) return cut(text, room);
  const index = /\[[^\]]*\]$/.exec(name)?.[0] ?? '';
  return cut(name.slice(0, name.length - index.length), room - index.length) + index;
}

/** The characters that boxes of arrivals need. */
const boxesOf = (boxes: number): number => (boxes === 0 ? 0 : Math.ceil(boxes * 1.5) + 1);

function shownPlace(trace: readonly TraceStep[], step: number, grid: Grid): string {
  return grid.placeCharacters === 0 ? '' : cut(placeOf(trace, step), grid.placeCharacters);
}

function wordsOf(
  { trace, message, broken, standing }: DiagramSource,
  columns: readonly Column[],
): Pick<Drawing, 'title' | 'description'> {
  const what = broken === undefined ? message : `${broken.rule}: ${message}`;
  const names = columns.map(({ name }) => name).join(', ');
  const last = standing.map((one) => `${agentName(one)} ${one.text}.`).join(' ');
  const size = `${counted(trace.length, 'step')} of ${names}`;
  const after = trace.length === 0 ? '' : `After step ${grouped(trace.length)}: `;
  return {
    title: `Space-time diagram. ${what}`,
    description: `${size}. ${after}${last}`,
  };
}
