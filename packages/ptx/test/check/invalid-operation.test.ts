// What a kernel does wrong on every schedule is an error; what data or a guess may decide is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { stepsKernel } from '#src/kernel/steps-kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<8>;
.shared .align 8 .b64 full; .shared .align 128 .b8 tile[128];
.local .align 64 .b8 stack[128];`;
const DYNAMIC = '.extern .shared .align 16 .b8 dynamic[];';
const FIRST = 'mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra END;';

function kernelOf(body: string, sizes: object = {}) {
  const target = body.includes('tcgen05') ? 'sm_100a' : 'sm_90a';
  const text = kernelText(DECLARED, `${body} END: ret;`, '.param .u64 data');
  const params = [{ kind: 'pointer', bytes: 256 }];
  const launch = { grid: [1, 1, 1], block: [32, 1, 1], params, ...sizes };
  return ptxKernel({
    ptx: {
      file: 'kernel.ptx',
      text: text.replace('sm_90a', target).replace('.visible', `${DYNAMIC} .visible`),
    },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

const INIT = 'mbarrier.init.shared.b64 [full], 1;';
const WAIT = 'WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra WAIT;';
const bulk = (bytes: number): string => `${INIT} ld.param.u64 %rd0, [data];
mbarrier.arrive.expect_tx.shared.b64 _, [full], ${bytes};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], ${bytes}, [full];
${WAIT}`;
const MAP = `mov.u64 %rd0, stack; cvta.local.u64 %rd1, %rd0;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
[tile], [%rd1, {%r1, %r1}], [full];`;
const ALLOCATE = 'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile],';
const DATA = 'ld.param.u64 %rd0, [data]; ld.global.u32 %r1, [%rd0]; setp.eq.u32 %p2, %r1, 0;';

const WRONG: readonly (readonly [string, string, RegExp, string])[] = [
  [
    'a tensor map in local memory',
    `${FIRST} ${INIT} mov.u32 %r1, 0; ${MAP}`,
    /^a copy takes its tensor map from local memory, where no copy can read it$/,
    'warp0 executes it here',
  ],
  [
    'a part of a bulk copy',
    `${FIRST} ${bulk(120)}`,
    /^a bulk copy of 120 B: it moves multiples of 16 B$/,
    'warp0 executes it here',
  ],
  [
    'a part of a unit of zeros',
    `${FIRST} mov.u32 %r1, tile; mov.u64 %rd0, 12; st.bulk.weak.shared::cta [%r1], %rd0, 0;`,
    /^it stores 12 B$/,
    'warp0 executes it here',
  ],
  [
    'an mbarrier without arrivals',
    `${FIRST} mbarrier.init.shared.b64 [full], 0;`,
    /^an mbarrier is initialized with 0 arrivals$/,
    'warp0 executes it here',
  ],
  [
    'tensor memory that is not freed',
    `${ALLOCATE} 64;`,
    /^tensor memory that is allocated here is not freed before the kernel ends$/,
    'it begins here',
  ],
  [
    'columns that are no power of two',
    `${ALLOCATE} 48; tcgen05.dealloc.cta_group::1.sync.aligned.b32 0, 48;`,
    /^48 columns are allocated$/,
    'warp0 executes it here',
  ],
  [
    'a stage behind the shared memory of the launch',
    `${FIRST} mov.u32 %r1, dynamic; st.shared.u32 [%r1+4096], %r1;`,
    /^an access reaches byte \d+ of shared memory, of which a CTA has \d+$/,
    'warp0 executes it here',
  ],
  [
    'an arrival that counts nothing',
    `${FIRST} ${INIT} mov.u32 %r1, 0; mbarrier.arrive.shared.b64 %rd1, [full], %r1;`,
    /^an arrival counts 0 at once$/,
    'warp0 executes it here',
  ],
  [
    'a load behind its buffer',
    `${FIRST} ld.param.u64 %rd0, [data]; ld.global.u32 %r1, [%rd0+256];`,
    /^it reads 4 B at data \+ 256, of which the launch gives 256 B$/,
    'warp0 executes it here',
  ],
  [
    'a store before its buffer',
    `${FIRST} ld.param.u64 %rd0, [data]; st.global.u32 [%rd0+-4], %r0;`,
    /^it writes 4 B at data - 4, of which the launch gives 256 B$/,
    'warp0 executes it here',
  ],
  [
    'a copy of less than it writes, behind its buffer',
    `${FIRST} ld.param.u64 %rd0, [data]; cp.async.ca.shared.global [tile], [%rd0+256], 8, 4;
