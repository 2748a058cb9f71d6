// More models of public kernels: each is certified, and its bugs are explained by their causes.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '#src/check/index';
import type { Kernel } from 'poundlock';
import { attentionSm100 } from './models/attention-sm100.ts';
import { clcSm100 } from './models/clc-sm100.ts';
import { groupedSm90 } from './models/grouped-sm90.ts';
import { kittensAttentionSm90 } from './models/kittens-attention-sm90.ts';
import { mlaDecodeSm90 } from './models/mla-decode-sm90.ts';
import { pingPongSm90 } from './models/ping-pong-sm90.ts';
import { streamKSm90 } from './models/stream-k-sm90.ts';
import { tileAttentionSm90 } from './models/tile-attention-sm90.ts';

/** Bugs of one model: the rule, and how the first sentence begins. */
type Rows<Bug extends string> = Partial<Record<Bug, readonly [rule: string, sentence: RegExp]>>;

function rows<Bug extends string>(model: (bug: Bug | 'none') => Kernel, table: Rows<Bug>): void {
  suite(model('none').name, () => {
    test('the correct kernel', async () => {
      const { verdict, findings } = await check(model('none'));
      assert.equal(verdict, 'certified');
      assert.deepEqual(findings, []);
    });
    for (const [bug, row] of Object.entries(table)) {
      const [rule, sentence] = row as readonly [string, RegExp];
      test(bug, async () => {
        const { findings } = await check(model(bug as Bug));
        assert.match(findings[0]!.message, sentence);
        assert.equal(findings[0]!.rule, rule);
      });
    }
  });
}

rows(attentionSm100, {
  'correction skips its arrival for the first block': [
    'deadlock',
    /^mma waits for 6 phases of 256 arrivals of pFull\[0\], and in all softmax0 makes 768 and correction makes 512 of its arrivals: 256 arrivals are missing/,
  ],
  'softmax skips the last block': [
    'deadlock',
    /^correction waits for scaleFull\[1\], which gets no more arrivals: softmax1 has ended/,
  ],
  'store is not awaited before the release': [
    'race',
    /^epilogue arrives on outEmpty\[0\] while its (MMA|wgmma|store) still reads sO\[0\]/,
  ],
  'K is released before QK is done': [
    'race',
    /^mma arrives on kvEmpty\[0\] while its (MMA|wgmma|store) still reads sKV\[0\]/,
  ],
});
rows(clcSm100, {
  'epilogue does not release the response': [
    'deadlock',
    /^clcEmpty\[0\] counts 4 arrivals in each phase and has got only 3: 1 from scheduler, 1 from load and 1 from mma, while epilogue waits for clcFull\[0\] and does not arrive on it/,
  ],
  'response empty counts the threads': [
    'deadlock',
    /^clcEmpty\[0\] counts 96 arrivals in each phase and has got only 4: 1 from /,
  ],
  'load leaves without a release': [
    'deadlock',
    /^clcEmpty\[0\] counts 4 arrivals in each phase and has got only 3: .*, while load waits for clcFull\[0\] and does not/,
  ],
  'MMA skips the accumulator wait': [
    'deadlock',
    /^phases 0 and 1 of accFull\[0\] complete before epilogue comes to its wait for phase 0.*nothing lets mma wait/,
  ],
  'epilogue phase does not flip': [
    'deadlock',
    /^epilogue waits for parity 0 of accFull\[0\] again, and none waits for its phase of parity 1 in between/,
  ],
});
rows(groupedSm90, {
  'work is not released by the second warpgroup': [
    'deadlock',
    /^workEmpty counts 3 arrivals in each phase and has got only 2: 1 from load and 1 from wg0, while wg1 waits for workFull and does not/,
  ],
  'empty counts the warps': [
    'deadlock',
    /^empty\[0\] counts 8 arrivals in each phase and has got only 2: 1 from wg0 and 1 from wg1; load waits for it/,
  ],
});
rows(kittensAttentionSm90, {
  'inputs finished counts warpgroups': [
    'over-arrival',
    /^inputs_finished\[0\] counts 2 arrivals in each phase and gets 8: 4 from /,
  ],
  'one warp of the last consumer does not arrive': [
    'deadlock',
    /^inputs_finished\[0\] counts 8 arrivals in each phase and gets only 7: 4 from /,
  ],
  'expect for K alone': [
    'tx-mismatch',
    /^inputs_arrived\[0\] expects only 16,384 B in each phase and 32,768 B are copied/,
  ],
});
rows(mlaDecodeSm90, {
  'P1 barrier counts one warpgroup': [
    'named-barrier-mismatch',
    /^wg1 expects 128 threads at named barrier 2, and wg0 expects 256$/,
  ],
  'K release counts one warpgroup': [
    'race',
    /^empty\[0\] counts 1 arrival in each phase and gets 2: 1 from wg0 and 1 from wg1$/,
  ],
});
rows(pingPongSm90, {
  'order is not passed on after the mainloop': [
    'deadlock',
    /^order\.mainloop\[0\] counts 1 arrival in each phase and gets none: wg1, /,
  ],
  'order counts threads': [
    'deadlock',
    /^order\.mainloop\[0\] counts 128 arrivals in each phase and gets only 1, from wg1/,
  ],
});
rows(streamKSm90, {
  'partial sum is not announced': [
    'deadlock',
    /^unit0wg0 reads done, which is 0, in each round of a loop that never ends, and no role changes it any more/,
  ],
  'owner waits for two parts': ['deadlock', /^unit0wg0 reads done, which is 1, in each round /],
  'fix-up barrier counts the load warp': [
    'deadlock',
    /^named barrier 2 takes 288 threads and never fills: 256 have arrived, 128 from unit1wg0 and 128 from unit1wg1; /,
  ],
});
rows(tileAttentionSm90, {
  'expect is left out': [
    'tx-mismatch',
    /^16,384 B are copied in each phase of mbar_k_full, and no/,
  ],
  'one thread arrives': [
    'deadlock',
    /^mbar_k_full counts 128 arrivals in each phase and gets only 1, from producer/,
  ],
  'V and K share a release barrier': [
    'deadlock',
    /^mbar_k_empty counts 128 arrivals in each phase and gets 256, .* while mbar_v_empty gets none/,
  ],
});
