// Programmatic dependent launch: what the kernel before writes is touched after its end alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { stepsKernel } from '#src/kernel/steps-kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
.shared .align 128 .b8 tile[1024];
.shared .align 8 .b64 full;`;
const PARAMETERS = '.param .u64 before, .param .u64 own, .param .align 64 .b8 map[128]';
const BEGIN = `ld.param.u64 %rd0, [before]; ld.param.u64 %rd1, [own]; mov.b64 %rd2, map;
cvta.param.u64 %rd3, %rd2; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; mov.u32 %r1, 0;
setp.lt.u32 %p2, %r0, 32;
@!%p0 mbarrier.init.shared::cta.b64 [full], 1; fence.mbarrier_init.release.cluster; bar.sync 0;`;
const WAIT = 'griddepcontrol.wait;';
const READ = 'ld.global.u32 %r2, [%rd0+64];';
const SYNC = 'bar.sync 0;';
const LOAD = `@!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;
@!%p0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd3, {%r1}], [full];
W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra W;`;
const BULK = `@!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;
@!%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 64, [full];
V: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra V;`;

const BY = { writtenBy: 'previous kernel' };

function kernelOf(lines: readonly string[], launch: object = {}, before: object = BY) {
  const text = kernelText(DECLARATIONS, [BEGIN, ...lines, 'ret;'].join('\n'), PARAMETERS);
  const params = [
    { kind: 'pointer', bytes: 4096, ...before },
    { kind: 'pointer', bytes: 4096 },
    { kind: 'tensormap', boxBytes: 64, ...before },
  ];
  const whole = { grid: [2, 1, 1], block: [64, 1, 1], programmatic: true, params, ...launch };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(whole) },
  });
}

const RIGHT: Readonly<Record<string, readonly string[]>> = {
  'each thread waits': [WAIT, READ],
  'its own data before the wait': ['ld.global.u32 %r2, [%rd1];', WAIT, READ],
  'one warp waits, the other meets it': [`@%p2 ${WAIT}`, SYNC, READ],
  'one thread waits, and all meet it': [`@!%p0 ${WAIT}`, SYNC, READ],
  'a copy behind the wait': [WAIT, LOAD],
  'a prefetch before it': [
    'cp.async.bulk.prefetch.L2.global [%rd0], 64; prefetch.global.L2 [%rd0];',
    WAIT,
    READ,
  ],
  'it lets the next kernel begin': [WAIT, READ, 'griddepcontrol.launch_dependents;'],
};

for (const [name, lines] of Object.entries(RIGHT))
  test(`right: ${name}`, async () => {
    const { verdict, reason, findings } = await check(kernelOf(lines));
    assert.equal(verdict, 'certified', reason ?? findings[0]?.message);
  });

const WRONG: Readonly<Record<string, readonly string[]>> = {
  'no wait': [READ],
  'the wait comes behind the read': [READ, WAIT],
  'one warp waits, the other does not meet it': [`@%p2 ${WAIT}`, READ],
  'a write before the wait': ['st.global.u32 [%rd0+128], %r0;', WAIT],
  'an atomic operation before the wait': ['red.global.add.u32 [%rd0], 1;', WAIT],
  'a copy through a tensor map before the wait': [LOAD, WAIT],
  'a bulk copy before the wait': [BULK, WAIT],
  'copies of each thread before the wait': [
    'cp.async.ca.shared.global [tile], [%rd0], 4; cp.async.wait_all;',
    WAIT,
  ],
};

for (const [name, lines] of Object.entries(WRONG))
  test(`wrong: ${name}`, async () => {
    const kernel = kernelOf(lines);
    const { findings, reason } = await check(kernel);
    assert.equal(findings[0]?.rule, 'missing-grid-dependency-wait', reason);
    assert.match(findings[0].message, /\bgriddepcontrol\.wait\b/);
    const again = await check(stepsKernel({ file: 'steps.jsonl', text: kernel.runText!({}) }));
    assert.equal(again.findings[0]?.rule, findings[0].rule);
  });

const MATRIX = `wmma.load.a.sync.aligned.row.m16n16k16.global.f16
{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd0], 16;`;

test('a matrix that the kernel before writes', async () => {
  const { findings } = await check(kernelOf([MATRIX]));
  assert.equal(findings[0]?.rule, 'missing-grid-dependency-wait');
  assert.equal((await check(kernelOf([WAIT, MATRIX]))).verdict, 'certified');
});

test('an address that is data is assumed to lead elsewhere, before the wait alone', async () => {
  const index = 'ld.global.u32 %r2, [%rd1]; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd0, %rd4;';
  const load = 'ld.global.u32 %r3, [%rd4];';
  const elsewhere = /an address that is data leads to nothing that the kernel before writes/;
  const early = await check(kernelOf([index, load, WAIT]));
  assert.equal(early.verdict, 'certified');
  assert.match(early.scope.assumptions.map((one) => one.text).join('; '), elsewhere);
  const late = await check(kernelOf([index, WAIT, load]));
  assert.equal(late.verdict, 'certified');
  assert.doesNotMatch(late.scope.assumptions.map((one) => one.text).join('; '), elsewhere);
});

test('lanes that do not join the one that waits', async () => {
  const { findings, reason } = await check(kernelOf([`@!%p0 ${WAIT}`, READ]));
  assert.match(findings[0]?.rule ?? reason!, /unjoined-lanes|missing-grid-dependency-wait/);
});

test('what the launch does not say is assumed', async () => {
  const named = await check(kernelOf([WAIT, READ]));
  assert.equal(named.scope.assumptions[0]!.name, 'written-by');
  assert.match(named.scope.assumptions[0]!.text, /that one touches only before, map$/);
  const open = await check(kernelOf([READ], {}, {}));
  assert.equal(open.verdict, 'certified');
  assert.equal(open.scope.assumptions[0]!.name, 'earlier-grid');
  const whole = await check(kernelOf([READ], { programmatic: false }));
  assert.equal(whole.verdict, 'certified');
  assert.deepEqual(whole.scope.assumptions, []);
});

test('a launch file that cannot be used', () => {
  const wrong = { writtenBy: 'the next one' };
  const message = /^launch\.json: 'params\[0\]\.writtenBy' has to be 'previous kernel'$/;
  assert.throws(
    () => kernelOf([READ], {}, wrong).reference!({}),
    (error) => error instanceof InputError && message.test(error.message),
  );
});
