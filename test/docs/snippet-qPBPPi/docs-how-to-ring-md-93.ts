import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 2, schema: { value: 'i32' } });

async function produce() {
  using producer = ring.producer();
  for (let value = 0; value < 5; value++) {
    const tile = await producer.acquire({ timeoutMs: 1000 });
    tile.data.value = value;
    tile.release();
  }
}

const produced = produce();
const seen: number[] = [];
for await (const tile of ring.consumer()) seen.push(tile.data.value);
await produced;
console.log(seen.join(' '));
