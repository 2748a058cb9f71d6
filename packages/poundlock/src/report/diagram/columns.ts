// The columns of a diagram: a role or a unit each, or several roles that make the same steps.
import type { Standing, TraceStep } from '@poundlock/core/internal/finding';
import { agentName } from '../lanes.ts';
import type { DiagramSource } from './source.ts';

/** One column. */
export interface Column {
  /** The name of its agent, or of all of them. */
  readonly name: string;
  readonly kind: 'role' | 'unit';
  /** The names of its agents as `agentName` writes them. */
  readonly members: readonly string[];
}

/** From this number of columns on, two roles with the same steps share one. */
const CROWDED = 8;
/** From this number on, roles that are equally far but for some steps share one, too. */
const OVERCROWDED = 12;
/** From this number of equal roles on, they share a column in any diagram. */
const MANY_EQUAL = 3;
/** Up to this number, the roles that a finding names keep columns of their own. */
const FEW_CITED = 4;

interface Agent {
  readonly name: string;
  readonly kind: 'role' | 'unit';
  /** What it does, step by step, without its name and without numbers. */
  readonly list: readonly string[];
  readonly standing: string;
  readonly state: string;
}

/** The columns, in the order of their first steps; roles that never move come last. */
export function columnsOf({ trace, standing, cited }: DiagramSource): Column[] {
  const agents = agentsOf(trace, standing);
  const isOwn = ({ name, kind }: Agent): boolean =>
    kind === 'unit' || (cited.length <= FEW_CITED && cited.includes(name));
  const equal = grouped(agents, ({ list, standing }) => [...list, standing].join('\n'), isOwn);
  const folded = equal.flatMap((group) => {
    return group.length >= MANY_EQUAL || agents.length > CROWDED ? [group] : group.map((a) => [a]);
  });
  return (folded.length > OVERCROWDED ? withPrefixes(folded, isOwn) : folded).map(columnOf);
}

function agentsOf(trace: readonly TraceStep[], standing: readonly Standing[]): Agent[] {
  const steps = Map.groupBy(trace, agentName);
  const standings = Map.groupBy(standing, agentName);
  const issued = trace.flatMap(({ issues = [] }) => issues.map(({ unit }) => `(${unit})`));
  const names = new Set([...steps.keys(), ...standings.keys(), ...issued]);
  const order = orderOf(trace);
  const sorted = [...names].toSorted(
    (a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity),
  );
  return sorted.map((name) => {
    const own = steps.get(name) ?? [];
    const [last] = standings.get(name) ?? [];
    const kind = own[0]?.kind ?? last?.kind ?? 'unit';
    const list = own.map((step) => signatureOf(step));
    const text = last === undefined ? '' : withoutNames(last.text, last.agent);
    return { name, kind, list, standing: text, state: last?.state ?? '' };
  });
}

/** By agent: its first step, or for a unit the first one that issues work to it. */
function orderOf(trace: readonly TraceStep[]): Map<string, number> {
  const order = new Map<string, number>();
  const add = (name: string, at: number) => void (order.has(name) || order.set(name, at));
  for (const [at, step] of trace.entries()) {
    add(agentName(step), at);
    for (const { unit } of step.issues ?? []) add(`(${unit})`, at + 0.5);
  }
  return order;
}

/** What a step does, where, and not by which of several equal roles. */
export function signatureOf(step: TraceStep): string {
  const { verb, text, agent, file = '', line = 0, column = 0 } = step;
  return `${verb} ${withoutNames(text, agent)} ${file}:${line}:${column}`;
}

function withoutNames(text: string, agent: string): string {
  return text.replaceAll(agent, '·').replaceAll(/\d+/g, '#');
}

function grouped(
  agents: readonly Agent[],
  keyOf: (agent: Agent) => string,
  isOwn: (agent: Agent) => boolean,
): Agent[][] {
  const groups = Map.groupBy(agents, (agent) => (isOwn(agent) ? agent : keyOf(agent)));
  return [...groups.values()];
}

/** Joins groups of which one has made the first steps of the other. */
function withPrefixes(
  groups: readonly (readonly Agent[])[],
  isOwn: (agent: Agent) => boolean,
): (readonly Agent[])[] {
  const joined: Agent[][] = [];
  const byLength = groups.toSorted((a, b) => b[0]!.list.length - a[0]!.list.length);
  for (const group of byLength) {
    const [first] = group;
    const longer = joined.find(([one]) => !isOwn(first!) && !isOwn(one!) && isPrefix(first!, one!));
    if (longer === undefined) joined.push([...group]);
    else longer.push(...group);
  }
  const order = groups.map(([first]) => first!);
  return joined.toSorted((a, b) => order.indexOf(a[0]!) - order.indexOf(b[0]!));
}

function isPrefix({ list, state }: Agent, longer: Agent): boolean {
  return state === longer.state && list.every((step, at) => step === longer.list[at]);
}

function columnOf(agents: readonly Agent[]): Column {
  const members = agents.map(({ name }) => name);
  return { name: nameOf(members), kind: agents[0]!.kind, members };
}

/** The name of a column: that of a series, else the first and how many more. */
export function nameOf(members: readonly string[]): string {
  return seriesName(members) ?? `${members[0]} +${members.length - 1}`;
}

/** `warp1–3`, where the names differ in their last number alone; `null` for others. */
export function seriesName(members: readonly string[]): string | null {
  const [first] = members;
  if (members.length === 1) return first!;
  const parts = members.map((name) => /^(.*?)(\d+)(\D*)$/.exec(name));
  const [head] = parts;
  const isSeries = parts.every((part, at) => {
    if (part === null || part[1] !== head![1] || part[3] !== head![3]) return false;
    return Number(part[2]) === Number(head![2]) + at;
  });
  if (!isSeries) return null;
  return `${head![1]}${head![2]}–${parts.at(-1)![2]}${head![3]}`;
}