cp.async.wait_all;`,
    /^it reads 4 B at data \+ 256, of which the launch gives 256 B$/,
    'warp0 executes it here',
  ],
  [
    'a store behind a null pointer',
    `${FIRST} mov.u64 %rd0, 8; st.global.u32 [%rd0], %r0;`,
    /^it writes 4 B at address 8, where a null pointer leads$/,
    'warp0 executes it here',
  ],
  [
    'a generic load behind a null pointer',
    `${FIRST} mov.u64 %rd0, 0; ld.u32 %r1, [%rd0];`,
    /^it reads 4 B at address 0, where a null pointer leads$/,
    'warp0 executes it here',
  ],
  [
    'a bulk copy that ends behind its buffer',
    `${FIRST} ${bulk(112)} add.u64 %rd0, %rd0, 192;
mbarrier.arrive.expect_tx.shared.b64 _, [full], 80;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 80, [full];
V: mbarrier.try_wait.parity.shared.b64 %p1, [full], 1; @!%p1 bra V;`,
    /^it reads 80 B at data \+ 192, of which the launch gives 256 B$/,
    'warp0 executes it here',
  ],
  [
    'lanes of tensor memory that are those of another warp',
    `${ALLOCATE} 64; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
ld.shared.u32 %r1, [tile]; add.u32 %r2, %r1, 2097152;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r0}; tcgen05.wait::st.sync.aligned;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;`,
    /^warp 0 writes tensor memory from lane 32 on, and reaches lanes 0 to 31$/,
    'warp0 executes it here',
  ],
];

function errorOf({ verdict, findings }: CheckResult) {
  assert.equal(verdict, 'counterexample');
  const [found] = findings;
  assert.equal(found?.rule, 'invalid-operation');
  assert.equal(found.severity, 'error');
  return found;
}

for (const [name, body, message, label] of WRONG)
  test(`P15: ${name}`, async () => {
    const kernel = kernelOf(body, { dynamicSharedMemory: 1024 });
    const found = errorOf(await check(kernel));
    assert.match(found.message, message);
    assert.equal(found.primary.text, label);
    assert.match(
      found.notes.join('; '),
      /^the PTX ISA: .*; it is \S+ \(PTX line \d+\); the launch/,
    );
    assert.deepEqual([found.trace, found.replayToken], [undefined, undefined]);
    // The steps of the run say it as well, but for those that no steps can have.
    if (body.includes('[full], 0;')) return;
    const text = kernel.runText!({});
    const again = await check(stepsKernel({ file: 'kernel.jsonl', text }));
    assert.equal(errorOf(again).message, found.message);
  });

const OPEN: readonly (readonly [string, string, RegExp])[] = [
  ['that data may skip', `${FIRST} ${INIT} ${DATA} @%p2 bra END; ${MAP}`, /./],
  [
    'within what a layout may differ by',
    `${FIRST} mov.u32 %r1, dynamic; st.shared.u32 [%r1+1024], %r1;`,
    /^an access reaches byte \d+ of shared memory/,
  ],
];

for (const [name, body, reason] of OPEN)
  test(`P15: a mistake ${name} is none of every schedule`, async () => {
    const result = await check(kernelOf(body, { dynamicSharedMemory: 1024 }));
    assert.equal(result.verdict, 'inconclusive');
    assert.match(result.reason!, reason);
    assert.deepEqual(result.findings, []);
  });

test('P15: copies and columns as they have to be', async () => {
  const freed = `${ALLOCATE} 64; tcgen05.dealloc.cta_group::1.sync.aligned.b32 0, 64;`;
  // Addresses of shared memory begin where those of no memory do.
  const near = `${FIRST} ${INIT} fence.proxy.async.shared::cta; mov.u32 %r1, dynamic;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 64;
    mapa.shared::cluster.u32 %r2, %r1, 0; mov.u32 %r3, full; mapa.shared::cluster.u32 %r4, %r3, 0;
    cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2+64], [%r1], 64, [%r4];
    ${WAIT}`;
  for (const body of [`${FIRST} ${bulk(128)}`, freed, near]) {
    const { verdict, reason, findings } = await check(
      kernelOf(body, { dynamicSharedMemory: 1024 }),
    );
    assert.equal(verdict, 'certified', reason ?? findings[0]?.message);
  }
});
