// The states of a run at its cuts, and how answers lead from one to the next.

/** What follows a state and an answer. */
interface Edge {
  /** The next state; {@link END} where the run ends. */
  readonly to: number;
  /** What the warps do on the way. */
  readonly steps: string;
}

/** A state with what follows the answers no and yes. */
interface Node {
  readonly edges: [Edge | null, Edge | null];
}

/** The state of a run that has ended. */
export const END = -1;

/** An answer from a state. */
export interface Way {
  readonly from: number;
  readonly answer: 0 | 1;
}

const ANSWERS = [1, 0] as const;

/** States and the ways between them, as far as they were followed. */
export class Graph {
  readonly #nodes: Node[] = [];
  readonly #byText = new Map<string, number>();

  /** What the run in progress has added: it may be given up. */
  #added: { ways: Way[]; texts: string[] } = { ways: [], texts: [] };

  get size(): number {
    return this.#nodes.length;
  }

  /** A run begins: what the last one added counts only if it was committed. */
  begin(): void {
    for (const { from, answer } of this.#added.ways) this.#nodes[from]!.edges[answer] = null;
    for (const text of this.#added.texts) this.#byText.delete(text);
    this.#nodes.length -= this.#added.texts.length;
    this.commit();
  }

  /** What the run added is kept. */
  commit(): void {
    this.#added = { ways: [], texts: [] };
  }

  /** The number of a state. */
  state(text: string): number {
    let id = this.#byText.get(text);
    if (id === undefined) {
      id = this.#nodes.push({ edges: [null, null] }) - 1;
      this.#byText.set(text, id);
      this.#added.texts.push(text);
    }
    return id;
  }

  /** Adds where a way leads, which is always the same; whether it is what was seen before. */
  follow({ from, answer }: Way, to: number, steps: string): boolean {
    const { edges } = this.#nodes[from]!;
    const known = edges[answer];
    if (known === null) this.#added.ways.push({ from, answer });
    edges[answer] = { to, steps };
    return known === null || (known.to === to && known.steps === steps);
  }

  /** Whether every way was followed. */
  get isClosed(): boolean {
    return this.#nodes.every(({ edges }) => edges[0] !== null && edges[1] !== null);
  }

  /** The answer that leads to a way that was not followed, else to the end, on the shortest way. */
  next(from: number, preferred: 0 | 1): 0 | 1 {
    const open = ANSWERS.filter((answer) => this.#nodes[from]!.edges[answer] === null);
    if (open.length > 0) return open.includes(preferred) ? preferred : open[0]!;
    return this.#toward(from, (id) => id !== END && this.#isOpen(id)) ?? this.#toEnd(from);
  }

  #isOpen(id: number): boolean {
    return this.#nodes[id]!.edges.includes(null);
  }

  #toEnd(from: number): 0 | 1 {
    return this.#toward(from, (id) => id === END) ?? 0;
  }

  /** The answer that is the first step of a shortest way to a state. */
  #toward(from: number, isWanted: (id: number) => boolean): 0 | 1 | null {
    const seen = new Set([from]);
    let front = ANSWERS.map((answer) => ({ first: answer, at: this.#to(from, answer) }));
    while (front.length > 0) {
      const next: typeof front = [];
      for (const { first, at } of front) {
        if (isWanted(at)) return first;
        if (at === END || seen.has(at)) continue;
        seen.add(at);
        for (const answer of ANSWERS)
          if (this.#nodes[at]!.edges[answer] !== null)
            next.push({ first, at: this.#to(at, answer) });
      }
      front = next;
    }
    return null;
  }

  #to(from: number, answer: 0 | 1): number {
    return this.#nodes[from]!.edges[answer]!.to;
  }
}
