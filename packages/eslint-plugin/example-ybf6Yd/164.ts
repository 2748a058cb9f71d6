import { createRing } from 'poundlock/ring';

const producer = createRing({ stages: 1, bytes: 64 }).producer();
producer.acquireSync().release();
try {
  producer.acquireSync({ timeoutMs: 1 });
} catch (error) {
  console.log((error as Error).name); // RingTimeout
}