// The arrivals that the text of a role has, and those that the role has gone past.
import type { SkipEdge } from '@poundlock/core/internal/base';
import { arrivesOn, kindOf, type TextTarget } from './barrier-calls.ts';
import { flowGraph, placeOfCall, type FlowGraph, type TextPlace } from './flow-graph.ts';
import { skipsOf } from './passes.ts';
import { argumentsOf, type ProgramSyntax } from './program.ts';
import { child, list, within, type Module, type Node } from './syntax.ts';

/** The most branches that are shown of one role, and calls that are followed to a jump. */
const MAX_BRANCHES = 3;
const MAX_CHAIN = 20;

/** An arrival in the text that a role has gone past. */
export interface PassedArrival {
  readonly arrival: TextPlace;
  readonly branches: readonly TextPlace[];
  readonly isLoopEnd: boolean;
  /** Whether it went past it there; else there or at another one of these places. */
  readonly isSure: boolean;
}

/** What calls were seen to arrive at, by their names ({@link keyOfTarget}). */
export type SeenCalls = ReadonlyMap<string, ReadonlySet<string>>;

/** The calls that a role has made since some moment, as their names. */
export interface PastCalls {
  readonly calls: readonly string[];
  /** The one that comes next; `null`: it has ended. */
  readonly next: string | null;
  /** Whether the first of them is an arrival, and not the first of the role. */
  readonly isSuffix: boolean;
  /** Whether it is one of several strands of its role, which need not make all calls. */
  readonly isStrand: boolean;
}

/** The name of a call: its place. */
export function nameOfPlace({ file, line, column }: TextPlace): string {
  return `${pathOf(file)}:${line}:${column}`;
}

/** A file or its URL, as a path with slashes. */
function pathOf(file: string): string {
  const path = file.startsWith('file:') ? decodeURIComponent(new URL(file).pathname) : file;
  return path.replaceAll('\\', '/').replace(/^\/(?=[A-Za-z]:)/, '');
}

/** The text of one role. */
export class RoleText {
  readonly #program: ProgramSyntax;
  readonly #graph: FlowGraph;
  /** By name: the places in the flow where a call is made. */
  readonly #nodesOf: ReadonlyMap<string, readonly number[]>;

  private constructor(program: ProgramSyntax, graph: FlowGraph) {
    this.#program = program;
    this.#graph = graph;
    const nodes = Map.groupBy(graph.calls, ([, { place }]) => nameOfPlace(place));
    this.#nodesOf = new Map([...nodes].map(([name, all]) => [name, all.map(([node]) => node)]));
  }

  /** The text of the role that is declared at a place; `null` where it is not understood. */
  static of(program: ProgramSyntax, declared: TextPlace): RoleText | null {
    const name = nameOfPlace(declared);
    for (const module of program.modules) {
      if (pathOf(module.file) !== pathOf(declared.file)) continue;
      for (const node of within(module.program)) {
        if (node.type !== 'CallExpression') continue;
        if (nameOfPlace(placeOfCall(module, node)) !== name) continue;
        const body = bodyIn(program, module, node);
        const graph = body === null ? null : flowGraph(program, ...body);
        return graph === null ? null : new RoleText(program, graph);
      }
    }
    return null;
  }

