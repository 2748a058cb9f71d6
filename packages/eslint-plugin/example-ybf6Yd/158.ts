import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 2, schema: { value: 'i32' } });
using consumer = ring.consumer();
{
  using producer = ring.producer();
  const stage = producer.acquireSync();
  stage.data.value = 42;
  stage.release();
  producer.end();
}
for (const stage of consumer) console.log(stage.data.value); // 42