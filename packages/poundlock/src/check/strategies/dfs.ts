// Newest first: goes deep at once, for bugs that are far from the start.
import { Uint32Vector } from '../uint32-vector.ts';
import type { Strategy } from './strategy.ts';

export const dfs: Strategy = {
  name: 'dfs',
  isShortestFirst: false,
  makeFrontier: () => {
    const stack = new Uint32Vector();
    return {
      get size() {
        return stack.length;
      },
      push: (state) => stack.push(state),
      pop: () => (stack.length > 0 ? stack.pop() : -1),
    };
  },
};
