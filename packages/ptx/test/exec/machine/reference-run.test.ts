// Small kernels, executed once: lanes that part and meet, polls, calls, unknown data, tensor maps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import type { ReferenceRun } from '#src/steps/run';
import type { Step } from '#src/steps/step';
import { kernelText } from '../../kernel-text.ts';
import { runText } from './launch-of.ts';

const REGISTERS = '.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;';

function stepsOf(run: ReferenceRun, warp = 0): readonly Step[] {
  return run.warps[warp]!.steps;
}

test('lanes that part at a branch meet again', () => {
  const text = kernelText(
    `${REGISTERS} .shared .align 4 .b32 out[32];`,
    `mov.u32 %r0, %laneid; and.b32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra EVEN;
     mov.u32 %r2, 7; bra MEET;
     EVEN: mov.u32 %r2, 5;
     MEET: shl.b32 %r3, %r0, 2; mov.u32 %r4, out; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r2; ret;`,
  );
  const [step, ...more] = stepsOf(runText(text));
  assert.equal(more.length, 0);
  assert.ok(step?.op === 'access');
  assert.deepEqual(
    step.values.filter((_, index) => index % 4 === 0),
    Array.from({ length: 16 }, () => 5),
  );
  assert.deepEqual(
    step.values.filter((_, index) => index % 4 === 2),
    Array.from({ length: 16 }, () => 7),
  );
});

test('a name that nothing declares is refused', () => {
  const text = kernelText(REGISTERS, 'mov.u32 %r0, all; st.shared.u32 [%r0], 1; ret;');
  assert.throws(() => runText(text), /nothing is named 'all'/);
});

const BARRIER = `${REGISTERS} .shared .align 8 .b64 full;`;

test('a try that is repeated until yes is a wait', () => {
  const text = kernelText(
    BARRIER,
    `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra WAIT;
     mbarrier.init.shared::cta.b64 [full], 1;
     mbarrier.arrive.shared::cta.b64 _, [full];
     WAIT: bar.sync 0;
     LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra LOOP; ret;`,
  );
  const run = runText(text, { block: [64, 1, 1] });
  assert.deepEqual(
    run.warps.map(({ steps }) => steps.map(({ op }) => op)),
    [
      ['init', 'arrive', 'named', 'wait'],
      ['named', 'wait'],
    ],
  );
  assert.equal(
    run.warps.every(({ stuck }) => stuck === null),
    true,
  );
});

test('a warp that waits for what never comes is stuck there', () => {
  const text = kernelText(
    BARRIER,
    `mbarrier.init.shared::cta.b64 [full], 1;
     LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra LOOP; ret;`,
  );
  assert.equal(runText(text, { block: [1, 1, 1] }).warps[0]!.stuck?.op, 'wait');
});

test('an arrival that is one too many is a fault', () => {
  const text = kernelText(
    BARRIER,
    `mbarrier.init.shared::cta.b64 [full], 2; mbarrier.arrive.shared::cta.b64 _, [full], 3; ret;`,
  );
  assert.deepEqual(
    runText(text, { block: [1, 1, 1] }).faults.map(({ rule }) => rule),
    ['over-arrival'],
  );
});

test('calls of functions of the module are followed', () => {
  const helper = `.func (.param .b32 result) twice(.param .b32 value)
{ .reg .b32 %r<2>; ld.param.u32 %r0, [value]; shl.b32 %r1, %r0, 1; st.param.b32 [result], %r1; ret; }
`;
  const body = `mov.u32 %r0, 21; { .param .b32 param0; st.param.b32 [param0], %r0; .param .b32 retval0;
     call.uni (retval0), twice, (param0); ld.param.b32 %r1, [retval0]; } st.shared.u32 [out], %r1; ret;`;
  const text = kernelText(`${REGISTERS} .shared .align 4 .b32 out;`, body).replace(
    '.visible',
    `${helper}.visible`,
  );
  const [step] = stepsOf(runText(text, { block: [1, 1, 1] }));
  assert.ok(step?.op === 'access');
  assert.equal(step.values[0], 42);
});

test('a function that is not in the text is an error with its line', () => {
  const text = kernelText(REGISTERS, 'call.uni elsewhere; ret;');
  assert.throws(
    () => runText(text),
    (error: unknown) =>
      error instanceof InputError &&
      /elsewhere/.test(error.message) &&
      error.position !== undefined,
  );
});

test('a branch on unknown data around a barrier leaves the kernel undecided', () => {
  const text = kernelText(
    REGISTERS,
    `ld.param.u64 %rd0, [p]; ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra END; bar.sync 0; END: ret;`,
    '.param .u64 p',
  );
  const run = runText(text, { params: [{ kind: 'pointer', bytes: 4 }] });
  assert.match(run.undecided[0]!.text, /unknown data/);
});

