// Breadth first: the first counterexample is a shortest one.
import type { Strategy } from './strategy.ts';

export const bfs: Strategy = {
  name: 'bfs',
  isShortestFirst: true,
  makeFrontier: () => {
    // States are numbered as they are found, so that two numbers are the whole queue.
    let [first, end] = [0, 0];
    return {
      get size() {
        return end - first;
      },
      push: (state) => {
        end = state + 1;
      },
      pop: () => (first < end ? first++ : -1),
    };
  },
};
