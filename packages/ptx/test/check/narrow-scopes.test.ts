// Volatile and atomic accesses of several blocks to one word, with scopes that do not include both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS =
  '.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; .shared .align 4 .b32 word;';
const BEGIN = `ld.param.u64 %rd0, [p]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p1, %r0, 0;`;

function ruleOf(first: string, second: string, blocks = 2, cluster = 1): Promise<string> {
  const body = `${BEGIN} @%p0 bra FIRST; ${second} bra END; FIRST: ${first} END: ret;`;
  return ruleOfBody(body, blocks, cluster);
}

async function ruleOfBody(body: string, blocks: number, cluster: number): Promise<string> {
  const launch = {
    grid: [blocks, 1, 1],
    cluster: [cluster, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 256, int32: [0, 0, 0, 0] }],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(DECLARATIONS, body, '.param .u64 p') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

const add = (scope: string, at = '%rd0'): string =>
  `red.relaxed.${scope}.global.add.u32 [${at}], 1;`;
const exchange = (scope: string): string =>
  `atom.relaxed.${scope}.global.exch.b32 %r2, [%rd0], %r1;`;
const store = (scope: string): string => `st.relaxed.${scope}.global.u32 [%rd0], %r1;`;
const load = (scope: string): string => `ld.relaxed.${scope}.global.u32 %r3, [%rd0];`;

test('a scope that includes both blocks orders their accesses', async () => {
  for (const scope of ['gpu', 'sys']) {
    assert.equal(await ruleOf(add(scope), add('gpu')), 'certified');
    assert.equal(await ruleOf(exchange(scope), exchange('gpu')), 'certified');
  }
});

test('a scope that does not include the other block is a race', async () => {
  for (const scope of ['cta', 'cluster']) {
    assert.equal(await ruleOf(add(scope), add(scope)), 'scope-too-narrow');
    assert.equal(await ruleOf(exchange(scope), exchange(scope)), 'scope-too-narrow');
    assert.equal(await ruleOf(add(scope), add('gpu')), 'scope-too-narrow');
    assert.equal(await ruleOf(add('gpu'), add(scope)), 'scope-too-narrow');
    assert.equal(await ruleOf(load(scope), store('gpu')), 'scope-too-narrow');
    assert.equal(await ruleOf(load('gpu'), store(scope)), 'scope-too-narrow');
  }
});

test('threads of one block, reads alone, and words of their own', async () => {
  assert.equal(await ruleOf(add('cta'), add('cta'), 1), 'certified');
  assert.equal(await ruleOf(load('cta'), load('cta')), 'certified');
  assert.equal(await ruleOf(add('cta'), add('cta', '%rd0+128')), 'certified');
});

test('a flag of a scope that includes both blocks orders what threads of one block add', async () => {
  const first = `${add('cta', '%rd0+128')} bar.sync 0; @!%p1 bra END;
    st.release.gpu.global.u32 [%rd0], 1;`;
  const wait =
    '@!%p1 bra MEET; W: ld.acquire.gpu.global.u32 %r3, [%rd0]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W; MEET: bar.sync 0;';
  assert.equal(await ruleOf(first, `${wait} ${add('cta', '%rd0+128')}`), 'certified');
  assert.equal(await ruleOf(first, add('cta', '%rd0+128')), 'scope-too-narrow');
});

test('CTAs of one cluster race where a scope is one CTA', async () => {
  for (const scope of ['cluster', 'gpu']) {
    assert.equal(await ruleOf(add(scope), add(scope), 2, 2), 'certified');
    assert.equal(await ruleOf(add('cta'), add(scope), 2, 2), 'scope-too-narrow');
  }
  assert.equal(await ruleOf(add('cluster'), add('cluster'), 4, 2), 'scope-too-narrow');
  assert.equal(await ruleOf(add('cta'), add('cta', '%rd0+128'), 2, 2), 'certified');
});

const MEET = 'barrier.cluster.arrive; barrier.cluster.wait;';

/** A thread of each CTA adds to the word of the first one; one more of each adds to its own. */
const ofShared = (scope: string, own = scope): string => `${BEGIN}
  mov.u32 %r4, word; mapa.shared::cluster.u32 %r5, %r4, 0;
  @%p1 st.shared.u32 [word], 0; ${MEET}
  @%p1 red.relaxed.${scope}.shared::cluster.add.u32 [%r5], 1; ${MEET}
  @%p1 red.relaxed.${own}.shared.add.u32 [word], 1;
  setp.eq.u32 %p2, %r0, 32; @%p2 red.relaxed.${own}.shared.add.u32 [word], 1; ${MEET} ret;`;

test('shared memory that threads of two CTAs add to', async () => {
  assert.equal(await ruleOfBody(ofShared('cluster'), 2, 2), 'certified');
  assert.equal(await ruleOfBody(ofShared('cluster', 'cta'), 2, 2), 'certified');
  assert.equal(await ruleOfBody(ofShared('cta'), 2, 2), 'scope-too-narrow');
});

test('what a thread has released at a word comes with its later writes of the word', async () => {
  const signal = (early: string): string => `@!%p1 bra END; st.global.u32 [%rd0+128], 1;
    st.${early}.global.u32 [%rd0], 1; st.relaxed.gpu.global.u32 [%rd0], 2;`;
  const wait = `@!%p1 bra END; POLL: ld.acquire.gpu.global.u32 %r3, [%rd0];
    setp.ne.u32 %p2, %r3, 2; @%p2 bra POLL; ld.global.u32 %r4, [%rd0+128];`;
  assert.equal(await ruleOf(signal('release.gpu'), wait), 'certified');
  assert.equal(await ruleOf(signal('relaxed.gpu'), wait), 'relaxed-signal');
  // A release of another word is none of this one.
  const apart = signal('release.gpu').replace('[%rd0], 1', '[%rd0+64], 1');
  assert.equal(await ruleOf(apart, wait), 'relaxed-signal');
  assert.equal(await ruleOf(signal('release.cta'), wait), 'scope-too-narrow');
});

test('a fence of a cluster orders nothing for another one', async () => {
  const signal = (scope: string): string => `@!%p1 bra END; st.global.u32 [%rd0+128], 1;
    fence.acq_rel.${scope}; st.relaxed.gpu.global.u32 [%rd0], 1;`;
  const wait = (scope: string): string => `@!%p1 bra END;
    POLL: ld.relaxed.gpu.global.u32 %r3, [%rd0]; setp.ne.u32 %p2, %r3, 1; @%p2 bra POLL;
    fence.acq_rel.${scope}; ld.global.u32 %r4, [%rd0+128];`;
  assert.equal(await ruleOf(signal('gpu'), wait('gpu')), 'certified');
  assert.equal(await ruleOf(signal('cluster'), wait('gpu')), 'scope-too-narrow');
  assert.equal(await ruleOf(signal('gpu'), wait('cluster')), 'scope-too-narrow');
  assert.equal(await ruleOf(signal('cluster'), wait('cluster'), 2, 2), 'certified');
});
