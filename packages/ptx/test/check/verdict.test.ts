// What a verdict about PTX says: its reason, what was assumed, how much was covered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;';

function kernelOf(text: string, fields: Readonly<Record<string, unknown>> = {}) {
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [], ...fields };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

const EXCHANGE = (barrier: string): string =>
  kernelText(
    `${REGISTERS} .shared .align 4 .b32 word;`,
    `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra READ; st.shared.u32 [word], %r0;
     READ: ${barrier} setp.lt.u32 %p1, %r0, 32; @%p1 bra END; ld.shared.u32 %r1, [word]; END: ret;`,
  );

const ASSERTED = (body: string): string =>
  kernelText(
    REGISTERS,
    `ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd0, %rd0, %rd1;
     ld.global.u32 %r0, [%rd0]; setp.lt.u32 %p0, %r0, 100; ${body}`,
    '.param .u64 p',
  );
const WORDS = { params: [{ kind: 'pointer', bytes: 256 }] };

test('a barrier between a store and a load of another warp certifies them', async () => {
  const { verdict, coverage } = await check(kernelOf(EXCHANGE('bar.sync 0;')));
  assert.equal(verdict, 'certified');
  const { forms = [], ...counts } = coverage!;
  assert.equal(
    forms.reduce((sum, { executed }) => sum + executed, 0),
    9,
  );
  assert.deepEqual(counts, {
    sizes: 1,
    instructions: 9,
    reached: 9,
    synchronizing: 1,
    synchronizingReached: 1,
    missed: [],
  });
});

test('without the barrier they race, at their lines', async () => {
  const { verdict, findings } = await check(kernelOf(EXCHANGE('')));
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]?.rule, 'race');
  assert.equal(findings[0].primary.file, 'kernel.ptx');
});

test('data of each thread around a barrier is inconclusive with its line', async () => {
  const { verdict, reason } = await check(
    kernelOf(ASSERTED('@%p0 bra END; bar.sync 0; END: ret;'), WORDS),
  );
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /unknown data.*kernel\.ptx:\d+:\d+/);
});

test('a named scalar of the launch is a parameter', async () => {
  const text = kernelText(
    REGISTERS,
    'ld.param.u32 %r0, [n]; setp.eq.u32 %p0, %r0, 0; @%p0 bra END; LOOP: bar.sync 0; sub.u32 %r0, %r0, 1; setp.ne.u32 %p1, %r0, 0; @%p1 bra LOOP; END: ret;',
    '.param .u32 n',
  );
  const kernel = kernelOf(text, {
    params: [{ kind: 'scalar', type: 'i32', value: 3, name: 'rounds' }],
  });
  assert.deepEqual(kernel.defaults, { rounds: 3 });
  const few = await check(kernel, { params: { rounds: 1 } });
  const many = await check(kernel, { params: { rounds: 9 } });
  assert.ok(many.stats.events > few.stats.events);
});

const REFUSED: Readonly<Record<string, () => unknown>> = {
  'an unknown instruction': () => kernelOf(kernelText('', 'frobnicate.b32;')).build({}),
  'a launch without a grid': () => kernelOf(kernelText('', 'ret;'), { grid: undefined }).build({}),
  'too many threads': () => kernelOf(kernelText('', 'ret;'), { block: [2048, 1, 1] }).build({}),
  'a grid that is no multiple of the cluster': () =>
    kernelOf(kernelText('', 'ret;'), { grid: [3, 1, 1], cluster: [2, 1, 1] }).build({}),
  'more parameters than the kernel has': () =>
    kernelOf(kernelText('', 'ret;'), { params: [{ kind: 'scalar', value: 1 }] }),
  'a launch that is not JSON': () =>
    ptxKernel({
      ptx: { file: 'kernel.ptx', text: kernelText('', 'ret;') },
      launch: { file: 'launch.json', text: '{' },
    }),
  'a launch of another version': () => kernelOf(kernelText('', 'ret;'), { version: 7 }),
};

for (const [name, call] of Object.entries(REFUSED)) {
  test(`${name} is one line that names the file`, () => {
    assert.throws(call, (error: unknown) => {
      assert.ok(error instanceof InputError);
      assert.ok(!error.message.includes('\n'));
      assert.match(`${error.message} ${error.position?.file ?? ''}`, /launch\.json|kernel\.ptx/);
      return true;
    });
  });
}

