// Models of public kernels, each with bugs put back: the rule, and the first sentence with the cause.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '#src/check/index';
import type { Kernel } from 'poundlock';
import { attentionSm90, type AttentionBug } from './models/attention-sm90.ts';
import { gemmSm100, type PersistentBug } from './models/gemm-sm100.ts';
import { gemmSm90, type GemmBug } from './models/gemm-sm90.ts';
import { multicastSm90, type MulticastBug } from './models/multicast-sm90.ts';

/** The verdict of a bug: a rule and the beginning of its sentence, or that it does no harm. */
type Expected = readonly [rule: string, sentence: RegExp] | 'certified';

const GEMM: Readonly<Record<GemmBug, Expected>> = {
  none: 'certified',
  'second consumer does not release': [
    'deadlock',
    /^empty\[0\] counts 2 arrivals in each phase and gets only 1, from wg1, while wg2 waits for full\[0\] and never arrives on it; load waits/,
  ],
  'empty counts threads': [
    'deadlock',
    /^empty\[0\] counts 256 arrivals in each phase and gets only 2: 1 from wg1 and 1 from wg2; load waits/,
  ],
  'empty counts one consumer': [
    'race',
    /^empty\[0\] counts 1 arrival in each phase and gets 2: 1 from wg1 and 1 from wg2$/,
  ],
  'expect too large': [
    'deadlock',
    /^full\[0\] expects 49,152 B in each phase and only 32,768 B are copied: 16,384 B are never copied; wg1 and wg2 wait/,
  ],
  'expect too small': [
    'tx-mismatch',
    /^full\[0\] expects only 16,384 B in each phase and 32,768 B are copied: 16,384 B are not expected$/,
  ],
  'expect forgotten': [
    'race',
    /^32,768 B are copied in each phase of full\[0\], and no role expects/,
  ],
  'producer starts with parity 0': [
    'deadlock',
    /^load and wg1 wait for each other in the first lap: .* load has to start with parity 1; also waiting: wg2$/,
  ],
  'consumer starts with parity 1': [
    'race',
    /^wg[12]'s first wait for full\[0\] tests parity 1, which passes on a fresh barrier/,
  ],
  'producer parity never flips': [
    'over-arrival',
    /^load waits for parity 1 of empty\[0\] in all of its 3 waits, one for each phase/,
  ],
  'consumer parity never flips': [
    'race',
    /^wg[12] waits for parity 0 of full\[0\] in all of its 3 waits, one for each phase/,
  ],
  'consumer does not wait': [
    'race',
    /^load's copy can write a\[0\] while wg2's MMA reads it: wg2 waits for no barrier/,
  ],
  'consumer makes one tile more': [
    'deadlock',
    /^wg2 waits for full\[0\], which gets no more arrivals: load has ended after 3 arrivals on it$/,
  ],
  'producer makes one tile less': [
    'deadlock',
    /^wg1 waits for full\[1\], which gets no more arrivals: load has ended after 2 arrivals on it; also waiting: wg2$/,
  ],
  'consumer leaves early': [
    'deadlock',
    /^load waits for empty\[1\], which lacks 1 of its 2 arrivals: only wg1 has arrived, wg2 has ended after 1 arrival on it/,
  ],
  'release before the work is done': [
    'race',
    /^wg[12] arrives on empty\[0\] while its MMA still reads a\[0\], and load's copy can write it$/,
  ],
  'one release is skipped': [
    'deadlock',
    /^wg2 waits 3 times for full\[0\] and arrives only 2 times on empty\[0\]; load and wg2 wait/,
  ],
  'full counts both loads': [
    'deadlock',
    /^full\[0\] counts 2 arrivals in each phase and gets only 1, from load; wg1 and wg2 wait/,
  ],
  'store is not awaited': [
    'exit-with-open-flight',
    /^the CTA ends while wg2's store still reads out\[1\]$/,
  ],
};

const ATTENTION: Readonly<Record<AttentionBug, Expected>> = {
  none: 'certified',
  'first turn is not given': [
    'deadlock',
    /^wg1 and wg2 wait for each other: wg1 for named barrier 1 and wg2 for named barrier 2; also waiting: load$/,
  ],
  // With 128 threads each warpgroup fills the barrier alone: turns are for speed.
  'turn counts one warpgroup': 'certified',
  'turn counts three warpgroups': [
    'deadlock',
    /^named barrier 2 takes 384 threads and never fills: 128 have arrived, from wg2, and at most 128 from wg1 can still come; only wg1 and wg2 use it/,
  ],
  'turn has another id': [
    'deadlock',
    /^named barrier 2 takes 256 threads and never fills: 128 have arrived, from wg2; wg1 arrived at named barrier 5 instead, with 128 threads/,
  ],
  'epilogue counts two warps': [
    'deadlock',
    /^named barrier 3 takes 320 threads and never fills: 288 have arrived, 128 from wg1 and 160 from wg2/,
  ],
  'epilogue syncs with the whole warpgroup': [
    'named-barrier-mismatch',
    /^wg[12] brings 128 threads to named barrier 3, which lacks only 32 of its 288$/,
  ],
  'epilogue arrival is missing': [
    'deadlock',
    /^named barrier 3 takes 288 threads and never fills: 160 have arrived, from wg2; load and wg1 never come to it$/,
  ],
  'store is not awaited': [
    'exit-with-open-flight',
    /^the CTA ends while wg2's store still reads sO\[0\] and sO\[1\]$/,
  ],
  'V is not released': [
    'deadlock',
    /^emptyV counts 2 arrivals in each phase and gets none: wg1 and wg2, which wait for load, never arrive on it; load waits/,
  ],
  'K expects the bytes of K and V': [
    'deadlock',
    /^fullK expects 65,536 B in each phase and only 32,768 B are copied: 32,768 B are never copied/,
  ],
  'first warpgroup ends one block early': [
    'deadlock',
    /^named barrier 2 takes 256 threads and never fills: 128 have arrived, from wg2; wg1 /,
  ],
};

