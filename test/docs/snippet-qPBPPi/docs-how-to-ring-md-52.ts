import { createRing, RingPoisoned } from 'poundlock/ring';

const ring = createRing({ stages: 2, bytes: 64 });
const consumer = ring.consumer();
try {
  using tile = ring.producer('maker').acquireSync();
  tile.fill(1);
  throw new Error('half-way');
  // tile.release() was never reached
} catch {
  try {
    consumer.acquireSync();
  } catch (error) {
    if (error instanceof RingPoisoned) console.log(error.message, error.items);
  }
}
