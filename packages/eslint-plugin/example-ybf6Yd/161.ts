import { createRing, RingPoisoned } from 'poundlock/ring';

const ring = createRing({ stages: 2, bytes: 64 });
const consumer = ring.consumer();
ring.poison('the file ended early', 'reader');
try {
  consumer.acquireSync();
} catch (error) {
  console.log(error instanceof RingPoisoned && error.role); // reader
}