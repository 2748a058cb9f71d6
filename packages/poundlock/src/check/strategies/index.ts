// The orders in which a search without reduction expands states: a new one is a file and a line.
import { bfs } from './bfs.ts';
import { dfs } from './dfs.ts';
import { random } from './random.ts';
import type { Strategy } from './strategy.ts';

/** The search strategies by name: breadth-first, depth-first, and random order. */
export const STRATEGIES = { bfs, dfs, random } as const satisfies Record<string, Strategy>;

/** The name of a search strategy. */
export type StrategyName = keyof typeof STRATEGIES;
export type { Frontier, Strategy } from './strategy.ts';
