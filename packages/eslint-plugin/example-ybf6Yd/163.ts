import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 2, bytes: 64 });
using producer = ring.producer();
const stage = producer.acquireSync();
stage.fill(0);
stage.release();
producer.end();
console.log(ring.items().produced); // 1