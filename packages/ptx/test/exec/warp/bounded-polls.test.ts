// Tries of an mbarrier that a warp counts: a wait, unless their number decides what it does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ASSUMPTION_NAMES, type AssumptionName } from '@poundlock/core/internal/finding';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .local .align 4 .b8 spilled[8];
  .shared .align 8 .b64 bar; .shared .align 4 .b8 tile[256];`;

const TRY = 'mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;';
const READ = 'ld.shared.u32 %r8, [%r4];';

/** All assumptions but the one that waits do not give up. */
const IMPATIENT: readonly AssumptionName[] = ASSUMPTION_NAMES.filter(
  (name) => name !== 'no-timeout',
);

/** Warp 0 writes a tile and arrives; warp 1 reads the tile after `wait`. */
async function verdictOf(wait: string, accept = IMPATIENT): Promise<string> {
  const { verdict, findings, reason, scope } = await check(
    ptxKernel({
      ptx: {
        file: 'kernel.ptx',
        text: kernelText(
          DECLARATIONS,
          `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile;
           add.u32 %r4, %r3, %r2; setp.ne.u32 %p0, %r0, 0;
           @!%p0 mbarrier.init.shared.b64 [bar], 32; bar.sync 0; setp.gt.u32 %p1, %r0, 31;
           mov.u32 %r9, 0; @%p1 bra WAIT;
           st.shared.u32 [%r4], %r1; mbarrier.arrive.shared.b64 %rd0, [bar]; bra.uni END;
           WAIT: ${wait} END: ret;`,
        ),
      },
      launch: {
        file: 'launch.json',
        text: JSON.stringify({ grid: [1, 1, 1], block: [64, 1, 1], params: [] }),
      },
    }),
    { accept },
  );
  const isTrapping = /traps after some tries/.test(scope.assumptions.map((one) => one.text).join());
  return [verdict, findings[0]?.rule ?? reason ?? '', isTrapping === true ? 'traps' : ''].join(' ');
}

test('a number of tries that decides nothing is unknown behind the wait', async () => {
  const counted = `AGAIN: add.u32 %r9, %r9, 1; ${TRY} @!%p2 bra AGAIN;`;
  assert.match(await verdictOf(`${counted} ${READ}`), /^certified/);
  // The pause grows up to a limit.
  const pause = `AGAIN: ${TRY} @%p2 bra DONE; nanosleep.u32 %r9; setp.gt.u32 %p3, %r9, 255;
    @%p3 bra AGAIN; add.u32 %r9, %r9, 16; bra.uni AGAIN; DONE: ${READ}`;
  assert.match(await verdictOf(pause), /^certified/);
  const decides = `${counted} setp.gt.u32 %p3, %r9, 3; @%p3 bra.uni END; bar.sync 1, 32;
    @!%p3 mbarrier.arrive.shared.b64 %rd0, [bar];`;
  assert.doesNotMatch(await verdictOf(decides), /^certified/);
});

test('a wait that gives up after some tries may do so at any of them', async () => {
  const giving = (at: string): string =>
    `AGAIN: ${TRY} @%p2 bra DONE; add.u32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 99;
     @%p3 bra AGAIN; ${at} DONE: ${READ}`;
  assert.match(await verdictOf(giving('')), /^counterexample race/);
  assert.match(await verdictOf(giving(''), ASSUMPTION_NAMES), /^certified/);
  assert.match(await verdictOf(giving('bra.uni END;')), /^certified/);
  assert.match(await verdictOf(giving('trap;')), /^certified .*traps/);
  // The count is in local memory, as in a kernel that is not optimized.
  const spilled = `st.local.u32 [spilled], 0; AGAIN: ${TRY} @%p2 bra DONE;
    ld.local.u32 %r9, [spilled]; add.u32 %r9, %r9, 1; st.local.u32 [spilled], %r9;
    setp.ne.u32 %p3, %r9, 99; @%p3 bra AGAIN; DONE: ${READ}`;
  assert.match(await verdictOf(spilled), /^counterexample race/);
});

test('tries that give up to a wait for the same phase are a wait', async () => {
  const then = (parity: number): string =>
    `${TRY} @%p2 bra DONE; ${TRY} @%p2 bra DONE; LAST:
     mbarrier.try_wait.parity.shared.b64 %p2, [bar], ${parity}; @!%p2 bra LAST; DONE: ${READ}`;
  assert.match(await verdictOf(then(0)), /^certified/);
  assert.doesNotMatch(await verdictOf(then(1)), /^certified/);
});

test('lanes of one instruction may wait for different phases', async () => {
  // Lanes 0 and 1 of warp 0 each fill a half of the tile, which warps 1 and 2 give back.
  const loop = (wait: string, act: string): string =>
    `ROUND: ${wait} ${act} add.u32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 4; @%p3 bra ROUND;`;
  const wait = (name: string, parity: string): string =>
    `${name}: mbarrier.try_wait.parity.shared.b64 %p2, [${name === 'FREE' ? '%r11' : '%r10'}],
     ${parity}; @!%p2 bra ${name};`;
  const kernel = (half: string): Parameters<typeof ptxKernel>[0] => ({
    ptx: {
      file: 'kernel.ptx',
      text: kernelText(
        `.reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<4>;
         .shared .align 8 .b64 full[2]; .shared .align 8 .b64 free[2]; .shared .b32 tile[2];`,
        `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5; mov.u32 %r9, 0;
         mov.u32 %r10, full; mov.u32 %r11, free; mov.u32 %r12, tile; setp.gt.u32 %p0, %r0, 1;
         shl.b32 %r3, %r0, 3; add.u32 %r4, %r10, %r3; add.u32 %r5, %r11, %r3;
         @!%p0 mbarrier.init.shared.b64 [%r4], 1; @!%p0 mbarrier.init.shared.b64 [%r5], 32;
         bar.sync 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra READ;
         setp.gt.u32 %p0, %r1, 1; @%p0 bra END;
         mov.u32 %r10, %r4; mov.u32 %r11, %r5; shl.b32 %r6, %r1, 2; add.u32 %r6, %r12, %r6;
         ${loop(`and.b32 %r8, %r9, 1; xor.b32 %r8, %r8, 1; ${wait('FREE', '%r8')}`, `st.shared.u32 [%r6], %r9; mbarrier.arrive.shared.b64 %rd0, [%r10];`)}
         bra.uni END;
         READ: sub.u32 %r3, %r2, 1; shl.b32 %r4, %r3, 3; add.u32 %r10, %r10, %r4; add.u32 %r11, %r11, %r4;
         shl.b32 %r5, ${half}, 2; add.u32 %r6, %r12, %r5;
         ${loop(
           `and.b32 %r8, %r9, 1; ${wait('FULL', '%r8')}`,
           `ld.shared.u32 %r7, [%r6]; mbarrier.arrive.shared.b64 %rd0, [%r11];`,
         )
           .replace('ROUND', 'NEXT')
           .replace('bra ROUND', 'bra NEXT')}
         END: ret;`,
      ),
    },
    launch: {
      file: 'launch.json',
      text: JSON.stringify({ grid: [1, 1, 1], block: [96, 1, 1], params: [] }),
    },
  });
  const own = await check(ptxKernel(kernel('%r3')));
  assert.equal(own.verdict, 'certified', own.reason);
  const other = await check(ptxKernel(kernel('0')));
  assert.equal(other.verdict, 'counterexample');
});
