// Which launches have all their blocks executed together, and what is said where they have not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

interface Case {
  readonly text: string;
  readonly blocks?: number;
  readonly flag?: readonly number[] | null;
  readonly launch?: object;
}

/** A kernel whose thread 0 of each block does what a text says; `%f` is the address of a flag. */
function kernelOf({
  text,
  blocks = 2,
  flag = [0],
  launch: more = {},
}: Case): ReturnType<typeof ptxKernel> {
  const ptx = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag) {
.reg .b32 %b, %t, %v, %w; .reg .b64 %d, %f, %a; .reg .pred %p, %q; .shared .align 16 .b8 s[16384];
ld.param.u64 %d, [data]; ld.param.u64 %f, [flag];
mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;
setp.ne.u32 %p, %t, 0; @%p ret;
setp.eq.u32 %q, %b, 0;
${text}
ret;
}`;
  const pointer = { kind: 'pointer', bytes: 2 ** 32 };
  const launch = {
    grid: [blocks, 1, 1],
    block: [32, 1, 1],
    params: [pointer, flag === null ? pointer : { ...pointer, int32: flag }],
    ...more,
  };
  return ptxKernel({
    ptx: { file: 'k.ptx', text: ptx },
    launch: { file: 'k.json', text: JSON.stringify(launch) },
  });
}

const WAIT = `@%q bra READ;
st.global.u32 [%d], 7; red.release.gpu.global.add.u32 [%f], 1; ret;
READ: ld.acquire.gpu.global.u32 %v, [%f]; setp.eq.u32 %p, %v, 0; @%p bra READ;
ld.global.u32 %w, [%d];`;

const SIGNAL = 'red.release.gpu.global.add.u32 [%f], 1;';
const READ = `READ: ld.acquire.gpu.global.u32 %v, [%f]; setp.eq.u32 %p, %v, 0; @%p bra READ;
ld.global.u32 %w, [%d];`;

test('the verdict names what the launch has to promise', async () => {
  const few = await check(kernelOf({ text: WAIT }), { accept: [] });
  assert.equal(few.verdict, 'certified');
  assert.equal(few.scope.assumptions.at(-1)!.name, 'fitting-grid');
  const many = kernelOf({ text: WAIT, launch: { multiprocessors: 1 } });
  const { verdict, scope } = await check(many, { accept: [] });
  assert.equal(verdict, 'inconclusive');
  const [reset, together] = scope.assumptions;
  assert.deepEqual([reset!.name, reset!.place?.line], ['initial-word', 11]);
  assert.equal(together!.name, 'resident-blocks');
  const accepted = await check(many, { accept: ['resident-blocks'] });
  assert.deepEqual([accepted.verdict, accepted.scope.accepted], ['certified', ['resident-blocks']]);
});

test('a word whose contents the launch does not say', async () => {
  const { verdict, reason } = await check(kernelOf({ text: WAIT, flag: null }));
  assert.equal(verdict, 'inconclusive');
  assert.match(
    reason!,
    /^it waits for global memory, which other blocks write: give what it holds/,
  );
});

test('a word whose contents the launch says, and that a block replaces by data', async () => {
  const data = 'ld.global.u32 %w, [%d]; st.release.gpu.global.u32 [%f], %w; ret;';
  const { verdict, reason } = await check(kernelOf({ text: `@%q bra READ; ${data} ${READ}` }));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /which other blocks write: what one of them writes there is not known/);
});

test('more blocks than are executed together', async () => {
  const { verdict, reason } = await check(kernelOf({ text: WAIT, blocks: 1025 }));
  assert.equal(verdict, 'inconclusive');
  assert.match(
    reason!,
    /only 1024 blocks or 4096 warps are executed together, not 1025 blocks of 1025/,
  );
});

test('the first block does not stand for more blocks if others may wait for it', async () => {
  const turned = `@!%q bra READ; ${SIGNAL} ret; ${READ}`;
  const { verdict, reason } = await check(kernelOf({ text: turned, blocks: 1025 }));
  assert.equal(verdict, 'inconclusive');
  assert.match(
    reason!,
    /only 1024 blocks or 4096 warps are executed together, not 1025 blocks of 1025/,
  );
});

test('a word of 64 bits that blocks wait for is followed', async () => {
  const text = `@!%q bra READ; st.global.u32 [%d], 7; st.relaxed.gpu.global.u64 [%f], 1; ret;
