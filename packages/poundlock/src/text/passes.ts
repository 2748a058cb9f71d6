// The ways that a role may have gone through its text: those on which it makes the calls that it
// made, in their order. What all of them leave out, the role has left out.
import { skipEdges, type SkipEdge } from '@poundlock/core/internal/base';
import type { FlowGraph } from './flow-graph.ts';

/** The most pairs of a place in the text and a number of calls made (bound `passes`). */
const MAX_PAIRS = 4_000_000;

/** The calls that a role has made. */
export interface Trace {
  /** Their nodes, by the names of the calls: several where a function is called twice. */
  readonly nodesOf: ReadonlyMap<string, readonly number[]>;
  readonly calls: readonly string[];
  /** The call that it is about to make, wherever that is; `null`: it has ended. */
  readonly next: string | null;
  /** The call that the trace begins with, or `false` where it begins with the text. */
  readonly isSuffix: boolean;
  /** Calls that are always made where they are passed. */
  readonly isSure: (node: number) => boolean;
  /** Calls that are one operation each. */
  readonly isOne: (node: number) => boolean;
}

/** Between one call and the next, edges one of which the role has taken: the latest last. */
export type Skips = readonly (readonly SkipEdge[])[];

/** Where a role has left out all wanted nodes of a graph: by a branch, or as loops end. */
export function skipsOf(
  graph: FlowGraph,
  wanted: ReadonlySet<number>,
  trace: Trace,
): { readonly decided: Skips; readonly ends: Skips } {
  const edges = skipEdges(graph.successors, graph.entry, (node) => wanted.has(node));
  const passes = Passes.of(graph, trace);
  const taken = (isEnd: boolean): Skips =>
    passes?.taken(edges.filter(({ isLoopEnd }) => isLoopEnd === isEnd)) ?? [];
  return { decided: taken(false), ends: taken(true) };
}

/** Pairs of a node and how many calls were made before it, on some way through a text. */
class Passes {
  readonly #graph: FlowGraph;
  readonly #trace: Trace;
  readonly #names: (string | undefined)[];
  /** By pair: 1 for those that a way leads to, 2 for those of whole ways. */
  readonly #marks: Uint8Array;

  private constructor(graph: FlowGraph, trace: Trace) {
    this.#graph = graph;
    this.#trace = trace;
    this.#names = graph.successors.map(() => undefined);
    for (const [name, nodes] of trace.nodesOf) for (const node of nodes) this.#names[node] = name;
    this.#marks = new Uint8Array(graph.successors.length * (trace.calls.length + 1));
  }

  /** `null` where there are too many, or the text has no such way. */
  static of(graph: FlowGraph, trace: Trace): Passes | null {
    if (graph.successors.length * (trace.calls.length + 1) > MAX_PAIRS) return null;
    const passes = new Passes(graph, trace);
    return passes.#find() ? passes : null;
  }

  #pair(node: number, count: number): number {
    return count * this.#graph.successors.length + node;
  }

  /** What may follow a pair. */
  #after(node: number, count: number): [node: number, count: number][] {
    const { calls, isSure, isOne } = this.#trace;
    const name = this.#names[node];
    const next = this.#graph.successors[node]!;
    const found: [number, number][] = [];
    const isCall = this.#graph.calls.has(node);
    if (name !== undefined && calls[count] === name) {
      for (const to of next) found.push([to, count + 1]);
      if (calls[count + 1] === name && !isOne(node)) found.push([node, count + 1]);
    }
    if (!isCall || !isSure(node)) for (const to of next) found.push([to, count]);
    return found;
  }

  #isLast(node: number, count: number): boolean {
    const { calls, next } = this.#trace;
    if (count < calls.length) return false;
    if (next === null) return node === this.#graph.exit;
    return this.#names[node] === next || !this.#trace.nodesOf.has(next);
  }

  #starts(): [node: number, count: number][] {
    const { isSuffix, calls, nodesOf } = this.#trace;
    if (!isSuffix) return [[this.#graph.entry, 0]];
    return (nodesOf.get(calls[0]!) ?? []).map((node) => [node, 0]);
  }

  /** Marks the pairs of all whole ways; whether there is one. */
  #find(): boolean {
    const { length } = this.#graph.successors;
    const before = new Map<number, number[]>();
    const open = this.#starts();
    for (const [node, count] of open) this.#marks[this.#pair(node, count)] = 1;
    const ends: number[] = [];
    for (const [node, count] of open) {
      const pair = this.#pair(node, count);
      if (this.#isLast(node, count)) ends.push(pair);
      for (const [to, then] of this.#after(node, count)) {
        const next = this.#pair(to, then);
        const known = before.get(next);
        if (known === undefined) before.set(next, [pair]);
        else known.push(pair);
        if (this.#marks[next] !== 0) continue;
        this.#marks[next] = 1;
        open.push([to, then]);
      }
    }
    for (const pair of ends) this.#marks[pair] = 2;
    for (const pair of ends)
      for (const from of before.get(pair) ?? []) {
        if (this.#marks[from] === 2) continue;
        this.#marks[from] = 2;
        ends.push(from);
      }
    return ends.length > 0 && length > 0;
  }

  #isOnWay(node: number, count: number): boolean {
    return this.#marks[this.#pair(node, count)] === 2;
  }

  /** The edges that were taken, between one call and the next: each way has one of them. */
  taken(edges: readonly SkipEdge[]): Skips {
    const found: SkipEdge[][] = [];
    const isEdge = new Set(edges.map(({ from, to }) => `${from} ${to}`));
    for (let count = 0; count <= this.#trace.calls.length; count++) {
      const some = edges.filter(({ from, to }) => this.#goes(from, to, count));
      if (some.length > 0 && !this.#hasOtherWay(count, isEdge)) found.push(some);
    }
    return found;
  }

  /** Whether a way goes along an edge after so many calls. */
  #goes(from: number, to: number, count: number): boolean {
    if (!this.#isOnWay(from, count)) return false;
    return this.#after(from, count).some(([node, then]) => {
      return node === to && this.#isOnWay(node, then);
    });
  }

  /** Whether a way leads from one call to the next without these edges. */
  #hasOtherWay(count: number, isEdge: ReadonlySet<string>): boolean {
    const { length } = this.#graph.successors;
    const entries = count === 0 ? this.#starts().map(([node]) => node) : this.#behind(count - 1);
    const open = [...new Set(entries)].filter((node) => this.#isOnWay(node, count));
    const seen = new Uint8Array(length);
    for (const node of open) seen[node] = 1;
    for (const node of open) {
      if (this.#isLast(node, count)) return true;
      for (const [to, then] of this.#after(node, count)) {
        if (isEdge.has(`${node} ${to}`) || !this.#isOnWay(to, then)) continue;
        if (then > count) return true;
        if (seen[to] === 1) continue;
        seen[to] = 1;
        open.push(to);
      }
    }
    return false;
  }

  /** The nodes behind a call. */
  #behind(count: number): number[] {
    const name = this.#trace.calls[count]!;
    const nodes = this.#trace.nodesOf.get(name) ?? [];
    return nodes.flatMap((node) => {
      if (!this.#isOnWay(node, count)) return [];
      return this.#after(node, count).flatMap(([to, then]) => (then === count + 1 ? [to] : []));
    });
  }
}
