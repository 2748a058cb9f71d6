// Newest first: goes deep at once, for bugs that are far from the start.
import { GrowingList } from '../uint32-vector.ts';
import type { Strategy } from './strategy.ts';

export const dfs: Strategy = {
  name: 'dfs',
  isShortestFirst: false,
  makeFrontier: () => {
    const stack = new GrowingList();
    return {
      get size() {
        return stack.length;
      },
      push: (state) => stack.push(state),
      pop: () => (stack.length > 0 ? stack.pop() : -1),
    };
  },
};
