// A kernel as built for every number of rounds, where its warps repeat what they do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = `.reg .b32 %r<12>; .reg .pred %p<6>;
  .shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 4 .b32 word;`;

/** One warp writes a word in each round, and another reads it: `extra` comes before its release. */
function kernelOf(extra: string, rounds = 'ld.param.u32 %r5, [n];', blocks = 1) {
  const wait = (label: string, barrier: string): string =>
    `${label}: mbarrier.try_wait.parity.shared::cta.b64 %p2, [${barrier}], %r2; @!%p2 bra ${label};`;
  const next = (loop: string): string =>
    `xor.b32 %r2, %r2, 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, %r5; @%p3 bra ${loop};`;
  const text = kernelText(
    REGISTERS,
    `mov.u32 %r0, %tid.x; ${rounds} mov.u32 %r1, 0; setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
     mbarrier.init.shared::cta.b64 [full], 1; mbarrier.init.shared::cta.b64 [empty], 1;
     READY: bar.sync 0; setp.eq.u32 %p1, %r5, 0; @%p1 bra END;
     and.b32 %r3, %r0, 31; setp.ne.u32 %p1, %r3, 0; @%p1 bra END;
     setp.ne.u32 %p1, %r0, 0; @%p1 bra READER;
     mov.u32 %r2, 1;
     WRITE: ${wait('EMPTY', 'empty')} st.shared.u32 [word], %r1;
     mbarrier.arrive.shared::cta.b64 _, [full]; ${next('WRITE')} bra END;
     READER: mov.u32 %r2, 0;
     READ: ${wait('FULL', 'full')} ld.shared.u32 %r4, [word]; ${extra}
     mbarrier.arrive.shared::cta.b64 _, [empty]; ${next('READ')}
     END: ret;`,
    '.param .u32 n',
  );
  const params = [{ kind: 'scalar', type: 'i32', value: 3, name: 'n' }];
  const launch = { grid: [blocks, 1, 1], block: [64, 1, 1], params };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

test('every number of rounds is certified, and the verdict says what it rests on', async () => {
  const { verdict, scope } = await check(kernelOf(''), { every: 'n' });
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.every, ['n']);
  assert.match(
    scope.assumptions.at(-1)!.text,
    /^n is at most 2,147,483,646: up to there it is proved that what each warp does repeats with period 2 in n from 4 on$/,
  );
  assert.deepEqual(scope.sizes[0]!.open, []);
});

/** The name of what the proof for all numbers rests on, of four blocks. */
async function ofBlocks(extra: string, rounds?: string): Promise<string> {
  const kernel = kernelOf(`mov.u32 %r6, %ctaid.x; ${extra}`, rounds, 4);
  const { verdict, scope } = await check(kernel, { every: 'n', accept: [] });
  const last = scope.assumptions.at(-1)!;
  assert.equal(verdict, last.name === 'period' ? 'inconclusive' : 'certified');
  return last.name;
}

test('what is proved of one block is proved of all that do the same', async () => {
  assert.equal(await ofBlocks(''), 'largest-size');
  const same = 'setp.lt.u32 %p4, %r6, 9; @%p4 ld.shared.u32 %r4, [word];';
  assert.equal(await ofBlocks(same), 'largest-size');
});

test('what another block does at a late round is not proved away', async () => {
  const store = 'st.shared.u32 [word], %r1;';
  const both = `setp.gt.u32 %p4, %r1, 140; setp.eq.u32 %p5, %r6, 3; and.pred %p4, %p4, %p5;`;
  assert.equal(await ofBlocks(`${both} @%p4 ${store}`), 'period');
  const sum = 'mad.lo.u32 %r7, %r6, %r1, 0; setp.gt.u32 %p4, %r7, 400;';
  assert.equal(await ofBlocks(`${sum} @%p4 ${store}`), 'period');
  const carried = 'add.u32 %r8, %r8, %r6; setp.gt.u32 %p4, %r8, 400;';
  assert.equal(
    await ofBlocks(`${carried} @%p4 ${store}`, 'ld.param.u32 %r5, [n]; mov.u32 %r8, 0;'),
    'period',
  );
  const chosen = 'setp.eq.u32 %p5, %r6, 3; @%p5 mov.u32 %r8, %r1; setp.gt.u32 %p4, %r8, 400;';
  assert.equal(
    await ofBlocks(`${chosen} @%p4 ${store}`, 'ld.param.u32 %r5, [n]; mov.u32 %r8, 0;'),
    'period',
  );
});

test('where blocks meet in global memory is one in all rounds', async () => {
  const rows = (bytes: number, access: string) =>
    kernelText(
      `${REGISTERS} .reg .b64 %rd<6>;`,
      `mov.u32 %r0, %tid.x; ld.param.u32 %r5, [n]; mov.u32 %r1, 0; mov.u32 %r6, %ctaid.x;
       ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r6, ${bytes};
       add.u64 %rd0, %rd0, %rd2; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd0, %rd0, %rd3;
       add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, %rd3;
       LOOP: bar.sync 0; mul.wide.u32 %rd4, %r1, 256; add.u64 %rd5, %rd0, %rd4; ${access}
       add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r5; @%p1 bra LOOP; st.global.u32 [%rd1], %r0; ret;`,
      '.param .u32 n, .param .u64 in, .param .u64 out',
    );
  const buffer = { kind: 'pointer', bytes: 1 << 20 };
  const params = [{ kind: 'scalar', type: 'i32', value: 3, name: 'n' }, buffer, buffer];
  const launch = { grid: [4, 1, 1], block: [64, 1, 1], params };
  const basis = async (text: string): Promise<string> => {
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    });
    const { verdict, scope } = await check(kernel, { every: 'n', accept: [] });
    return verdict === 'counterexample' ? verdict : scope.assumptions.at(-1)!.name;
  };
  assert.equal(await basis(rows(65_536, 'ld.global.u32 %r7, [%rd5];')), 'largest-size');
  assert.equal(await basis(rows(65_536, 'st.global.u32 [%rd5], %r6;')), 'period');
});

test('a number at which the kernel is wrong is found', async () => {
  const skips = 'setp.eq.u32 %p4, %r5, 64; @%p4 bra END;';
  const { verdict, params } = await check(kernelOf(skips), { every: 'n' });
  assert.deepEqual([verdict, params['n']], ['counterexample', 64]);
});

test('what changes for large numbers is no period', async () => {
  // From round 90 on the reader fences as well.
  const fences = 'setp.lt.u32 %p4, %r1, 90; @%p4 bra GO; ld.shared.u32 %r4, [word+4]; GO:';
  const { verdict, scope, reason } = await check(kernelOf(fences), { every: 'n' });
  assert.equal(verdict, 'inconclusive');
  assert.deepEqual(scope.every, []);
  assert.match(reason!, /n=0–4, .*only, because .* no period is seen/);
});

/** A warp writes a word of four in each round, and another reads it: few rounds touch fewer words. */
function wordsKernel(): ReturnType<typeof ptxKernel> {
  const text = kernelText(
    '.reg .b32 %r<8>; .reg .pred %p<4>; .shared .align 4 .b32 words[4];',
    `mov.u32 %r0, %tid.x; ld.param.u32 %r5, [n]; mov.u32 %r1, 0;
     setp.ge.u32 %p0, %r0, 32; and.b32 %r6, %r0, 31; setp.eq.and.u32 %p2, %r6, 0, !%p0;
     LOOP: setp.ge.u32 %p1, %r1, %r5; @%p1 bra END;
     and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2; mov.u32 %r3, words; add.u32 %r2, %r2, %r3;
     @%p2 st.shared.u32 [%r2], %r1; bar.sync 0; @%p0 ld.shared.u32 %r4, [%r2]; bar.sync 0;
     add.u32 %r1, %r1, 1; bra LOOP; END: ret;`,
    '.param .u32 n',
  );
  const params = [{ kind: 'scalar', type: 'i32', value: 3, name: 'n' }];
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

test('a number with few of which fewer buffers are touched is proved, from a launch of few', async () => {
  const { verdict, scope, coverage } = await check(wordsKernel(), { every: 'n' });
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.periods, [{ parameter: 'n', from: 4, step: 4, most: 2_147_483_644 }]);
  // Four numbers one by one, and four that stand for all others.
  assert.equal(coverage!.sizes, 8);
  assert.deepEqual(coverage!.missed, []);
});

test('a number that the rounds do not depend on has no period', async () => {
  const { scope } = await check(kernelOf('', 'mov.u32 %r5, 3;'), { every: 'n' });
  assert.deepEqual(scope.every, []);
});

/** The reader arrives twice in a round that lies behind every number that is run: it is a fault. */
const LATE_FAULTS = {
  'at a round': 'setp.eq.u32 %p4, %r1, 1000;',
  'from a round on': 'setp.gt.u32 %p4, %r1, 5000;',
  'by a product': 'mul.lo.u32 %r6, %r1, %r1; setp.gt.u32 %p4, %r6, 40000000;',
  'by a hash': 'mul.lo.u32 %r6, %r1, 1103515245; shr.u32 %r6, %r6, 20; setp.eq.u32 %p4, %r6, 777;',
  'by a bit': 'and.b32 %r6, %r1, 4096; setp.ne.u32 %p4, %r6, 0;',
  'by rounds that are left': 'sub.u32 %r6, %r5, %r1; setp.eq.u32 %p4, %r6, 2000;',
  'by the number': 'setp.gt.u32 %p4, %r5, 3000;',
};

/** Faults at numbers that the text compares with `n`: they are tried. */
const AT_NUMBERS = new Set(['by rounds that are left', 'by the number']);

for (const [name, decision] of Object.entries(LATE_FAULTS)) {
  test(`a fault far away is not proved away: ${name}`, async () => {
    const late = `${decision} @%p4 mbarrier.arrive.shared::cta.b64 _, [empty];`;
    const { verdict, scope } = await check(kernelOf(late), { every: 'n' });
    assert.equal(verdict === 'counterexample', AT_NUMBERS.has(name));
    assert.deepEqual(
      (scope.periods ?? []).map(({ most }) => most),
      verdict === 'counterexample' ? [] : [null],
    );
  });
}

/** A kernel whose rounds take 32 elements each. */
function blocksOf(extra: string, n: number): ReturnType<typeof ptxKernel> {
  const text = kernelText(
    '.reg .b32 %r<8>; .reg .pred %p<4>; .shared .align 4 .b32 word; .shared .align 8 .b64 spare;',
    `mov.u32 %r0, %tid.x; ld.param.u32 %r5, [n]; mov.u32 %r1, 0; setp.eq.u32 %p0, %r0, 0;
     @%p0 mbarrier.init.shared::cta.b64 [spare], 9999; setp.ge.u32 %p2, %r0, 32;
     LOOP: bar.sync 0; @%p0 st.shared.u32 [word], %r1; bar.sync 0; @%p2 ld.shared.u32 %r4, [word];
     ${extra} add.u32 %r1, %r1, 32; setp.lt.u32 %p1, %r1, %r5; @%p1 bra LOOP;`,
    '.param .u32 n',
  );
  const params = [{ kind: 'scalar', type: 'i32', value: n, name: 'n' }];
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

test('of elements that rounds take in blocks, each number that is blocks larger is proved', async () => {
  const { verdict, scope, reason } = await check(blocksOf('', 200), { every: 'n' });
  assert.equal(verdict, 'inconclusive');
  assert.deepEqual(scope.every, []);
  assert.match(reason!, /^this holds for n=0–3, .*, and is proved for 200, 232, … up to [\d,]+/);
});

test('a fault far away is not proved away of blocks', async () => {
  const late = 'setp.eq.u32 %p3, %r1, 64000; @%p3 mbarrier.arrive.shared::cta.b64 _, [spare];';
  const { reason } = await check(blocksOf(late, 200), { every: 'n' });
  assert.match(reason!, /^this holds for n=0–3, [^…]* only, because/);
});
