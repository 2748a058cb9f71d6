// The spans of a diagram: who holds which stage for how long, and asynchronous work.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { agentName } from '../lanes.ts';
import type { Column } from './columns.ts';

/** A span between two steps in one column. */
export interface Span {
  readonly column: number;
  readonly kind: 'stage' | 'work';
  /** The index of the first step, and of the last one; `null` where it is open at the end. */
  readonly from: number;
  readonly to: number | null;
  /** The stage or buffer; empty where it is unknown. */
  readonly slot: string;
  /** What it is, in words. */
  readonly text: string;
  /** For work: the column of the role that issued it. */
  readonly issuer: number;
}

/** All spans of a schedule, in the order of their starts. */
export function spansOf(trace: readonly TraceStep[], columns: readonly Column[]): Span[] {
  const columnOf = new Map(
    columns.flatMap(({ members }, at) => members.map((name) => [name, at] as const)),
  );
  const all = [...ownerSpans(trace, columnOf), ...workSpans(trace, columnOf)];
  return all.toSorted((one, other) => one.from - other.from);
}

/** Names of what a role can hold: stages of rings. */
export function stagesOf(trace: readonly TraceStep[]): string[] {
  const slots = trace.flatMap((step) => step.slots);
  const held = slots.filter(({ owners, data }) => owners.length > 0 || data !== undefined);
  return [...new Set(held.map(({ name }) => name))].toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
}

type ColumnOf = ReadonlyMap<string, number>;

function ownerSpans(trace: readonly TraceStep[], columnOf: ColumnOf): Span[] {
  const spans: Span[] = [];
  const open = new Map<string, ReadonlyMap<string, number>>();
  const close = (slot: string, owner: string, from: number, to: number | null): void => {
    const column = columnOf.get(owner);
    if (column === undefined) return;
    const text = `${owner} holds ${slot}`;
    spans.push({ column, kind: 'stage', from, to, slot, text, issuer: column });
  };
  for (const [at, { slots }] of trace.entries()) {
    for (const { name, owners } of slots) {
      const before = open.get(name) ?? new Map<string, number>();
      const after = new Map(owners.map((owner) => [owner, before.get(owner) ?? at]));
      for (const [owner, from] of before) if (!after.has(owner)) close(name, owner, from, at);
      open.set(name, after);
    }
  }
  for (const [slot, owners] of open) {
    for (const [owner, from] of owners) close(slot, owner, from, null);
  }
  return spans;
}

function workSpans(trace: readonly TraceStep[], columnOf: ColumnOf): Span[] {
  const stages = new Set(stagesOf(trace));
  return trace.flatMap((step, from) =>
    (step.issues ?? []).flatMap(({ unit, until }): Span[] => {
      const column = columnOf.get(`(${unit})`);
      const issuer = columnOf.get(agentName(step));
      if (column === undefined || issuer === undefined) return [];
      const slot = step.slots.find(({ name, flights }) => flights.length > 0 && stages.has(name));
      const to = until === undefined ? null : until - 1;
      const text = `${step.agent}: ${step.text}`;
      return [{ column, kind: 'work', from, to, slot: slot?.name ?? '', text, issuer }];
    }),
  );
}

/** A place beside the lifeline for each span: those that overlap are side by side. */
export function tracksOf(spans: readonly Span[], most: number): number[] {
  const busy = new Map<number, number[]>();
  return spans.map(({ column, from, to }) => {
    const ends = busy.get(column) ?? [];
    busy.set(column, ends);
    const free = ends.findIndex((end) => end <= from);
    const track = free >= 0 ? free : Math.min(ends.length, most - 1);
    ends[track] = Math.max(ends[track] ?? 0, to ?? Infinity);
    return track;
  });
}
