// Edges of a graph of control flow that leave something out: it can be reached before them in the
// same round of the loops around it, and not after them.

/** An edge by which something is left out. */
export interface SkipEdge {
  readonly from: number;
  readonly to: number;
  /** Whether it is the end of a loop, in each round of which it can be reached. */
  readonly isLoopEnd: boolean;
}

type Graph = readonly (readonly number[])[];

/** The edges of a graph, with an entry, that leave out all of the wanted nodes. */
export function skipEdges(
  graph: Graph,
  entry: number,
  isWanted: (node: number) => boolean,
): SkipEdge[] {
  const { rounds, loops } = withoutRounds(graph, entry, isWanted);
  const inRound = reaching(rounds, isWanted);
  const ever = reaching(graph, isWanted);
  return graph.flatMap((successors, from) => {
    if (isWanted(from) || ever[from] === 0) return [];
    return [...new Set(successors)].flatMap((to): SkipEdge[] => {
      const isNext = rounds[from]!.includes(to);
      if (isNext ? inRound[to] === 1 : inRound[from] === 0) return [];
      if (inRound[from] === 0 && ever[to] === 1) return [];
      const isHead = loops.some(({ heads, nodes }) => heads.has(from) && !nodes.has(to));
      return [{ from, to, isLoopEnd: isHead || inRound[from] === 0 }];
    });
  });
}

/** A loop, and where a round of it begins with its condition; none if the condition ends it. */
interface Loop {
  readonly nodes: ReadonlySet<number>;
  readonly heads: ReadonlySet<number>;
}

/** The graph without the edges that begin another round of a loop with a wanted node in it. */
function withoutRounds(graph: Graph, entry: number, isWanted: (node: number) => boolean) {
  let rounds = graph;
  const loops: Loop[] = [];
  for (;;) {
    const found = loopsOf(rounds).filter((nodes) => [...nodes].some(isWanted));
    if (found.length === 0) return { rounds, loops };
    const cut = rounds.map((): number[] => []);
    for (const nodes of found) {
      const entries = headsOf(rounds, nodes, entry);
      const isEnding = [...nodes].some((node) => {
        const after = rounds[node]!;
        return after.some((to) => entries.includes(to)) && after.some((to) => !nodes.has(to));
      });
      const heads = isEnding ? [] : entries.flatMap((head) => [...straightFrom(graph, head)]);
      loops.push({ nodes, heads: new Set(heads) });
      for (const node of nodes)
        cut[node]!.push(...rounds[node]!.filter((to) => entries.includes(to)));
    }
    rounds = rounds.map((successors, node) => successors.filter((to) => !cut[node]!.includes(to)));
  }
}

/** Where a loop is entered. */
function headsOf(graph: Graph, loop: ReadonlySet<number>, entry: number): number[] {
  const heads = new Set<number>(loop.has(entry) ? [entry] : []);
  for (const [node, successors] of graph.entries())
    if (!loop.has(node)) for (const to of successors) if (loop.has(to)) heads.add(to);
  return heads.size > 0 ? [...heads] : [...loop].slice(0, 1);
}

/** A node and those that follow it, up to the first with several successors: a loop's condition. */
function straightFrom(graph: Graph, head: number): Set<number> {
  const found = new Set([head]);
  for (const node of found) {
    const [next] = graph[node]!;
    if (graph[node]!.length === 1) found.add(next!);
  }
  return found;
}

/** 1 for each node from which a wanted one can be reached, or that is one. */
function reaching(graph: Graph, isWanted: (node: number) => boolean): Uint8Array {
  const before: number[][] = graph.map(() => []);
  for (const [node, successors] of graph.entries())
    for (const to of successors) before[to]!.push(node);
  const found = new Uint8Array(graph.length);
  const open = graph.flatMap((_, node) => (isWanted(node) ? [node] : []));
  for (const node of open) found[node] = 1;
  for (const node of open)
    for (const from of before[node]!) {
      if (found[from] === 1) continue;
      found[from] = 1;
      open.push(from);
    }
  return found;
}

/** Strongly connected parts of a graph that are loops. The algorithm is Tarjan's. */
function loopsOf(graph: Graph): Set<number>[] {
  const loops: Set<number>[] = [];
  const index = new Int32Array(graph.length).fill(-1);
  const low = new Int32Array(graph.length);
  const isOpen = new Uint8Array(graph.length);
  const members: number[] = [];
  let count = 0;
  for (let root = 0; root < graph.length; root++) {
    if (index[root]! >= 0) continue;
    const path: { readonly node: number; next: number }[] = [];
    const enter = (node: number): void => {
      index[node] = low[node] = count++;
      isOpen[node] = 1;
      members.push(node);
      path.push({ node, next: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = graph[top.node]![top.next++];
      if (to === undefined) {
        path.pop();
        const { node } = top;
        const above = path.at(-1);
        if (above !== undefined) low[above.node] = Math.min(low[above.node]!, low[node]!);
        if (low[node] !== index[node]) continue;
        const part = members.splice(members.lastIndexOf(node));
        for (const one of part) isOpen[one] = 0;
        if (part.length > 1 || graph[node]!.includes(node)) loops.push(new Set(part));
      } else if (index[to]! < 0) enter(to);
      else if (isOpen[to] === 1) low[top.node] = Math.min(low[top.node]!, index[to]!);
    }
  }
  return loops;
}
