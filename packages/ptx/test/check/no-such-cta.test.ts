// Shared memory of a CTA that the cluster does not have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

/** What one thread of a cluster of two CTAs does with the memory of a rank. */
const verdictOf = (what: string, rank: string) =>
  check(
    ptxKernel({
      ptx: {
        file: 'kernel.ptx',
        text: kernelText(
          `.reg .b32 %r<8>; .reg .pred %p<2>;
           .shared .align 8 .b64 full; .shared .align 4 .b32 word;`,
          `mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
           @%p0 mbarrier.init.shared::cta.b64 [full], 2; fence.mbarrier_init.release.cluster;
           barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
           mov.u32 %r1, full; mov.u32 %r2, word; mov.u32 %r6, %cluster_ctarank;
           xor.b32 %r5, %r6, 1; ${rank}
           mapa.shared::cluster.u32 %r3, %r1, %r4; mapa.shared::cluster.u32 %r7, %r2, %r4;
           @%p0 ${what}
           barrier.cluster.arrive.release; barrier.cluster.wait.acquire; ret;`,
        ),
      },
      launch: {
        file: 'launch.json',
        text: JSON.stringify({
          grid: [2, 1, 1],
          block: [32, 1, 1],
          cluster: [2, 1, 1],
          params: [],
        }),
      },
    }),
  );

for (const what of [
  'mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];',
  'st.shared::cluster.u32 [%r7], %r0;',
  'atom.shared::cluster.add.u32 %r0, [%r7], 1;',
])
  test(`${what.split(' ')[0]} into a CTA that there is none of is an error with its line`, async () => {
    const { verdict, findings } = await verdictOf(what, 'add.u32 %r4, %r5, 1;');
    assert.equal(verdict, 'counterexample');
    const [{ rule, message } = {}] = findings;
    assert.equal(rule, 'invalid-operation');
    assert.equal(
      message,
      'it reaches shared memory of another CTA than those of its cluster, which has 2 CTAs',
    );
    const right = await verdictOf(what, 'mov.u32 %r4, %r5;');
    assert.equal(right.verdict, 'certified', right.reason ?? right.findings[0]?.message);
  });
