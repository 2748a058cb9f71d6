// Warps that wait in a loop until another one has written shared memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .shared .align 4 .b32 flag; .shared .align 4 .b8 tile[128];`;

/** Warp 0 writes a tile and a flag; warp 1 reads the tile after `wait`. */
const verdictOf = (wait: string) =>
  check(
    ptxKernel({
      ptx: {
        file: 'kernel.ptx',
        text: kernelText(
          DECLARATIONS,
          `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile;
           add.u32 %r4, %r3, %r2; mov.u32 %r5, flag; setp.ne.u32 %p0, %r0, 0;
           @!%p0 st.volatile.shared.u32 [flag], 0; bar.sync 0; setp.gt.u32 %p1, %r0, 31;
           mov.u32 %r9, 0; @%p1 bra READ;
           st.shared.u32 [%r4], %r1; membar.cta; bar.warp.sync -1;
           @!%p0 st.volatile.shared.u32 [flag], 1; bra.uni END;
           READ: ${wait} membar.cta; ld.shared.u32 %r8, [%r4]; END: ret;`,
        ),
      },
      launch: {
        file: 'launch.json',
        text: JSON.stringify({ grid: [1, 1, 1], block: [64, 1, 1], params: [] }),
      },
    }),
  );

const loop = (read: string, again = '') =>
  `AGAIN: ${again} ${read} setp.eq.u32 %p2, %r7, 0; @%p2 bra AGAIN;`;

test('a loop that waits for a word of shared memory is a wait', async () => {
  for (const wait of [
    loop('ld.volatile.shared.u32 %r7, [flag];'),
    loop('ld.acquire.cta.shared.u32 %r7, [%r5];'),
    // The address is computed in each round, as in a kernel that is not optimized.
    loop('ld.volatile.shared.u32 %r7, [%r6];', 'mov.u32 %r6, flag;'),
    // Another one goes on: how long it pauses.
    loop('ld.volatile.shared.u32 %r7, [flag];', 'add.u32 %r9, %r9, 8; nanosleep.u32 %r9;'),
    loop('ld.acquire.cta.u32 %r7, [%rd1];', 'cvta.shared.u64 %rd1, flag;'),
    'bra.uni TRY; PAUSE: nanosleep.u32 20; TRY: ld.volatile.shared.u32 %r7, [flag]; setp.eq.u32 %p2, %r7, 0; @%p2 bra PAUSE;',
  ]) {
    const { verdict, reason } = await verdictOf(wait);
    assert.equal(verdict, 'certified', `${wait} ${reason}`);
  }
});

test('what follows a wait may need lanes that have exited', async () => {
  const wait = loop('ld.acquire.cta.shared.u32 %r7, [%r5];');
  const leaving = 'and.b32 %r10, %r0, 31; setp.ne.u32 %p3, %r10, 0; @%p3 bra END;';
  const { verdict, reason } = await verdictOf(`${leaving} ${wait} bar.warp.sync -1;`);
  assert.equal(verdict, 'certified', reason);
});

test('unknown data may decide how a warp waits, and whether it does', async () => {
  const poll = (label: string): string =>
    `${label}: ld.acquire.cta.shared.u32 %r7, [%r5]; setp.eq.u32 %p2, %r7, 0; @%p2 bra ${label};`;
  const either = (other: string): string =>
    `mov.u32 %r10, %clock; and.b32 %r10, %r10, 1; setp.eq.u32 %p3, %r10, 0; @%p3 bra OTHER;
     ${poll('ONE')} bra.uni READY; OTHER: ${other} READY:`;
  const { verdict, reason } = await verdictOf(either(poll('TWO')));
  assert.equal(verdict, 'certified', reason);
  const { findings } = await verdictOf(either(''));
  assert.equal(findings[0]!.rule, 'race');
});

test('lanes that take a flag from each other have no end that is followed', async () => {
  const { verdict, reason } = await verdictOf(loop('atom.shared.exch.b32 %r7, [flag], 0;'));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /changes a word more than \d+ times/);
});

test('a loop that exchanges what it has computed is no wait', async () => {
  const exchange = 'atom.shared.cas.b32 %r8, [flag], %r7, %r9; setp.ne.u32 %p2, %r8, %r7;';
  const { findings } = await verdictOf(
    `mov.u32 %r7, 0; AGAIN: add.u32 %r9, %r7, 1; ${exchange} mov.u32 %r7, %r8; @%p2 bra AGAIN;`,
  );
  assert.equal(findings[0]!.rule, 'race');
});
