// What lies on each way of a branch that data decides is certain; what one way avoids is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 1024 .b8 tile[8192]; .shared .align 8 .b8 word[64];`;
const BASES = `ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile;
shr.u32 %r2, %r0, 5; setp.eq.u32 %p0, %r2, 0; ld.global.u32 %r3, [%rd0];
setp.eq.u32 %p1, %r3, 7; setp.eq.u32 %p2, %r3, 8; setp.lt.u32 %p3, %r0, 9;`;

async function resultOf(body: string): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} END: ret;`, '.param .u64 data');
  const launch = {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 65_536 }],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...new Set(findings.map(({ rule }) => rule))].join(' ');
}

const arms = (one: string, other: string, guard = '%p1', name = ''): string =>
  `@${guard} bra A${name}; ${one} bra B${name}; A${name}: ${other} B${name}:`;
const WARP0 = '@!%p0 bra END;';
const past = (offset = 9000, to = '%r1'): string => `st.shared.u32 [${to}+${offset}], %r0;`;
const STORE = 'st.global.u32 [%rd0+4], %r0;';
const WORD = 'st.shared.u32 [%r1], %r0;';
const READ = `@%p0 bra W; ld.shared.u32 %r4, [%r1]; st.global.u32 [%rd0], %r4; bra END; W:`;

const BESIDE = 'add.u32 %r5, %r1, 12000; @%p3 mov.u32 %r5, %r1;';
const ERRORS: Readonly<Record<string, string>> = {
  'past the end behind a branch': `${WARP0} ${arms(STORE, '')} ${past()}`,
  'past the end in both arms': `${WARP0} ${arms(past(), past(9004))}`,
  'past the end in arms of arms': `${WARP0}
    ${arms(arms(past(), past(9008), '%p2', 'I'), past(9004))}`,
  'past the end behind barriers in the arms': `${arms('bar.sync 0;', 'bar.sync 1, 64;')} ${WARP0}
    ${past()}`,
};
const RACES: Readonly<Record<string, string>> = {
  'in both arms': `${READ} ${arms(`${WORD} ${STORE}`, WORD)}`,
  'of two warps, each in both arms': arms(`${WORD} ${STORE}`, 'st.shared.u32 [%r1], 5;'),
  'behind barriers in the arms': `${arms('bar.sync 0;', 'bar.sync 1, 64;')} ${READ} ${WORD}`,
};
const OPEN: Readonly<Record<string, string>> = {
  'past the end in one arm': `${WARP0} ${arms(past(), WORD)}`,
  'past the end in one arm of arms': `${WARP0} ${arms(arms(past(), WORD, '%p2', 'I'), past(9004))}`,
  'past the end in both arms, of other lanes': `${WARP0} ${BESIDE}
    ${arms(past(0, '%r5'), `@!%p3 mov.u32 %r5, %r1; @%p3 add.u32 %r5, %r1, 12000; ${past(0, '%r5')}`)}`,
  'past the end where a layout may have room': `${WARP0} ${past(8256)}`,
  'past the end in a loop of no rounds': `${WARP0} L: @%p1 bra M; ${past()} ld.global.u32 %r3, [%rd0];
    setp.eq.u32 %p1, %r3, 7; bra L; M:`,
  'a race of two warps, each in one arm': arms(WORD, STORE),
};

for (const [name, body] of Object.entries(ERRORS))
  test(`${name}: an error`, async () => {
    assert.equal(await resultOf(body), 'counterexample invalid-operation');
  });

for (const [name, body] of Object.entries(RACES))
  test(`a race ${name}: an error`, async () => {
    assert.equal(await resultOf(body), 'counterexample race');
  });

for (const [name, body] of Object.entries(OPEN))
  test(`${name}: inconclusive`, async () => {
    assert.equal(await resultOf(body), 'inconclusive');
  });

test('equal stores of all warps in both arms are right', async () => {
  const stores = arms('st.shared.u32 [%r1], 1;', 'st.shared.u32 [%r1], 2;');
  assert.equal(await resultOf(stores), 'certified');
});