const MULTICAST: Readonly<Record<MulticastBug, Expected>> = {
  none: 'certified',
  'releases reach the own CTA only': [
    'deadlock',
    /^empty\[0\] of CTA 0 counts 2 arrivals in each phase and gets only 1, from math0; load0 waits/,
  ],
  'releases go to CTA 0': [
    'over-arrival',
    /^empty\[0\] of CTA 0 counts 2 arrivals in each phase and gets 4: 2 from math0 and 2 from math1, while empty\[0\] of CTA 1 gets none$/,
  ],
  'empty counts one CTA': [
    'over-arrival',
    /^empty\[0\] of CTA 0 counts 1 arrival in each phase and gets 2: 1 from math0 and 1 from math1$/,
  ],
  'half is copied to the own CTA only': [
    'deadlock',
    /^full\[0\] of CTA 0 expects 16,384 B in each phase and only 8,192 B are copied: 8,192 B are never copied/,
  ],
  'expect counts the own half': [
    'tx-mismatch',
    /^full\[0\] of CTA 0 expects only 8,192 B in each phase and 16,384 B are copied/,
  ],
  'no cluster sync at the end': [
    'missing-drain',
    /^CTA 0 can end before math1 arrives on empty\[0\] of CTA 0$/,
  ],
  'one CTA skips the cluster sync': [
    'divergent-exit',
    /waits? at the cluster barrier for every role, and load1 has ended$/,
  ],
};

const PERSISTENT: Readonly<Record<PersistentBug, Expected>> = {
  none: 'certified',
  'accumulator is not released': [
    'deadlock',
    /^accEmpty\[0\] counts 1 arrival in each phase and gets none: epilogue, which waits for mma, never arrives on it; mma waits/,
  ],
  'accumulator empty counts warps': [
    'deadlock',
    /^accEmpty\[0\] counts 4 arrivals in each phase and gets only 1, from epilogue; mma waits/,
  ],
  'accumulator full is not committed': [
    'deadlock',
    /^accFull\[0\] counts 1 arrival in each phase and gets none; epilogue waits for it forever$/,
  ],
  'MMA waits for a fresh accumulator': [
    'deadlock',
    /^mma and epilogue wait for each other in the first lap: mma for accEmpty\[0\] and epilogue for accFull\[0\]/,
  ],
  'work is not released by the load warp': [
    'deadlock',
    /^workEmpty counts 3 arrivals in each phase and gets only 2: 1 from mma and 1 from epilogue, while load waits for workFull and never arrives on it/,
  ],
  'work empty counts two readers': [
    'race',
    /^workEmpty counts 2 arrivals in each phase and gets 3: 1 from load, 1 from mma and 1 from epilogue$/,
  ],
  'epilogue takes one tile more': [
    'deadlock',
    /^epilogue waits for accFull\[0\], which gets no more arrivals: mma has ended after 2 arrivals on it$/,
  ],
  'stage is released before the MMA is done': [
    'race',
    /^mma arrives on empty\[0\] while its (MMA|wgmma|store) still reads ab\[0\], and load's copy can write it$/,
  ],
  'commit goes to the wrong stage': [
    'deadlock',
    /^empty\[0\] counts 1 arrival in each phase and gets 2, from mma, while empty\[1\] gets none/,
  ],
};

function rows<Bug extends string>(
  name: string,
  model: (bug: Bug) => Kernel,
  table: Readonly<Record<Bug, Expected>>,
): void {
  suite(name, () => {
    for (const [bug, expected] of Object.entries<Expected>(table)) {
      test(bug, async () => {
        const { verdict, findings } = await check(model(bug as Bug));
        if (expected === 'certified') return assert.equal(verdict, 'certified');
        const [rule, sentence] = expected;
        assert.match(findings[0]!.message, sentence);
        assert.equal(findings[0]!.rule, rule);
      });
    }
  });
}

rows('a GEMM of Hopper', gemmSm90, GEMM);
rows('attention on Hopper', attentionSm90, ATTENTION);
rows('a GEMM on a cluster of two CTAs', multicastSm90, MULTICAST);
rows('a persistent GEMM of Blackwell', gemmSm100, PERSISTENT);
