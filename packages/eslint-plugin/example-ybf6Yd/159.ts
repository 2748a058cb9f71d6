import { createRing, RingClosed } from 'poundlock/ring';

const ring = createRing({ stages: 1, bytes: 64 });
const producer = ring.producer();
ring.consumer().close();
producer.acquireSync().release();
try {
  producer.acquireSync();
} catch (error) {
  console.log(error instanceof RingClosed); // true
}