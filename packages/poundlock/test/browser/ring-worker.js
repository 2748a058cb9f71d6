// A worker of the browser test: squares what comes through one ring, into another.
// No import map reaches a worker.
import { attachRing } from './ring/dist/ring/src/public.js';

onmessage = ({ data }) => {
  const numbers = attachRing(data.numbers).consumer();
  const squares = attachRing(data.squares).producer();
  for (const tile of numbers) {
    const square = squares.acquireSync();
    square.data.value = tile.data.value ** 2;
    square.release();
    if (tile.data.value === data.failAt) throw new Error('a broken number');
  }
  squares.close();
};
