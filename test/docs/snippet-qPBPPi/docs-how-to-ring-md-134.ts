import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 8, schema: { value: 'i32' } });
const producer = ring.producer();
const batch = producer.acquireBatchSync(6);
for (const [value, tile] of [...batch].entries()) tile.data.value = value;
batch.release();
producer.close();

const consumer = ring.consumer();
let [items, batches] = [0, 0];
for (let tiles; (tiles = consumer.acquireBatchSync(4)) !== undefined; tiles.release()) {
  items += tiles.length; // the last one is short
  batches++;
}
console.log(`${items} items in ${batches} batches`);
