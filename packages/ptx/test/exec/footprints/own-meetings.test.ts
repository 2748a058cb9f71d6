// Global memory within one block is compared like shared memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 16 .b8 tile[1024];`;
const BASES = `ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;
mul.wide.u32 %rd3, %r0, 4; add.u64 %rd2, %rd0, %rd3; add.u64 %rd4, %rd1, %rd3;
setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 32; setp.eq.u32 %p2, %r0, 1; bar.sync 0;`;

/** The verdict with the rule of the first error, or with the names of what it assumes. */
async function verdictOf(body: string): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 out, .param .u64 in');
  const params = [{ kind: 'pointer' }, { kind: 'pointer' }];
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, scope } = await check(kernel);
  const names = scope.assumptions.map(({ name }) => name).filter((name) => name !== 'H9');
  return [verdict, ...(findings.length > 0 ? [findings[0]!.rule] : names)].join(' ');
}

const CASES: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  warps: [
    ['a store and a load', '@%p0 st.global.u32 [%rd0], 1; @%p1 ld.global.u32 %r1, [%rd0];', 'race'],
    [
      'a store and a load with a barrier between',
      '@%p0 st.global.u32 [%rd0], 1; bar.sync 0; @%p1 ld.global.u32 %r1, [%rd0];',
      'certified',
    ],
    [
      'what one writes in a round, another one reads in it',
      `mov.u32 %r2, 0; ROUND: @%p0 st.global.u32 [%rd0], %r2; bar.sync 0;
      @%p1 ld.global.u32 %r1, [%rd0]; bar.sync 0;
      add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 4; @%p3 bra ROUND;`,
      'certified',
    ],
    [
      'the next round writes before it is read',
      `mov.u32 %r2, 0; ROUND: @%p0 st.global.u32 [%rd0], %r2; bar.sync 0;
      @%p1 ld.global.u32 %r1, [%rd0];
      add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 4; @%p3 bra ROUND;`,
      'race',
    ],
    ['a generic store and a load', '@%p0 st.u32 [%rd0], 1; @%p1 ld.u32 %r1, [%rd0];', 'race'],
    ['parts of one word', '@%p0 st.global.u16 [%rd0], 1; @%p1 ld.global.u8 %r1, [%rd0+1];', 'race'],
    [
      'bytes beside each other',
      '@%p0 st.global.u16 [%rd0], 1; @%p1 ld.global.u16 %r1, [%rd0+2];',
      'certified',
    ],
  ],
  lanes: [
    ['each lane its own', 'ld.global.u32 %r1, [%rd2]; st.global.u32 [%rd2], %r1;', 'certified'],
    [
      'a lane reads what its neighbor writes',
      'st.global.u32 [%rd2], %r0; ld.global.u32 %r1, [%rd2+4];',
      'race',
    ],
    [
      'a lane reads what its neighbor wrote before',
      'st.global.u32 [%rd2], %r0; bar.warp.sync -1; bar.sync 0; ld.global.u32 %r1, [%rd2+4];',
      'certified',
    ],
    [
      'two lanes of a warp',
      '@%p0 st.global.u32 [%rd0], 1; @%p2 ld.global.u32 %r1, [%rd0];',
      'unjoined-lanes',
    ],
    [
      'two lanes of a warp that join',
      '@%p0 st.global.u32 [%rd0], 1; bar.warp.sync -1; @%p2 ld.global.u32 %r1, [%rd0];',
      'certified',
    ],
  ],
  values: [
    ['all store the same', 'st.global.u32 [%rd0], 7;', 'certified'],
    ['warps store the same', 'shr.u32 %r1, %r0, 6; st.global.u32 [%rd0], %r1;', 'certified'],
    ['warps store what differs', 'shr.u32 %r1, %r0, 5; st.global.u32 [%rd0], %r1;', 'race'],
    [
      'warps store what both have loaded',
      'ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd0], %r1;',
      'certified',
    ],
    ['reductions', 'red.global.add.u32 [%rd0], 1;', 'certified'],
    ['a reduction and a load', 'red.global.add.u32 [%rd0], 1; ld.global.u32 %r1, [%rd0];', 'race'],
  ],
  copies: [
    [
      'cp.async reads what another warp stores',
      `@%p0 st.global.u32 [%rd0+160], 1; add.u32 %r2, %r0, %r0; add.u32 %r2, %r2, %r2;
      mov.u32 %r3, tile; add.u32 %r2, %r2, %r3; cp.async.ca.shared.global [%r2], [%rd2], 4;
      cp.async.wait_all;`,
      'race',
    ],
    [
      'cp.async reads it behind a barrier',
      `@%p0 st.global.u32 [%rd0+160], 1; bar.sync 0; add.u32 %r2, %r0, %r0;
      add.u32 %r2, %r2, %r2; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3;
      cp.async.ca.shared.global [%r2], [%rd2], 4; cp.async.wait_all;`,
      'certified',
    ],
  ],
  data: [
    [
      'data decides who stores at a place of its own',
      `ld.global.u32 %r1, [%rd4]; setp.ne.u32 %p3, %r1, 0; @!%p3 bra OVER;
      st.global.u32 [%rd2], 1; OVER:`,
      'certified',
    ],
    [
      'data decides who stores what another one reads',
      `ld.global.u32 %r1, [%rd4]; setp.ne.u32 %p3, %r1, 0; @!%p3 bra OVER;
      st.global.u32 [%rd0], %r0; OVER:`,
      'inconclusive',
    ],
    [
      'data decides where all store',
      `ld.global.u32 %r1, [%rd4]; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd0, %rd5;
      st.global.u32 [%rd5], 1;`,
      'inconclusive',
    ],
    [
      'data decides where all read, and none writes',
      `ld.global.u32 %r1, [%rd4]; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd1, %rd5;
      ld.global.u32 %r2, [%rd5]; st.global.u32 [%rd2], %r2;`,
      'certified',
    ],
  ],
};

for (const [kind, cases] of Object.entries(CASES))
  test(`${kind} of one block in global memory`, async (t) => {
    for (const [name, body, verdict] of cases)
      await t.test(`${name}: ${verdict}`, async () => {
        const found = await verdictOf(body);
        const isRule = verdict === 'race' || verdict === 'unjoined-lanes';
        const expected = isRule ? `counterexample ${verdict}` : verdict;
        assert.equal(found.slice(0, expected.length), expected, found);
      });
  });
