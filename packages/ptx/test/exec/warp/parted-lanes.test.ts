// Lanes that wait in an exchange for lanes of their warp that went another way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const REGISTERS = '.reg .b32 %r<8>; .reg .pred %p<4>; .shared .align 4 .b32 word[32];';

const verdictOfBody = (body: string) =>
  check(
    ptxKernel({
      ptx: {
        file: 'kernel.ptx',
        text: kernelText(REGISTERS, `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; ${body} ret;`),
      },
      launch: {
        file: 'launch.json',
        text: JSON.stringify({ grid: [1, 1, 1], block: [32, 1, 1], params: [] }),
      },
    }),
  );

/** Lane 0 alone asks lanes 0 to 7 for their votes; all lanes come to `after`. */
const verdictOf = (after: string) =>
  verdictOfBody(`@%p0 bra AFTER; vote.sync.ballot.b32 %r1, %p0, 255; AFTER: ${after}`);

test('lanes that wait for those at a barrier of all threads are a deadlock', async () => {
  for (const barrier of ['bar.sync 0;', 'barrier.sync 0;', 'barrier.cluster.wait.aligned;']) {
    const { verdict, findings } = await verdictOf(barrier);
    assert.equal(verdict, 'counterexample');
    assert.equal(findings[0]!.rule, 'deadlock');
    assert.match(
      findings[0]!.message,
      /^warp0 exchanges data with lanes 1–7, which never come to the same place/,
    );
    assert.match(findings[0]!.primary.text, /^warp0 waits here/);
  }
});

test('lanes that end are waited for no more', async () => {
  assert.equal((await verdictOf('')).verdict, 'certified');
  assert.equal((await verdictOf('st.shared.u32 [word], 1;')).verdict, 'certified');
});

test('what may go on without the lanes that wait is not decided', async () => {
  for (const after of ['bar.sync 1, 32;', 'bar.arrive 1, 64;', 'bar.warp.sync -1;']) {
    const { verdict, reason } = await verdictOf(after);
    assert.equal(verdict, 'inconclusive');
    assert.match(reason!, /lanes/);
  }
});

test('lanes that come to an .aligned instruction without those that wait for them', async () => {
  const { verdict, findings } = await verdictOf('wgmma.fence.sync.aligned;');
  assert.equal(verdict, 'counterexample');
  assert.match(findings[0]!.message, /\.aligned, and lanes 1–31 .* lane 0$/);
});

/** Lane 0 alone stores to `word`; the others jump right to `meet`, as nvcc threads jumps. */
const threaded = (meet: string, after = '') =>
  verdictOfBody(`@%p0 bra MEET; st.shared.u32 [word], 7;
    mov.u32 %r3, %tid.y; setp.ne.u32 %p2, %r3, 0; @%p2 bra LAST; MEET: ${meet} ${after} LAST:`);

test('lanes that jump right to an instruction of the warp wait for those that come later', async () => {
  const load = 'ld.shared.u32 %r2, [word];';
  for (const meet of [
    'vote.sync.ballot.b32 %r2, %p0, -1;',
    'bar.warp.sync -1;',
    'elect.sync %r2|%p2, -1;',
    'wgmma.fence.sync.aligned;',
    'bar.sync 0;',
    'bar.sync 0; vote.sync.any.pred %p2, %p0, -1; bar.sync 0;',
  ]) {
    const { verdict, reason, findings } = await threaded(meet, load);
    assert.equal(verdict, 'certified', `${meet}: ${reason ?? findings[0]?.message}`);
  }
});

test('lanes that jump over an instruction of the warp do not wait there', async () => {
  const { verdict, findings } = await threaded('', 'ld.shared.u32 %r2, [word];');
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]!.rule, 'unjoined-lanes');
});

test('lanes meet at different barriers of lanes with one mask', async () => {
  /** Each half of the warp executes a text of its own. */
  const halves = (one: string, other = one) =>
    verdictOfBody(`shl.b32 %r1, %r0, 2; mov.u32 %r2, word; add.u32 %r3, %r2, %r1; xor.b32 %r1, %r1, 64;
      add.u32 %r4, %r2, %r1; setp.lt.u32 %p1, %r0, 16; mov.u32 %r5, 0;
      @%p1 bra OTHER; ${one} bra END; OTHER: ${other} END:`);
  const [store, load] = ['st.shared.u32 [%r3], %r0;', 'ld.shared.u32 %r6, [%r4];'];
  const meet = 'bar.warp.sync -1;';
  const exchange = `${store} ${meet} ${load}`;
  assert.equal((await halves(exchange)).verdict, 'certified');
  assert.equal((await halves(`${exchange} ${meet} ${store}`)).verdict, 'certified');
  const late = await halves(`${exchange} ${store}`);
  assert.equal(late.findings[0]!.rule, 'unjoined-lanes');
  const early = await halves(`${meet} ${store} ${load}`, exchange);
  assert.equal(early.findings[0]!.rule, 'unjoined-lanes');
  const round = (label: string) =>
    `${label}: ${meet} add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 4; @%p2 bra ${label};`;
  assert.equal((await halves(round('ONE'), round('TWO'))).verdict, 'certified');
  // Another mask is another barrier.
  const other = exchange.replace('-1', '0x1ffff');
  assert.equal((await halves(exchange, other)).verdict, 'inconclusive');
});
