// tier: deep
// Every schedule of small PTX kernels: what each instruction of the interpreter does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreKernel, type Outcome } from '@poundlock/fuzz/internal/ptx';

const LAUNCH = {
  grid: [1, 1, 1],
  block: [64, 1, 1],
  params: [{ kind: 'pointer', int32: [0, 0, 0, 0] }],
};

/** Thread 0 is in %p1, warp 0 in %p2, the first lane of a warp in %p3. */
function explored(body: string, launch: object = {}): Outcome {
  const ptx = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p0)
{
  .reg .pred %p<10>; .reg .b32 %r<20>; .reg .b64 %rd<4>;
  .shared .align 128 .b8 tile[512];
  .shared .align 8 .b64 full; .shared .align 8 .b64 other;
  ld.param.u64 %rd1, [p0];
  mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31; mov.u32 %r4, %ctaid.x;
  setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r2, 0; setp.eq.u32 %p3, %r3, 0;
  ${body}
END:
  ret;
}
`;
  return exploreKernel(ptx, JSON.stringify({ ...LAUNCH, ...launch }));
}

const WAIT = 'W: mbarrier.try_wait.parity.shared::cta.b64 %p9, [full], 0; @!%p9 bra W;';
const INIT = (count: number): string =>
  `@%p1 mbarrier.init.shared::cta.b64 [full], ${count}; bar.sync 0;`;
const COPY =
  'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 64, [full];';
const EXPECT = (bytes: number): string =>
  `mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], ${bytes};`;

const CLOCK = 'mov.u32 %r5, %clock; and.b32 %r5, %r5, 1; setp.eq.u32 %p4, %r5, 0;';

const KERNELS: Readonly<Record<string, readonly [Outcome['verdict'], string, object?]>> = {
  'a named barrier of both warps': ['ends', 'bar.sync 1, 64;'],
  'a named barrier of three': ['stuck', 'bar.sync 1, 96;'],
  'a named barrier of a part of a warp': ['misuse', 'bar.sync 1, 48;'],
  'a barrier that counts differently': [
    'misuse',
    '@%p2 bra A; bar.sync 1, 64; bra END; A: bar.sync 1, 32;',
  ],
  'a barrier after the other warp exits': ['ends', '@%p2 bra END; bar.sync 0;'],
  'a barrier that counts a warp that exits': ['stuck', '@%p2 bra END; bar.sync 0, 64;'],
  'a store and a load with a join': [
    'ends',
    '@!%p2 bra END; @%p3 st.shared.u32 [tile], 1; bar.warp.sync -1; ld.shared.u32 %r5, [tile];',
  ],
  'a store and a load of other lanes': [
    'race',
    '@!%p2 bra END; @%p3 st.shared.u32 [tile], 1; ld.shared.u32 %r5, [tile];',
  ],
  'a clock that lanes read by one instruction': [
    'ends',
    `@%p1 st.shared.u32 [tile], 1; ${CLOCK} @%p4 bra A; bar.sync 0; bra END; A: bar.sync 0;`,
  ],
  'a clock that lanes read by two instructions': [
    'misuse',
    `@%p3 bra L0; ${CLOCK} bra M; L0: ${CLOCK} M: @%p4 bra A; bar.sync 0; bra END; A: bar.sync 0;`,
  ],
  'a clock that decides which warp waits': ['stuck', `${CLOCK} @%p4 bra END; bar.sync 1, 64;`],
  'a clock of each round': [
    'ends',
    `@%p1 st.shared.u32 [tile], 1; L: ${CLOCK} @%p4 bra L; bar.sync 0;`,
  ],
  'a copy that is waited for': [
    'ends',
    `${INIT(1)} @!%p1 bra A; ${EXPECT(64)} ${COPY} A: ${WAIT} ld.shared.u32 %r5, [tile];`,
  ],
  'a copy that is not waited for': [
    'race',
    `${INIT(1)} @!%p1 bra A; ${EXPECT(64)} ${COPY} A: ld.shared.u32 %r5, [tile];`,
  ],
  'a copy of too few bytes': ['stuck', `${INIT(1)} @!%p1 bra A; ${EXPECT(80)} ${COPY} A: ${WAIT}`],
  'bytes that are expected apart': [
    'ends',
    `${INIT(1)} @!%p1 bra A; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [full], 64; ${COPY}
     mbarrier.arrive.shared::cta.b64 _, [full]; A: ${WAIT}`,
  ],
  'an arrival too many': [
    'misuse',
    `${INIT(3)} @%p3 mbarrier.arrive.shared::cta.b64 _, [full], 2;`,
  ],
  'a clock that decides who arrives': [
    'stuck',
    `${INIT(1)} @!%p1 bra A; mov.u32 %r5, %clock; and.b32 %r5, %r5, 1; setp.eq.u32 %p4, %r5, 0;
     @%p4 bra A; mbarrier.arrive.shared::cta.b64 _, [full]; A: ${WAIT}`,
  ],
  'tickets of both blocks: one is the last': [
    'stuck',
    `@!%p1 bra END; atom.add.acq_rel.gpu.global.u32 %r5, [%rd1], 1; setp.eq.u32 %p4, %r5, 1;
     @!%p4 bra END; L: bra.uni M; M: ld.volatile.global.u32 %r6, [%rd1]; setp.ne.u32 %p5, %r6, 3;
     @%p5 bra L;`,
    { grid: [2, 1, 1] },
  ],
  'tickets that nothing waits for': [
    'ends',
    'atom.add.acq_rel.gpu.global.u32 %r5, [%rd1], 1; setp.gt.u32 %p4, %r5, 127; @%p4 bar.sync 1;',
    { grid: [2, 1, 1], block: [32, 1, 1] },
  ],
  'a lock that is released': [
    'ends',
    `@%p1 st.shared.u32 [tile], 0; bar.sync 0; @!%p3 bra END; L: atom.cas.acquire.cta.shared.b32 %r5, [tile], 0, 1; setp.ne.u32 %p4, %r5, 0;
     @%p4 bra L; ld.shared.u32 %r6, [tile+4]; st.shared.u32 [tile+4], %r1;
     atom.exch.release.cta.shared.b32 %r7, [tile], 0;`,
  ],
  'a lock that is kept': [
    'stuck',
    `@%p1 st.shared.u32 [tile], 0; bar.sync 0; @!%p3 bra END;
     L: atom.cas.acquire.cta.shared.b32 %r5, [tile], 0, 1; setp.ne.u32 %p4, %r5, 0; @%p4 bra L;`,
  ],
  'registers that are there': [
    'ends',
    'setmaxnreg.dec.sync.aligned.u32 40; bar.sync 0; setmaxnreg.inc.sync.aligned.u32 64;',
    { registers: 64 },
  ],
  'registers that are not there': [
    'stuck',
    'setmaxnreg.dec.sync.aligned.u32 40; bar.sync 0; setmaxnreg.inc.sync.aligned.u32 72;',
    { registers: 64 },
  ],
  'lanes that join at unlike instructions': [
    'ends',
    '@!%p2 bra END; @%p3 bra A; bar.warp.sync -1; bra B; A: bar.warp.sync -1; B: bar.warp.sync -1;',
  ],
  'lanes that arrive at barriers of their own': [
    'ends',
    `${INIT(16)} @%p1 mbarrier.init.shared::cta.b64 [other], 16; bar.sync 0; @!%p2 bra END;
     and.b32 %r5, %r3, 1; mul.lo.u32 %r5, %r5, 8; mov.u32 %r6, full; add.u32 %r5, %r5, %r6;
     mbarrier.arrive.shared::cta.b64 _, [%r5]; ${WAIT} ld.shared.u32 %r7, [tile];`,
  ],
  'an instruction that is not interpreted': ['open', 'shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;'],
};

for (const [name, [verdict, body, launch]] of Object.entries(KERNELS))
  test(`${name}: ${verdict}`, () => {
    const outcome = explored(body, launch);
    assert.equal(outcome.verdict, verdict, outcome.why);
  });

test('lanes that only wait may have to keep up', () => {
  const { verdict, keepsUp } = explored(
    `${INIT(1)} @!%p2 bra END; P: mbarrier.try_wait.parity.shared::cta.b64 %p9, [full], 1;
     @!%p9 bra P; @%p3 mbarrier.arrive.shared::cta.b64 _, [full];`,
  );
  assert.deepEqual({ verdict, keepsUp }, { verdict: 'ends', keepsUp: true });
});
