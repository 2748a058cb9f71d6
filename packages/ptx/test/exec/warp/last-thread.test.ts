// What only the last of several warps does: the one that finds what the others have added to a word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const REGISTERS = `.reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p<4>;
  .shared .align 8 .b64 done; .shared .align 4 .b32 users;`;

interface Shape {
  /** What a warp finds in the word if it is the last. */
  readonly equals?: number;
  /** What each warp does to the word. */
  readonly count?: string;
  /** What the first thread does before all others begin. */
  readonly begin?: string;
  readonly isOneLane?: boolean;
  readonly ctas?: number;
}

/** Three warps wait for all to arrive at `done`; the last one to leave invalidates it. */
function verdictOf(shape: Shape) {
  const {
    equals = 32,
    count = 'atom.shared.add.u32 %r1, [users], -32;',
    begin = 'st.shared.u32 [users], 96;',
    isOneLane = true,
    ctas = 1,
  } = shape;
  const text = kernelText(
    REGISTERS,
    `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
     mbarrier.init.shared::cta.b64 [done], ${isOneLane ? 3 : 96}; ${begin} READY: bar.sync 0;
     and.b32 %r2, %r0, 31; setp.ne.u32 %p1, %r2, 0; ${isOneLane ? '@%p1 bra END;' : ''}
     mbarrier.arrive.shared::cta.b64 %rd0, [done];
     LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0; @!%p2 bra LOOP;
     ${count} setp.ne.s32 %p3, %r1, ${equals}; @%p3 bra END;
     mbarrier.inval.shared::cta.b64 [done]; END: ret;`,
  );
  const launch = { grid: [ctas, 1, 1], cluster: [ctas, 1, 1], block: [96, 1, 1], params: [] };
  return check(
    ptxKernel({
      ptx: { file: 'kernel.ptx', text },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    }),
  );
}

test('what the last warp does comes after all that the others do', async () => {
  const { verdict, reason } = await verdictOf({});
  assert.equal(verdict, 'certified', reason);
});

test('what the last but one does meets the last', async () => {
  for (const equals of [64, 96]) {
    const { verdict, findings } = await verdictOf({ equals });
    assert.equal(verdict, 'counterexample');
    assert.match(findings[0]!.message, /done/);
  }
});

test('a value that none finds is never acted on', async () => {
  assert.equal((await verdictOf({ equals: 7 })).verdict, 'certified');
});

test('a count that begins unordered with an addition is a race', async () => {
  const { verdict, findings, reason } = await verdictOf({
    begin: '',
    count: `setp.ne.u32 %p0, %r0, 32; @!%p0 st.relaxed.cta.shared.u32 [users], 96;
      atom.shared.add.u32 %r1, [users], -32;`,
  });
  assert.equal(verdict, 'counterexample', reason);
  assert.equal(findings[0]!.rule, 'race');
});

test('warps of several CTAs that add to one word prove nothing', async () => {
  const { verdict, reason } = await verdictOf({
    ctas: 2,
    count: `mov.u32 %r5, users; mapa.shared::cluster.u32 %r6, %r5, 0;
      atom.shared::cluster.add.u32 %r1, [%r6], -32;`,
  });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /warps of several CTAs/);
});

test('where the last is not known, nothing is proved', async () => {
  const shapes: Shape[] = [
    { isOneLane: false },
    { count: 'atom.shared.add.u32 %r1, [users], -32; atom.shared.exch.b32 %r3, [users], 5;' },
    { begin: '' },
    { count: 'atom.shared.xor.b32 %r1, [users], 32;' },
  ];
  for (const shape of shapes) {
    const { verdict, reason } = await verdictOf(shape);
    assert.equal(verdict, 'inconclusive', JSON.stringify(shape));
    assert.match(reason!, /unknown data|last/);
  }
});
