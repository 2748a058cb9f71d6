// A worker of the browser test: squares what comes through one ring, into another.
// No import map reaches a worker.
import { attachRing } from './ring/lib/public.js';

/** Opens an endpoint, says so, and ends when it is told to. */
async function die({ squares, how }) {
  const ring = attachRing(squares);
  if (how !== 'block at once') await ring.watched();
  const producer = ring.producer();
  postMessage('open');
  if (how.startsWith('block')) {
    producer.acquireSync();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  onmessage = () => {
    if (how === 'close') close();
    if (how === 'throw') throw new Error('a broken number');
  };
}

onmessage = ({ data }) => {
  if (data.how !== undefined) return die(data);
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
