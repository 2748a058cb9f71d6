// Models of public kernels, each with bugs put back: the rule, and the first sentence with the cause.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '../../accepting.ts';
import type { Kernel } from 'poundlock';
import type { ScheduleRule } from '@poundlock/core/internal/finding';
import { attentionSm100 } from './models/attention-sm100.ts';
import { attentionSm90, type AttentionBug } from './models/attention-sm90.ts';
import { clcSm100 } from './models/clc-sm100.ts';
import { gemmSm100, type PersistentBug } from './models/gemm-sm100.ts';
import { gemmSm90, type GemmBug } from './models/gemm-sm90.ts';
import { groupedSm90 } from './models/grouped-sm90.ts';
import { kittensAttentionSm90 } from './models/kittens-attention-sm90.ts';
import { mlaDecodeSm90 } from './models/mla-decode-sm90.ts';
import { multicastSm90, type MulticastBug } from './models/multicast-sm90.ts';
import { pingPongSm90 } from './models/ping-pong-sm90.ts';
import { streamKSm90 } from './models/stream-k-sm90.ts';
import { tileAttentionSm90 } from './models/tile-attention-sm90.ts';
import { headline, Sentences } from './sentences.ts';

/** The rule of a bug, or that it does no harm. */
type Expected = ScheduleRule | 'certified';

/** The models have no fences: they are about schedules. */
const ORDER_ALONE = { memory: 'none' } as const;

/** All bugs of a model, or some of them. */
type Rows<Bug extends string> = Readonly<Partial<Record<Bug, Expected>>>;

const shown = new Sentences('models');

function rows<Bug extends string>(
  name: string,
  model: (bug: Bug | 'none') => Kernel,
  table: Rows<Bug>,
): void {
  suite(name, () => {
    test('the correct kernel', async () => {
      const { verdict, findings } = await check(model('none'), ORDER_ALONE);
      assert.equal(verdict, 'certified');
      assert.deepEqual(findings, []);
    });
    for (const [bug, expected] of Object.entries(table)) {
      test(bug, async () => {
        const { verdict, findings } = await check(model(bug as Bug), ORDER_ALONE);
        if (expected === 'certified') return assert.equal(verdict, 'certified');
        assert.equal(findings[0]?.rule, expected);
        shown.expect(`${name}: ${bug}`, headline(findings[0]));
      });
    }
  });
}

rows('a GEMM of Hopper', gemmSm90, {
  'second consumer does not release': 'deadlock',
  'empty counts threads': 'deadlock',
  'empty counts one consumer': 'race',
  'expect too large': 'deadlock',
  'expect too small': 'tx-mismatch',
  'expect forgotten': 'race',
  'producer starts with parity 0': 'deadlock',
  'consumer starts with parity 1': 'race',
  'producer parity never flips': 'over-arrival',
  'consumer parity never flips': 'race',
  'consumer does not wait': 'race',
  'consumer makes one tile more': 'deadlock',
  'producer makes one tile less': 'deadlock',
  'consumer leaves early': 'deadlock',
  'release before the work is done': 'race',
  'one release is skipped': 'deadlock',
  'full counts both loads': 'deadlock',
  // The next CTA waits for what is left of it (H7).
  'store is not awaited': 'certified',
} satisfies Readonly<Record<Exclude<GemmBug, 'none'>, Expected>>);
rows('attention on Hopper', attentionSm90, {
  'first turn is not given': 'deadlock',
  // With 128 threads each warpgroup fills the barrier alone: turns are for speed.
  'turn counts one warpgroup': 'certified',
  'turn counts three warpgroups': 'deadlock',
  'turn has another id': 'deadlock',
  'epilogue counts two warps': 'deadlock',
  'epilogue syncs with the whole warpgroup': 'named-barrier-mismatch',
  'epilogue arrival is missing': 'deadlock',
  // The next CTA waits for what is left of it (H7).
  'store is not awaited': 'certified',
  'V is not released': 'deadlock',
  'K expects the bytes of K and V': 'deadlock',
  'first warpgroup ends one block early': 'deadlock',
} satisfies Readonly<Record<Exclude<AttentionBug, 'none'>, Expected>>);
rows('a GEMM on a cluster of two CTAs', multicastSm90, {
  'releases reach the own CTA only': 'deadlock',
  'releases go to CTA 0': 'over-arrival',
  'empty counts one CTA': 'over-arrival',
  'half is copied to the own CTA only': 'deadlock',
  'expect counts the own half': 'tx-mismatch',
  'no cluster sync at the end': 'missing-drain',
  'one CTA skips the cluster sync': 'divergent-exit',
} satisfies Readonly<Record<Exclude<MulticastBug, 'none'>, Expected>>);
rows('a persistent GEMM of Blackwell', gemmSm100, {
  'accumulator is not released': 'deadlock',
  'accumulator empty counts warps': 'deadlock',
  'accumulator full is not committed': 'deadlock',
  'MMA waits for a fresh accumulator': 'deadlock',
  'work is not released by the load warp': 'deadlock',
  'work empty counts two readers': 'race',
  'epilogue takes one tile more': 'deadlock',
  'stage is released before the MMA is done': 'race',
  'commit goes to the wrong stage': 'deadlock',
} satisfies Readonly<Record<Exclude<PersistentBug, 'none'>, Expected>>);
rows('attention on Blackwell', attentionSm100, {
  'correction skips its arrival for the first block': 'deadlock',
  'softmax skips the last block': 'deadlock',
  'store is not awaited before the release': 'race',
  'K is released before QK is done': 'race',
});
rows('cluster launch control on Blackwell', clcSm100, {
  'epilogue does not release the response': 'deadlock',
  'response empty counts the threads': 'deadlock',
  'load leaves without a release': 'deadlock',
  'MMA skips the accumulator wait': 'deadlock',
  'epilogue phase does not flip': 'deadlock',
});
rows('a grouped GEMM of Hopper', groupedSm90, {
  'work is not released by the second warpgroup': 'deadlock',
  'empty counts the warps': 'deadlock',
});
rows('attention with a load-compute-store pipeline', kittensAttentionSm90, {
  'inputs finished counts warpgroups': 'over-arrival',
  'one warp of the last consumer does not arrive': 'deadlock',
  'expect for K alone': 'tx-mismatch',
});
rows('an MLA decoder', mlaDecodeSm90, {
  'P1 barrier counts one warpgroup': 'named-barrier-mismatch',
  'K release counts one warpgroup': 'race',
});
rows('a ping-pong GEMM', pingPongSm90, {
  'order is not passed on after the mainloop': 'deadlock',
  'order counts threads': 'deadlock',
});
rows('a stream-K GEMM', streamKSm90, {
  'partial sum is not announced': 'deadlock',
  'owner waits for two parts': 'deadlock',
  'fix-up barrier counts the load warp': 'deadlock',
});
rows('attention as a tile compiler writes it', tileAttentionSm90, {
  'expect is left out': 'tx-mismatch',
  'one thread arrives': 'deadlock',
  'V and K share a release barrier': 'deadlock',
});

shown.expectNoOther();
