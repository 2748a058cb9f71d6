// Lines of PTX for places in the source, by its line information.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationsOf, ptxLineOf } from '../../app/ptx-lines.ts';

const PTX = `.version 8.8
\t.loc\t1 7 3
\tmov.u32 %r1, 0;
\t.loc\t1 9 5, function_name $L__info_string0, inlined_at 1 7 3
\tbar.sync 0;
\t.loc\t2 9 5
\tret;
\t.loc\t1 9 8
\tret;
\t.file\t1 "/src/kernel.cu"
\t.file\t2 "/src/other.cuh"`;

test('a place has the line below its line information', () => {
  const locations = locationsOf(PTX);
  const at = (file: string, line: number, column = 1) =>
    ptxLineOf(locations, { file, line, column });
  assert.equal(at('kernel.cu', 7), 3);
  assert.equal(at('elsewhere/kernel.cu', 9), 5);
  assert.equal(at('kernel.cu', 9, 8), 9);
  assert.equal(at('other.cuh', 9), 7);
  assert.equal(at('kernel.cu', 8), undefined);
  assert.equal(at('third.cu', 9), undefined);
});

test('PTX without line information has no places', () => {
  assert.deepEqual(locationsOf('.version 8.8\n\tret;'), []);
});
