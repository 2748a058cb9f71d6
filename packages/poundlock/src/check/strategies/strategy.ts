// What a strategy is: the order in which states that were found are expanded.

/** States that wait to be expanded, by number. A state is pushed once, right after it was found. */
export interface Frontier {
  readonly size: number;
  push(state: number): void;
  /** The state to expand next; −1 when none is left. */
  pop(): number;
}

/** A search strategy: the order in which states are expanded. */
export interface Strategy {
  /** Its name. */
  readonly name: string;
  /** Whether states are expanded by their distance from the initial one. */
  readonly isShortestFirst: boolean;
  /** An empty frontier; equal seeds draw the same order. */
  readonly makeFrontier: (seed: number) => Frontier;
}