READ: ld.relaxed.gpu.global.u64 %a, [%f]; setp.eq.u64 %p, %a, 0; @%p bra READ;
ld.global.u32 %w, [%d];`;
  const { verdict, findings } = await check(kernelOf({ text, flag: [0, 0] }));
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]!.rule, 'relaxed-signal');
});

test('where the order of the blocks decides, each order is executed', async () => {
  const text = `atom.relaxed.gpu.global.add.u32 %v, [%f], 1;
setp.ne.u32 %p, %v, 1; @%p ret;
bar.sync 0;`;
  const { verdict, scope } = await check(kernelOf({ text, blocks: 3 }));
  assert.equal(verdict, 'certified');
  assert.doesNotMatch(
    scope.assumptions.map((one) => one.text).join('; '),
    /only the first cluster is executed/,
  );
});

test('where there are too many orders, the first cluster is checked alone', async () => {
  const text = `mov.u32 %w, 0;
AGAIN: atom.relaxed.gpu.global.add.u32 %v, [%f], 1;
setp.lt.u32 %p, %v, 9; @%p bra AGAIN;
bar.sync 0;`;
  const { verdict, reason } = await check(kernelOf({ text, blocks: 3 }));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /the order of the blocks decides what they do in more ways than are tried/);
});

test('an answer that only changes data is no question of order', async () => {
  const text = `atom.relaxed.gpu.global.add.u32 %v, [%f], 1;
st.global.u32 [%d+8], 0;
shl.b32 %v, %v, 2;`;
  const { verdict, scope } = await check(kernelOf({ text }));
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.assumptions.slice(1), []);
});

test('several lanes that signal at once are as many signals', async () => {
  const signal = `mov.u32 %t, %tid.x; @%q bra READ;
red.release.gpu.global.add.u32 [%f], 1; ret;
READ: ld.acquire.gpu.global.u32 %v, [%f]; setp.lt.u32 %p, %v, 32; @%p bra READ;`;
  const kernel = ptxKernel({
    ptx: {
      file: 'k.ptx',
      text: `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 flag) {
.reg .b32 %b, %t, %v; .reg .b64 %f; .reg .pred %p, %q;
ld.param.u64 %f, [flag]; mov.u32 %b, %ctaid.x; setp.eq.u32 %q, %b, 0;
${signal}
ret;
}`,
    },
    launch: {
      file: 'k.json',
      text: JSON.stringify({
        grid: [2, 1, 1],
        block: [32, 1, 1],
        params: [{ kind: 'pointer', bytes: 4, int32: [0] }],
      }),
    },
  });
  assert.equal((await check(kernel)).verdict, 'certified');
});

/** A block of 64 threads: each stores, and the last block to draw a number reads what all stored. */
function lastBlock({ fence = 'membar.gl;', late = 'membar.gl;', meet = 'bar.sync 0;', rest = '' }) {
  const text = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 ticket) {
.reg .b32 %r<12>; .reg .b64 %d<6>; .reg .pred %p<4>;
.shared .align 4 .b32 last;
ld.param.u64 %d0, [data]; ld.param.u64 %d1, [ticket];
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mad.lo.s32 %r2, %r0, 64, %r1;
mul.wide.u32 %d2, %r2, 4; add.s64 %d3, %d0, %d2; st.global.u32 [%d3], %r2;
${fence} ${meet}
setp.ne.u32 %p0, %r1, 0; @%p0 bra MEET;
atom.global.inc.u32 %r3, [%d1], 3;
setp.eq.u32 %p1, %r3, 2; selp.b32 %r4, 1, 0, %p1; st.shared.u32 [last], %r4;
MEET: bar.sync 0; ld.shared.u32 %r5, [last]; setp.eq.u32 %p2, %r5, 0; @%p2 ret;
${late} mul.wide.u32 %d4, %r1, 4; add.s64 %d5, %d0, %d4;
ld.global.u32 %r6, [%d5]; ld.global.u32 %r7, [%d5+256]; ld.global.u32 %r8, [%d5+512];
${rest}
ret;
}`;
  const params = [
    { kind: 'pointer', bytes: 768 },
    { kind: 'pointer', bytes: 4, int32: [0] },
  ];
  const launch = { grid: [3, 1, 1], block: [64, 1, 1], params };
  return ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'k.json', text: JSON.stringify(launch) },
  });
}

