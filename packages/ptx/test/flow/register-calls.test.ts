// Calls that pass registers: each value arrives, whether registers or memory hold it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runText } from '../exec/machine/launch-of.ts';

/** The named barriers at which the first warp waits, with a function and a call of it. */
function barriersOf(callee: string, body: string): number[] {
  const run = runText(`.version 9.0
.target sm_90a
.address_size 64
.const .b32 numbers[4] = {1, 2, 3, 4};
${callee}
.visible .entry kernel()
{
  .reg .b32 %r<8>; .reg .pred %p<4>; .reg .v2 .b32 v; .param .b32 x;
  mov.b32 %r0, 4;
  ${body}
  ret;
}
`);
  assert.deepEqual(run.undecided, []);
  return run.warps[0]!.steps.flatMap((step) => (step.op === 'named' ? [step.id] : []));
}

const ADD = '.func (.reg .b32 r) plus(.reg .b32 a) { add.s32 r, a, 1; ret; }';

test('registers and constants are moved to registers of the function, and its result back', () => {
  assert.deepEqual(barriersOf(ADD, 'call (%r1), plus, (%r0); bar.sync %r1;'), [5]);
  const twice = 'call (%r1), plus, (6); call (%r1), plus, (%r1); bar.sync %r1;';
  assert.deepEqual(barriersOf(ADD, twice), [8]);
  assert.deepEqual(barriersOf(ADD, 'call (_), plus, (%r0); bar.sync %r0;'), [4]);
});

test('a call with a guard moves values of its lanes alone', () => {
  const body = 'setp.eq.u32 %p0, %r0, 0; mov.b32 %r1, 9; @%p0 call (%r1), plus, (%r0);';
  assert.deepEqual(barriersOf(ADD, `${body} bar.sync %r1;`), [9]);
});

test('variables of parameters and registers stand for each other', () => {
  const memory = 'st.param.b32 [x], 6; call (x), plus, (x); ld.param.b32 %r1, [x]; bar.sync %r1;';
  assert.deepEqual(barriersOf(ADD, memory), [7]);
  const inMemory =
    '.func (.param .b32 o) plus(.param .b32 i) { .reg .b32 t; ld.param.b32 t, [i]; add.s32 t, t, 2; st.param.b32 [o], t; ret; }';
  const body = 'call (%r1), plus, (%r0); call (%r2), plus, (%r1); bar.sync %r1; bar.sync %r2;';
  assert.deepEqual(barriersOf(inMemory, body), [6, 8]);
});

test('a vector in registers is passed by its elements', () => {
  const sum = '.func (.reg .b32 r) sum(.reg .v2 .b32 a) { add.s32 r, a.x, a.y; ret; }';
  const body = 'mov.b32 v.x, 2; mov.b32 v.y, 3; call (%r1), sum, (v); bar.sync %r1;';
  assert.deepEqual(barriersOf(sum, body), [5]);
});

test('an alias calls its function, and an index finds its element', () => {
  const alias = `${ADD} .func (.reg .b32 r) more(.reg .b32 a); .alias more, plus;`;
  const body = 'ld.const.b32 %r3, numbers[2]; call (%r1), more, (%r3); bar.sync %r1;';
  assert.deepEqual(barriersOf(alias, body), [4]);
});
