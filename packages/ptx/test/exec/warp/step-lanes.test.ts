// Which lanes make a step, and which joins of lanes are steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runText } from '../machine/launch-of.ts';
import { kernelText } from '../../kernel-text.ts';

const HEAD =
  '.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; .shared .align 16 .b32 word[64];';
const LANE = `mov.u32 %r0, %laneid; mov.u32 %r3, word; shl.b32 %r4, %r0, 2; add.u32 %r5, %r3, %r4;
  setp.eq.u32 %p0, %r0, 0;`;

/** Each step as its name, its lanes where they are not all, and `!` where the warp makes it as one. */
function steps(body: string): string[] {
  const { warps } = runText(kernelText(HEAD, `${LANE} ${body} ret;`));
  return warps[0]!.steps.map(({ op, lanes, isJoint }) => {
    const mask = lanes === undefined ? '' : ` ${(lanes >>> 0).toString(16)}`;
    return `${op}${mask}${isJoint === true ? '!' : ''}`;
  });
}

test('a step has the lanes that made it, and none where all threads did', () => {
  assert.deepEqual(steps('@%p0 st.shared.b32 [%r3], %r0; ld.shared.b32 %r1, [%r3];'), [
    'access 1',
    'access',
  ]);
});

test('a join is a step where a lane did something since the last one', () => {
  const store = 'st.shared.b32 [%r5], %r0;';
  assert.deepEqual(steps('bar.warp.sync -1;'), []);
  assert.deepEqual(steps(`${store} bar.warp.sync -1; bar.warp.sync -1;`), ['access', 'join']);
  assert.deepEqual(steps(`${store} shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; ${store}`), [
    'access',
    'join',
    'access',
  ]);
});

test('a join of some lanes leaves the others unjoined', () => {
  const joins = 'bar.warp.sync 255; bar.warp.sync 255; bar.warp.sync -1; bar.warp.sync -1;';
  const body = `setp.lt.u32 %p1, %r0, 8; st.shared.b32 [%r5], %r0; @%p1 bar.warp.sync 255; ${joins}`;
  // Lanes that execute it without being members take part in nothing.
  assert.deepEqual(steps(body), ['access', 'join ff', 'join']);
});

test('lanes that name different members join in groups', () => {
  const masks = 'shr.u32 %r6, %r0, 4; shl.b32 %r6, %r6, 4; shl.b32 %r6, 65535, %r6;';
  assert.deepEqual(steps(`${masks} st.shared.b32 [%r5], %r0; bar.warp.sync %r6;`), [
    'access',
    'join ffff',
    'join ffff0000',
  ]);
});

test('a warp makes aligned operations as one', () => {
  const load = 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r3];';
  assert.deepEqual(steps(`st.shared.b32 [%r5], %r0; ${load}`), ['access', 'access!']);
  assert.deepEqual(steps(`st.shared.b32 [%r5], %r0; bar.sync 0;`), ['access', 'named!']);
  const product =
    'mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd0, %rd1}, {%rd2}, {%rd3}, {%rd0, %rd1};';
  assert.deepEqual(steps(`st.shared.b32 [%r5], %r0; ${product}`), ['access', 'join']);
});

test('what may not happen joins no lanes', () => {
  const branch = 'ld.param.u64 %rd0, [p]; ld.global.u32 %r2, [%rd0]; setp.eq.u32 %p1, %r2, 7;';
  const store = 'st.shared.b32 [%r5], %r0;';
  const body = `${LANE} ${branch} @%p1 bra END; ${store} bar.warp.sync -1; ${store} END: ret;`;
  const { warps } = runText(kernelText(HEAD, body, '.param .u64 p'), {
    params: [{ kind: 'pointer', bytes: 4 }],
  });
  const found = warps[0]!.steps.map((step) => [step.op, step.op === 'access' && step.isPossible]);
  assert.deepEqual(found, [
    ['access', true],
    ['access', true],
  ]);
});