test('a kernel is chosen by a part of its name, and the names are shown otherwise', () => {
  const text = `${kernelText('', 'ret;')}.visible .entry second()\n{\nret;\n}\n`;
  assert.equal(kernelOf(text, { kernel: 'sec' }).name, 'second');
  for (const [kernel, message] of [
    ['third', "no kernel named 'third': there are kernel, second"],
    ['e', "several kernels whose names contain 'e': choose one of kernel, second with --entry"],
  ] as const) {
    assert.throws(() => kernelOf(text, { kernel }), { name: 'InputError', message });
  }
  assert.throws(() => kernelOf('.version 8.0\n.target sm_90a\n.address_size 64\n'), {
    message: 'no kernel in this module',
  });
});

test('a wait at the barrier of the cluster that no warp arrives at is misuse', async () => {
  const { verdict, findings } = await check(
    kernelOf(kernelText('', 'barrier.cluster.wait.aligned; ret;')),
  );
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]!.rule, 'cluster-barrier-misuse');
});

test('an assertion about data is no way around a barrier', async () => {
  for (const body of [
    '@%p0 bra GOOD; bra.uni BAD; GOOD: bar.sync 0; ret; BAD: trap;',
    '@!%p0 bra BAD; bar.sync 0; ret; BAD: trap;',
    '@!%p0 trap; bar.sync 0; ret;',
  ]) {
    const { verdict, scope } = await check(kernelOf(ASSERTED(body), WORDS));
    assert.equal(verdict, 'certified');
    // It ends all that runs: what may come before it is in the run without it.
    assert.deepEqual(scope.assumptions, []);
  }
});

test('a race before an assertion about data, or behind it, is a race', async () => {
  const store = 'st.shared.u32 [word], %r1;';
  for (const body of [`${store} @!%p0 trap; ret;`, `@!%p0 trap; ${store} ret;`]) {
    const text = ASSERTED(body).replace('.reg .pred', '.shared .align 4 .b32 word; .reg .pred');
    const { verdict, findings } = await check(kernelOf(text, WORDS));
    assert.deepEqual([verdict, findings[0]?.rule], ['counterexample', 'race']);
  }
});

test('what an assertion stores before its trap is no error', async () => {
  const body = `@%p0 bra GOOD; st.shared.u32 [word], %r1; trap; GOOD: bar.sync 0; ret;`;
  const text = ASSERTED(body).replace('.reg .pred', '.shared .align 4 .b32 word; .reg .pred');
  const { verdict } = await check(kernelOf(text, WORDS));
  assert.notEqual(verdict, 'counterexample');
});

test('a trap in a lane that is known to reach it is an error of the run', async () => {
  const body = 'setp.ne.u32 %p1, %r1, 40; @%p1 bra GOOD; trap; GOOD: bar.sync 0; ret;';
  const { verdict, reason } = await check(kernelOf(ASSERTED(body), WORDS));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /the kernel traps/);
});

test('a breakpoint that is reached ends the launch, as an H200 shows', async () => {
  const stops = 'bar.sync 0; brkpt; bar.sync 0; ret;';
  const { verdict, reason } = await check(kernelOf(kernelText('', stops)));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /stops at a breakpoint/);
  const asserts = await check(kernelOf(ASSERTED('@!%p0 brkpt; bar.sync 0; ret;'), WORDS));
  assert.equal(asserts.verdict, 'certified');
  assert.deepEqual(asserts.scope.assumptions, []);
});

test('the constant WARP_SZ is the number of threads of a warp', async () => {
  const body = `mov.u32 %r0, %tid.x; mov.u32 %r1, WARP_SZ; div.u32 %r2, %r0, %r1; shl.b32 %r2, %r2, 2;
     mov.u32 %r3, word; add.s32 %r3, %r3, %r2; rem.u32 %r4, %r0, WARP_SZ; setp.ne.u32 %p0, %r4, 0;
     @%p0 bra END; st.shared.u32 [%r3], %r0; END: ret;`;
  const text = kernelText(`${REGISTERS} .shared .align 4 .b8 word[8];`, body);
  assert.equal((await check(kernelOf(text))).verdict, 'certified');
});
