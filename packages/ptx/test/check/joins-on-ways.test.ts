// Joins of lanes on the ways of a branch that unknown data or an unknown address decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
.shared .align 128 .b8 tile[128]; .shared .align 8 .b64 full;`;
const BASES = `ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31;
mov.u32 %r5, tile; mad.lo.u32 %r4, %r3, 4, %r5; xor.b32 %r5, %r4, 4;
setp.eq.u32 %p0, %r1, 0; setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r3, 0;`;
const OWN = 'st.shared.u32 [%r4], %r1;';
const NEXT = 'ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd1+64], %r6;';
const JOIN = 'bar.warp.sync -1;';

/** What decides the branch, in `%p3`. */
const DECIDERS = {
  data: 'ld.global.u32 %r7, [%rd1]; setp.eq.u32 %p3, %r7, 1;',
  'an address': `shr.u64 %rd2, %rd1, 20; cvt.u32.u64 %r7, %rd2; and.b32 %r7, %r7, 1;
    setp.eq.u32 %p3, %r7, 1;`,
} as const;

async function resultOf(body: string, threads = 32): Promise<string> {
  const text = kernelText(DECLARED, `${BASES} ${body} END: ret;`, '.param .u64 p');
  const params = [{ kind: 'pointer', bytes: 4096 }];
  const launch = { grid: [1, 1, 1], block: [threads, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

const ways = (one: string, other: string, guard = '%p3', name = ''): string =>
  `@${guard} bra A${name}; ${one} bra B${name}; A${name}: ${other} B${name}:`;
const SIGNAL = `@%p0 mbarrier.init.shared::cta.b64 [full], 1; bar.sync 0; @!%p1 bra C;`;
const WAIT = `C: mbarrier.try_wait.parity.shared::cta.b64 %p5, [full], 0; @!%p5 bra C; ${NEXT}`;
const ARRIVE = '@%p2 mbarrier.arrive.shared::cta.b64 _, [full]; bra END;';

const RIGHT: Readonly<Record<string, string>> = {
  'on both ways': `${OWN} ${ways(JOIN, JOIN)} ${NEXT}`,
  'by a mask in a register': `mov.u32 %r9, -1; ${OWN} ${ways('bar.warp.sync %r9;', JOIN)} ${NEXT}`,
  'on both ways, beside an exchange': `${OWN}
    ${ways(`${JOIN} shfl.sync.idx.b32 %r8, %r1, 0, 31, -1;`, JOIN)} ${NEXT}`,
  'on ways of ways': `${OWN} ${ways(JOIN, ways(JOIN, JOIN, '%p2', 'I'))} ${NEXT}`,
  'by guards': `${OWN} @%p3 ${JOIN} @!%p3 ${JOIN} ${NEXT}`,
  'on one way each of two branches': `${OWN} ${ways(JOIN, '')} ${ways('', JOIN, '%p3', 'I')}
    ${NEXT}`,
  'beside accesses on the ways': `${ways(OWN + JOIN, `${OWN} ${JOIN}`)} ${NEXT}`,
  'before and after a read on each way': `${OWN}
    ${ways(`${JOIN} ${NEXT} ${JOIN}`, `${JOIN} ${NEXT} ${JOIN}`)} ${OWN}`,
};
const WRONG: Readonly<Record<string, string>> = {
  'on one way': `${OWN} ${ways(JOIN, '')} ${NEXT}`,
  'by half of a warp': `${OWN} ${ways(
    JOIN,
    `@%p2 bra A1; bar.warp.sync 0xfffffffe; bra B;
    A1: bar.warp.sync 1;`,
  )} ${NEXT}`,
};

for (const [by, decide] of Object.entries(DECIDERS)) {
  for (const [name, body] of Object.entries(RIGHT))
    test(`${by} decides, joined ${name}: certified`, async () => {
      assert.equal(await resultOf(`${decide} ${body}`), 'certified');
    });
  for (const [name, body] of Object.entries(WRONG))
    test(`${by} decides, joined ${name}: lanes are not joined`, async () => {
      assert.equal(await resultOf(`${decide} ${body}`), 'counterexample unjoined-lanes');
    });
  for (const [name, other] of Object.entries({ 'both ways': JOIN, 'one way': '' }))
    test(`${by} decides, joined on ${name} before an arrival of one lane`, async () => {
      const result = await resultOf(
        `${SIGNAL} ${decide} ${OWN} ${ways(JOIN, other)} ${ARRIVE} ${WAIT}`,
        64,
      );
      assert.equal(result, other === '' ? 'counterexample unjoined-lanes' : 'certified');
    });
}

test('lanes of which an address decides the bytes need not meet', async () => {
  // Lane 0 writes a word that of all lanes it alone may have read.
  const read = (at: string): string => `${SIGNAL} ${DECIDERS['an address']}
    mad.lo.u32 %r9, %r7, 64, ${at}; ld.shared.u32 %r6, [%r9];`;
  const write = '@%p2 st.shared.u32 [tile+64], %r1;';
  const wait = `C: mbarrier.try_wait.parity.shared::cta.b64 %p5, [full], 0; @!%p5 bra C;
    @%p2 ld.shared.u32 %r8, [tile+64];`;
  const open = await resultOf(`${read('%r4')} ${write} ${ARRIVE} ${wait}`, 64);
  assert.match(open, /^inconclusive/);
  const known = `${SIGNAL} ld.shared.u32 %r6, [tile+64]; ${write} ${ARRIVE} ${wait}`;
  assert.match(await resultOf(known, 64), /^counterexample unjoined-lanes/);
});