test('the last block to draw a number knows what all others stored', async () => {
  const { verdict, scope, reason } = await check(lastBlock({}));
  assert.equal(verdict, 'certified', reason);
  assert.match(scope.assumptions.map((one) => one.text).join('; '), /^H15 holds, .* \(2 places\)/);
  const late = await check(lastBlock({ late: '' }));
  assert.equal(late.verdict, 'certified');
  assert.match(
    late.scope.assumptions.map((one) => one.text).join('; '),
    /and needs no fence behind the draw/,
  );
  for (const changed of [{}, { late: '' }]) {
    const { findings } = await check(lastBlock(changed), { memory: 'isa' });
    assert.equal(findings[0]?.rule, 'relaxed-signal');
  }
  const reset = 'setp.eq.u32 %p3, %r1, 0; @%p3 st.global.u32 [%d1], 0;';
  assert.equal((await check(lastBlock({ rest: reset }))).verdict, 'certified');
});

const LAST: readonly (readonly [string, Parameters<typeof lastBlock>[0], RegExp])[] = [
  ['no fence before the number is drawn', { fence: '' }, /^relaxed-signal$/],
  ['a fence of the block', { fence: 'membar.cta;' }, /^relaxed-signal|scope-too-narrow$/],
  ['the number is drawn before the others have stored', { meet: '' }, /^race|unjoined-lanes$/],
];

for (const [name, changed, rule] of LAST)
  test(`the last block: ${name}`, async () => {
    const { findings, reason } = await check(lastBlock(changed));
    assert.match(findings[0]?.rule ?? reason!, rule);
  });

test('S18: the word that a relaxed poll has seen is written again without a fence of its own', async () => {
  const text = `@%q bra READ;
st.global.u32 [%d], 7; fence.acq_rel.gpu; atom.relaxed.gpu.global.exch.b32 %v, [%f], 1; ret;
READ: ld.relaxed.gpu.global.u32 %v, [%f]; setp.eq.u32 %p, %v, 0; @%p bra READ;
FENCE
ld.global.u32 %w, [%d]; st.global.u32 [%f], 0;`;
  for (const memory of ['practice', 'isa'] as const) {
    const fenced = kernelOf({ text: text.replace('FENCE', 'fence.acq_rel.gpu;') });
    assert.equal((await check(fenced, { memory })).verdict, 'certified');
    const { findings } = await check(kernelOf({ text: text.replace('FENCE', '') }), { memory });
    assert.match(findings[0]?.message ?? '', /^cta0.warp0 reads data\/4, .*relaxed/);
  }
});

const APART: readonly (readonly [string, string, RegExp])[] = [
  [
    'a store at an address that is data',
    `${SIGNAL} ld.global.u32 %w, [%d+32]; mul.wide.u32 %a, %w, 4; add.s64 %a, %d, %a;
st.global.u32 [%a], 1;`,
    /at an address that is data, blocks touch nothing that others write/,
  ],
  [
    'a bulk store at an address that is data',
    `${SIGNAL} ld.global.u64 %a, [%d+32];
cp.async.bulk.global.shared::cta.bulk_group [%a], [s], 16;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`,
    /at addresses that are data, touch in global memory is not compared between blocks/,
  ],
];

for (const [name, text, assumed] of APART)
  test(`what is not compared between blocks is assumed: ${name}`, async () => {
    const { verdict, scope } = await check(
      kernelOf({ text: `@%q bra READ; ${text} ret; ${READ}` }),
    );
    assert.equal(verdict, 'certified');
    assert.match(scope.assumptions.map((one) => one.text).join('; '), assumed);
  });

test('draws that the launch names are those of the first block', async () => {
  const text = `atom.relaxed.gpu.global.add.u32 %v, [%f], 1; setp.ne.u32 %p, %v, 9; @%p ret;`;
  const launch = { atomicAnswers: [3] };
  const { verdict, scope } = await check(kernelOf({ text, launch }));
  assert.equal(verdict, 'certified');
  assert.match(
    scope.assumptions.map((one) => one.text).join('; '),
    /only the first cluster is executed: the launch says/,
  );
  const alone = await check(kernelOf({ text, launch, blocks: 1 }));
  assert.deepEqual(alone.scope.assumptions, []);
});

