import { createRing, RingTimeout } from 'poundlock/ring';

const consumer = createRing({ stages: 2, bytes: 64 }).consumer();
try {
  consumer.acquireSync({ timeoutMs: 1 });
} catch (error) {
  console.log(error instanceof RingTimeout); // true
}