test('contents of memory that a launch gives decide a branch', () => {
  const text = kernelText(
    REGISTERS,
    `ld.param.u64 %rd0, [p]; ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 3; @%p0 bra END; bar.sync 0; END: ret;`,
    '.param .u64 p',
  );
  const run = runText(text, { params: [{ kind: 'pointer', bytes: 4, int32: [3] }] });
  assert.deepEqual(stepsOf(run), []);
  assert.deepEqual(run.undecided, []);
});

test('contents of memory that the kernel stores into decide nothing', () => {
  for (const store of ['st.global.u32 [%rd0], 4;', 'red.global.add.u32 [%rd0], 1;']) {
    const text = kernelText(
      REGISTERS,
      `ld.param.u64 %rd0, [p]; ${store} ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 3; @%p0 bra END; bar.sync 0; END: ret;`,
      '.param .u64 p',
    );
    const run = runText(text, { params: [{ kind: 'pointer', bytes: 4, int32: [3] }] });
    assert.match(run.undecided[0]!.text, /unknown data/);
  }
});

test('waiting for global memory that no block writes leaves the kernel undecided', () => {
  const text = kernelText(
    REGISTERS,
    `ld.param.u64 %rd0, [p]; SPIN: ld.acquire.gpu.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra SPIN; ret;`,
    '.param .u64 p',
  );
  const run = runText(text, { params: [{ kind: 'pointer', bytes: 4, int32: [0] }] });
  assert.match(
    run.undecided[0]!.text,
    /^it waits for global memory, which no block of the grid writes$/,
  );
});

test('a copy through a tensor map moves the bytes of its box', () => {
  const text = kernelText(
    `${BARRIER} .shared .align 128 .b8 tile[1024];`,
    `mbarrier.init.shared::cta.b64 [full], 1; mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 512;
     mov.b64 %rd0, map; cvta.param.u64 %rd1, %rd0; mov.u32 %r0, tile; mov.u32 %r1, full; mov.u32 %r2, 0;
     cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd1, {%r2, %r2}], [%r1];
     LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra LOOP; ret;`,
    '.param .align 64 .b8 map[128]',
  );
  const run = runText(text, { block: [1, 1, 1], params: [{ kind: 'tensormap', boxBytes: 512 }] });
  const copy = stepsOf(run).find((step) => step.op === 'copy');
  assert.ok(copy?.op === 'copy');
  assert.equal(copy.writes[1]! - copy.writes[0]!, 512);
  assert.equal(run.warps[0]!.stuck, null);
});

const PARTED = (mask: string): string =>
  kernelText(
    REGISTERS,
    `mov.u32 %r0, %laneid; setp.ne.u32 %p0, %r0, 0; @%p0 bra END;
     vote.sync.any.pred %p1, %p0, ${mask}; END: bar.warp.sync -1; ret;`,
  );

test('an exchange that names lanes that have parted leaves the kernel undecided', () => {
  assert.match(runText(PARTED('-1')).undecided[0]!.text, /lanes that have parted/);
  assert.deepEqual(runText(PARTED('1')).undecided, []);
});

test('an exchange between lanes that unknown data parts leaves the kernel undecided', () => {
  const text = (address: string): string =>
    kernelText(
      REGISTERS,
      `ld.param.u64 %rd0, [p]; ${address} ld.global.u32 %r0, [%rd0];
       setp.eq.u32 %p0, %r0, 0; @%p0 bra END; shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; END: ret;`,
      '.param .u64 p',
    );
  const params = [{ kind: 'pointer', bytes: 128 }];
  const own = 'mov.u32 %r2, %laneid; mul.wide.u32 %rd1, %r2, 4; add.u64 %rd0, %rd0, %rd1;';
  assert.match(runText(text(own), { params }).undecided[0]!.text, /unknown data has parted/);
  assert.deepEqual(runText(text(''), { params }).undecided, []);
});

test('a store in a look ahead leaves local memory as it was', () => {
  const text = kernelText(
    `${BARRIER} .local .align 4 .b32 count;`,
    `mbarrier.init.shared::cta.b64 [full], 1; mbarrier.arrive.shared::cta.b64 _, [full];
     mov.u32 %r0, 0; st.local.u32 [count], %r0;
     LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
     ld.local.u32 %r1, [count]; add.u32 %r1, %r1, 1; st.local.u32 [count], %r1; @!%p1 bra LOOP;
     ld.local.u32 %r2, [count]; setp.eq.u32 %p2, %r2, 1; @%p2 bra END; bar.sync 0; END: ret;`,
  );
  assert.deepEqual(
    stepsOf(runText(text, { block: [1, 1, 1] })).map(({ op }) => op),
    ['init', 'arrive', 'wait'],
  );
});