/** Blocks 0 and 1 write a word; the last block reads it behind both, and hangs if it is 0. */
function contested(write: string): ReturnType<typeof kernelOf> {
  return kernelOf({
    text: `setp.eq.u32 %p, %b, 2; @%p bra READ; ${write} ${SIGNAL} ret;
READ: ld.acquire.gpu.global.u32 %v, [%f]; setp.lt.u32 %p, %v, 2; @%p bra READ;
ld.global.u32 %w, [%d]; setp.ne.u32 %p, %w, 0; @%p ret; bar.sync 0, 64;`,
    blocks: 3,
    launch: {
      params: [
        { kind: 'pointer', bytes: 64, int32: [0] },
        { kind: 'pointer', bytes: 64, int32: [0] },
      ],
    },
  });
}

test('what a word holds after writes that nothing orders is no known data', async () => {
  for (const write of [
    'st.relaxed.gpu.global.u32 [%d], %b;',
    'atom.relaxed.gpu.global.exch.b32 %w, [%d], %b;',
  ]) {
    const { verdict, reason } = await check(contested(write));
    assert.equal(verdict, 'inconclusive');
    assert.match(reason!, /^its predicate is unknown data/);
  }
  const added = await check(contested('red.relaxed.gpu.global.add.u32 [%d], 1;'));
  // The barrier is behind a branch that known data does not take.
  assert.match(added.reason!, /reaches no instruction that synchronizes/);
  assert.doesNotMatch(added.scope.assumptions.map((one) => one.text).join('; '), /first cluster/);
});

const BUSY: readonly (readonly [string, string, string])[] = [
  [
    'gives up after some tries',
    'counterexample',
    `mov.u32 %v, 0; AGAIN: ld.acquire.gpu.global.u32 %w, [%f]; setp.ne.u32 %p, %w, 0; @%p bra GO;
add.u32 %v, %v, 1; setp.lt.u32 %p, %v, 10; @%p bra AGAIN; GO:`,
  ],
  [
    'counts its tries, which decide nothing',
    'certified',
    `mov.u32 %v, 0; AGAIN: ld.acquire.gpu.global.u32 %w, [%f]; add.u32 %v, %v, 1;
setp.eq.u32 %p, %w, 0; @%p bra AGAIN; st.global.u32 [%d+8], %v;`,
  ],
  [
    'makes its first try before the loop',
    'certified',
    `ld.acquire.gpu.global.u32 %w, [%f]; setp.ne.u32 %p, %w, 0; @%p bra GO; mov.u32 %v, 8;
AGAIN: nanosleep.u32 %v; shl.b32 %v, %v, 1; ld.acquire.gpu.global.u32 %w, [%f];
setp.eq.u32 %p, %w, 0; @%p bra AGAIN; GO:`,
  ],
  [
    'does something else if its first try fails',
    'certified',
    `ld.acquire.gpu.global.u32 %w, [%f]; setp.ne.u32 %p, %w, 0; @%p bra GO;
AGAIN: ld.acquire.gpu.global.u32 %w, [%f]; setp.eq.u32 %p, %w, 0; @%p bra AGAIN;
st.global.u32 [%d+8], 1; GO:`,
  ],
];

for (const [name, expected, text] of BUSY)
  test(`a wait that ${name}`, async () => {
    const read = `READ: ${text} ld.global.u32 %w, [%d];`;
    const { verdict, reason } = await check(
      kernelOf({ text: `@%q bra READ; st.global.u32 [%d], 7; ${SIGNAL} ret; ${read}` }),
    );
    assert.equal(verdict, expected, reason);
  });

test('more words than are followed', async () => {
  const text = `mul.wide.u32 %a, %b, 16777216; add.s64 %a, %d, %a; mov.u32 %v, 0;
FILL: cp.async.bulk.global.shared::cta.bulk_group [%a], [s], 16384; add.s64 %a, %a, 16384;
add.u32 %v, %v, 1; setp.lt.u32 %p, %v, 129; @%p bra FILL;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
${WAIT}`;
  const { verdict, reason } = await check(kernelOf({ text }));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /^blocks touch more global memory than is compared/);
});
