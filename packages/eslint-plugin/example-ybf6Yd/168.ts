import { createRing, RelayScope } from 'poundlock/ring';

const [numbers, squares] = [1, 2].map(() => createRing({ stages: 4, schema: { value: 'f64' } }));
const source = numbers!.producer();
source.acquireSync().release();
source.end();
{
  const [from, to] = [numbers!.consumer(), squares!.producer()];
  using relay = new RelayScope(from, to);
  for (const tile of from) {
    const square = to.acquireSync();
    square.data.value = tile.data.value ** 2;
    square.release();
  }
  relay.end();
}
console.log(squares!.failure, squares!.items().produced); // null 1