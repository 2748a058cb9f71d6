import { attachRing, createRing } from 'poundlock/ring';

const ring = createRing({ stages: 8, schema: { id: 'i32', samples: ['f32', 256] } });
// In the thread that gets it as `workerData`:
const attached = attachRing(ring.transfer('reader'));
using producer = attached.producer();
const stage = producer.acquireSync();
stage.data.id = 7;
stage.data.samples.fill(1);
stage.release();
producer.end();
console.log(ring.items().produced); // 1