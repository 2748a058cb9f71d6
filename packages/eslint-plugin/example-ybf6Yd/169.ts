import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 2, schema: { id: 'i32', samples: ['f32', 4] } });
const stage = ring.producer().acquireSync();
stage.data.id = 1;
stage.data.samples.set([1, 2, 3, 4]);
stage.release();
console.log(ring.consumer().acquireSync()?.data.samples[3]); // 4