  /** Whether the text has a call that arrives on a barrier; `null` where that is not known. */
  has(target: TextTarget, seen: SeenCalls): boolean | null {
    if (this.#wanted(target, seen).size > 0) return true;
    const isOpen = [...this.#graph.calls.values()].some(({ module, node, place }) => {
      if (seen.has(nameOfPlace(place))) return false;
      return arrivesOn(this.#program, module, node, target) === null;
    });
    return isOpen ? null : false;
  }

  /** The arrivals on a barrier that a role has gone past. */
  passed(target: TextTarget, seen: SeenCalls, past: PastCalls): PassedArrival[] {
    const wanted = this.#wanted(target, seen);
    if (wanted.size === 0) return [];
    const calls = past.calls.filter((name) => this.#nodesOf.has(name));
    const names = new Set(calls);
    const isCounted = (node: number): boolean =>
      (names.has(this.#nameOf(node)) || wanted.has(node)) &&
      (!past.isStrand || this.#isOfAll(node));
    const isOne = (node: number): boolean => this.#isOperation(node);
    const trace = { ...past, calls, nodesOf: this.#nodesOf, isSure: isCounted, isOne };
    const { decided, ends } = skipsOf(this.#graph, wanted, trace);
    const shown = decided.length > 0 ? decided.toReversed() : ends.slice(-1);
    const all = shown.flatMap((edges) => {
      const isSure = new Set(edges.map(({ from }) => from)).size === 1;
      return edges.flatMap((edge) => this.#passedBy(edge, wanted, isSure) ?? []);
    });
    const byBranch = Map.groupBy(all, ({ branches }) => branches.map(nameOfPlace).join(' '));
    return [...byBranch.values()]
      .map((same) => same.find(({ isSure: sure }) => sure) ?? same[0]!)
      .slice(0, MAX_BRANCHES);
  }

  #isOperation(at: number): boolean {
    const { module, node } = this.#graph.calls.get(at)!;
    return kindOf(this.#program, module, node) !== null;
  }

  #nameOf(node: number): string {
    const call = this.#graph.calls.get(node);
    return call === undefined ? '' : nameOfPlace(call.place);
  }

  /** The calls that arrive on a barrier, or on another one of its array. */
  #wanted(target: TextTarget, seen: SeenCalls): Set<number> {
    const array = keyOfTarget(target);
    const found = new Set<number>();
    for (const [at, { module, node, place }] of this.#graph.calls) {
      const isSeen = seen.get(nameOfPlace(place))?.has(array) === true;
      if (isSeen || arrivesOn(this.#program, module, node, target) === true) found.add(at);
    }
    return found;
  }

  /** Whether all strands of a role make a call: nothing says that some do not. */
  #isOfAll(node: number): boolean {
    const options = argumentsOf(this.#graph.calls.get(node)!.node).slice(1);
    return options.every((one) => {
      if (one.type !== 'ObjectExpression') return one.type === 'Literal';
      return list(one, 'properties').every((property) => {
        return property.type === 'Property' && child(property, 'key')?.['name'] !== 'by';
      });
    });
  }

  #passedBy(
    { from, to, isLoopEnd }: SkipEdge,
    wanted: ReadonlySet<number>,
    isSure: boolean,
  ): PassedArrival | null {
    const { calls, decisions } = this.#graph;
    const decision = decisions.get(from);
    const arrival = this.#nearest(from, wanted);
    if (decision === undefined || arrival < 0) return null;
    const jump = isLoopEnd ? null : this.#jumpAt(to);
    const isApart = jump !== null && jump.line !== decision.line;
    const branches = isApart ? [decision, jump] : [decision];
    return { arrival: calls.get(arrival)!.place, branches, isLoopEnd, isSure };
  }

  #nearest(from: number, wanted: ReadonlySet<number>): number {
    const open = [from];
    const seen = new Set(open);
    for (const node of open) {
      if (wanted.has(node)) return node;
      for (const to of this.#graph.successors[node]!) if (!seen.has(to)) open.push(to);
      for (const to of this.#graph.successors[node]!) seen.add(to);
    }
    return -1;
  }

  /** The jump at the end of what is executed only behind an edge. */
  #jumpAt(to: number): TextPlace | null {
    const { successors, jumps } = this.#graph;
    let node = to;
    for (let count = 0; count < MAX_CHAIN; count++) {
      const isOnlyWay = successors.filter((next) => next.includes(node)).length === 1;
      if (!isOnlyWay || successors[node]!.length !== 1) return null;
      const jump = jumps.get(node);
      if (jump !== undefined) return jump;
      node = successors[node]![0]!;
    }
    return null;
  }
}

/** What barriers of an array have in common: `ab.empty` of `ab.empty[0]`. */
export function keyOfTarget(target: TextTarget): string {
  return 'id' in target ? `named barrier ${target.id}` : target.name.replace(/\[\d+\]$/, '');
}

/** The function that a declaration of a role names last. */
function bodyIn(program: ProgramSyntax, module: Module, call: Node): [Module, Node] | null {
  const body = argumentsOf(call)
    .map((one) => program.functionOf(module, one))
    .findLast((one) => one !== null);
  return body === undefined || body === null ? null : [program.moduleOf(body) ?? module, body];
}
