// Products of a warpgroup take what an H200 took, by their columns and where A is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsePtx } from '#src/text/parse';
import { productCyclesOf } from '#src/timing/product-cycles';
import { kernelText } from '../kernel-text.ts';

const TABLE = new URL('../../../../bench/h200/products.csv', import.meta.url);
/** By where A is, how far a row is from the law. Single groups wait for their results, too. */
const MOST = { shared: 0.004, registers: 0.037 };
const WARPGROUPS = '2';

function cyclesOf(columns: number, from: keyof typeof MOST): number {
  const registers = Array.from({ length: columns / 2 }, (_, index) => `%f${index}`).join(', ');
  const [a, transposes] = from === 'shared' ? ['%d0', '0, 0'] : ['{%r0, %r0, %r0, %r0}', '0'];
  const shape = `m64n${columns}k16.f32.f16.f16`;
  const product = `wgmma.mma_async.sync.aligned.${shape} {${registers}}, ${a}, %d1, 1, 1, 1, ${transposes};`;
  const declared = `.reg .f32 %f<${columns / 2}>; .reg .u32 %r<1>; .reg .u64 %d<2>;`;
  const { functions } = parsePtx(kernelText(declared, `${product}\nret;`));
  return productCyclesOf(functions.get('kernel')!.instructions[0]!);
}

test('products take what an H200 took', () => {
  let rows = 0;
  for (const row of readFileSync(TABLE, 'utf8').trimEnd().split('\n').slice(1)) {
    const [from, columns, warpgroups, , , cycles] = row.split(',');
    if (warpgroups !== WARPGROUPS) continue;
    assert.ok(from === 'shared' || from === 'registers', row);
    const expected = cyclesOf(Number(columns), from);
    assert.ok(Math.abs(Number(cycles) / expected - 1) < MOST[from], `${row}: ${expected}`);
    rows++;
  }
  assert.equal(rows, 72);
});
