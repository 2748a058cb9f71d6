// Any one next, by a seed: for bugs that neither breadth nor depth comes to in time.
import { Uint32Vector } from '../uint32-vector.ts';
import type { Strategy } from './strategy.ts';

export const random: Strategy = {
  name: 'random',
  isShortestFirst: false,
  makeFrontier: (seed) => {
    const waiting = new Uint32Vector();
    // xorshift32, which must not start from zero.
    let drawn = seed | 0 || 1;
    const draw = (below: number): number => {
      drawn ^= drawn << 13;
      drawn ^= drawn >>> 17;
      drawn ^= drawn << 5;
      return (drawn >>> 0) % below;
    };
    return {
      get size() {
        return waiting.length;
      },
      push: (state) => waiting.push(state),
      pop: () => {
        if (waiting.length === 0) return -1;
        const at = draw(waiting.length);
        const chosen = waiting.at(at);
        const last = waiting.pop();
        if (at < waiting.length) waiting.set(at, last);
        return chosen;
      },
    };
  },
};
