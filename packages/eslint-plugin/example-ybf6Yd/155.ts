import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 4, schema: { value: 'i32' } });
const producer = ring.producer();
const batch = producer.acquireBatchSync(2);
for (const stage of batch) stage.data.value = stage.index;
batch.release();
console.log(ring.items().produced); // 2