// Forms of PTX 8.6 to 9.4: masked arrivals, rows of tensors, mbarriers of another layout.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const BEGIN = `mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; mov.u32 %r4, %cluster_ctarank;
@!%p0 mbarrier.init.shared::cta.b64 [bar], COUNT;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;`;
const WAIT = 'W: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra W;';
const END = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;';

interface Case {
  readonly count?: number;
  readonly clusterSize?: number;
  readonly params?: readonly unknown[];
}

/** The verdict of a kernel, or the rule of its first finding. */
async function ruleOf(
  lines: readonly string[],
  { count = 1, clusterSize = 1, params = [] }: Case = {},
): Promise<string | undefined> {
  const body = [BEGIN.replace('COUNT', String(count)), ...lines, WAIT, END].join('\n');
  const declarations =
    '.reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p<4>; ' +
    '.shared .align 128 .b8 x[512]; .shared .align 8 .b64 bar;';
  const size = [clusterSize, 1, 1];
  const launch = { grid: size, block: [64, 1, 1], cluster: size, params };
  const parameters = params.length > 0 ? '.param .align 64 .b8 m[128]' : '';
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(declarations, body, parameters) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

const arriveMasked = (operands: string): string =>
  `setp.eq.u32 %p1, %r4, 0; @%p0 bra B; @!%p1 bra B;
mbarrier.arrive.release.cluster.shared::cluster.multicast::cluster::32b.b64 _, [bar], ${operands};
B:`;

test('an arrival with a mask is one in each CTA that the mask names', async () => {
  assert.equal(await ruleOf([arriveMasked('3')], { clusterSize: 2 }), 'certified');
  assert.equal(await ruleOf([arriveMasked('1')], { clusterSize: 2 }), 'deadlock');
  assert.equal(await ruleOf([arriveMasked('2')], { count: 2, clusterSize: 2 }), 'deadlock');
});

test('an arrival with a count and a mask has both', async () => {
  assert.equal(await ruleOf([arriveMasked('2, 3')], { count: 2, clusterSize: 2 }), 'certified');
  assert.equal(await ruleOf([arriveMasked('2, 3')], { count: 3, clusterSize: 2 }), 'deadlock');
});

const gather = (bytes: number): string => `@%p0 bra B;
mov.b64 %rd0, m; cvta.param.u64 %rd1, %rd0; mov.u32 %r2, 0;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], ${bytes};
cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
  [x], [%rd1, {%r2, %r2, %r2, %r2, %r2}], [bar];
B:`;
const ROW = [{ kind: 'tensormap', box: [64, 1], element: 'f16' }];

test('a gather moves four rows', async () => {
  assert.equal(await ruleOf([gather(512)], { params: ROW }), 'certified');
  assert.equal(await ruleOf([gather(128)], { params: ROW }), 'deadlock');
});

test('bytes at both ends are ignored before the mbarrier is named', async () => {
  const copy = `@%p0 bra B; mov.b64 %rd0, 4096; mov.u32 %r2, 4;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob
  [x], [%rd0], 64, %r2, %r2, [bar];
B:`;
  assert.equal(await ruleOf([copy]), 'certified');
});

const ofLayout = (count: number): string => `@%p0 bra B;
mbarrier.inval.shared::cta.b64 [bar]; mbarrier.init.layout::v1.shared::cta.b64 [bar], ${count};
mbarrier.arrive.shared::cta.b64 %rd0, [bar], ${count};
B: bar.sync 0;`;

test('an mbarrier of layout 1 counts 511 arrivals', async () => {
  assert.equal(await ruleOf([ofLayout(511)]), 'certified');
  assert.equal(await ruleOf([ofLayout(512)]), 'invalid-operation');
});
