// Reads through textures and surfaces: data, in memory that no pointer of the launch leads to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<4>;
.shared .align 16 .b8 tile[256];`;
const BASES = `ld.param.u64 %rd0, [pixels]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %r0; mul.wide.u32 %rd2, %r2, 4;
add.u64 %rd2, %rd1, %rd2; shl.b32 %r3, %r0, 2; mov.u32 %r4, tile; add.u32 %r3, %r4, %r3;
xor.b32 %r5, %r3, 128; cvt.rn.f32.u32 %f0, %r0; cvt.rn.f32.u32 %f1, %r1;`;

async function resultOf(body: string, more: object = {}, by: object = {}) {
  const params = [
    { kind: 'scalar', value: 8 },
    { kind: 'pointer', bytes: 4096, ...by },
  ];
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 pixels, .param .u64 out');
  const launch = { grid: [4, 1, 1], block: [64, 1, 1], params, ...more };
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, scope } = await check(kernel);
  return [verdict, scope.assumptions.map(({ name }) => name).join()];
}

const FETCH = {
  tex: 'tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd0, {%f0, %f1}];',
  'tex.level': 'tex.level.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd0, {%f0, %f1}], %f0;',
  tld4: 'tld4.r.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd0, {%f0, %f1}];',
  suld: 'suld.b.2d.b32.trap {%r6}, [%rd0, {%r2, %r1}]; mov.b32 %f4, %r6;',
};
const SHARE = 'st.shared.f32 [%r3], %f4; bar.sync 0; ld.shared.f32 %f2, [%r5];';
const STORE = 'st.global.f32 [%rd2], %f2;';

for (const [name, fetch] of Object.entries(FETCH)) {
  const expected = ['certified', 'separate-buffers'];
  test(`${name}: a right kernel is certified, and says what it assumes`, async () => {
    assert.deepEqual(await resultOf(`${fetch} ${SHARE} ${STORE}`), expected);
  });
  test(`${name}: a race of what was read is found`, async () => {
    const [verdict] = await resultOf(`${fetch} ${SHARE.replace('bar.sync 0;', '')} ${STORE}`);
    assert.equal(verdict, 'counterexample');
  });
  test(`${name}: what it reads differs by thread, and is no fact`, async () => {
    const branch = 'setp.gt.f32 %p0, %f4, 0f00000000; @%p0 bra E; bar.sync 0; E:';
    assert.notEqual((await resultOf(`${fetch} ${branch}`))[0], 'certified');
  });
}

test('it may be what the kernel before writes', async () => {
  const read = `${FETCH.tex} ${SHARE}`;
  const by = { writtenBy: 'previous kernel' };
  const names = async (body: string) =>
    (await resultOf(body, { programmatic: true }, by))[1]!.split(',');
  assert.ok((await names(`${read} griddepcontrol.wait; ${STORE}`)).includes('earlier-grid'));
  assert.ok(!(await names(`griddepcontrol.wait; ${read} ${STORE}`)).includes('earlier-grid'));
});

test('a query of a texture is data', async () => {
  const query = 'txq.width.b32 %r6, [%rd0]; setp.gt.u32 %p0, %r2, %r6; @%p0 bra E;';
  assert.deepEqual(await resultOf(`${query} ${STORE} E:`), ['certified', 'separate-buffers']);
});

test('a store to a surface is undecided', async () => {
  const [verdict] = await resultOf('sust.b.2d.b32.trap [%rd0, {%r2, %r1}], {%r0};');
  assert.equal(verdict, 'inconclusive');
});
