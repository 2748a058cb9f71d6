// Branches that the allowed values of a buffer decide, and those that they do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedBranches } from '#src/infer/allowed-branches';
import type { AllowedData } from '#src/launch/allowed-data';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const NOT_ZERO: AllowedData = { type: 'i32', from: -Infinity, to: Infinity, not: [0] };
const FEW: AllowedData = { type: 'i32', from: 1, to: 8, not: [] };

/** What the one branch of a kernel finds; `null`: that is not known. */
function answerOf(body: string, data: AllowedData): boolean | null {
  const registers = '.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;';
  const text = kernelText(registers, `${body} @%p1 bra END; END: ret;`, '.param .u64 list');
  const module = parsePtx(text, 'kernel.ptx');
  const entry = module.functions.get('kernel')!;
  const branches = allowedBranches(module, entry, new Map([[0, data]]));
  const at = entry.instructions.findIndex(({ guard }) => guard !== null);
  return branches(at) ?? null;
}

const LOAD = 'ld.param.u64 %rd1, [list]; ld.global.u32 %r1, [%rd1];';

test('a comparison with a constant that no value equals is decided', () => {
  assert.equal(answerOf(`${LOAD} setp.eq.s32 %p1, %r1, 0;`, NOT_ZERO), false);
  assert.equal(answerOf(`${LOAD} setp.ne.s32 %p1, %r1, 0;`, NOT_ZERO), true);
  assert.equal(answerOf(`${LOAD} setp.lt.s32 %p1, %r1, 9;`, FEW), true);
  assert.equal(answerOf(`${LOAD} mov.u32 %r2, %r1; setp.lt.s32 %p1, %r2, 1;`, FEW), false);
});

test('what may be another value, or another word, is not decided', () => {
  const bodies = [
    `${LOAD} setp.eq.s32 %p1, %r1, 1;`,
    `mov.u32 %r1, 0; ${LOAD} setp.eq.s32 %p1, %r1, 0;`,
    `${LOAD} and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0;`,
    `${LOAD} st.global.u32 [%rd1], %r1; setp.eq.s32 %p1, %r1, 0;`,
    'ld.param.u64 %rd1, [list]; ld.global.u8 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;',
    `${LOAD} setp.eq.s32 %p1, %r1, 0; setp.eq.s32 %p1, %r1, 5;`,
  ];
  for (const body of bodies) assert.equal(answerOf(body, NOT_ZERO), null, body);
  assert.equal(answerOf(`${LOAD} setp.lt.u32 %p1, %r1, 9;`, FEW), null);
});
