// What each kernel of this folder is compiled for, where the rule that is reported differs from
// that of its program in examples/bugs, and at which size the bug does not show.
import type { RuleId, Verdict } from 'poundlock/check';

/** A kernel; its thread and its class are those of the program with the same name. */
export interface About {
  readonly arch: 'sm_80' | 'sm_90a' | 'sm_100a';
  /** The rule of the first finding where it is not the program's, and why. */
  readonly differs?: Differs;
  /** A size at which the kernel with the bug is certified. */
  readonly hidden?: Readonly<Record<string, number>>;
  /** What `check` has to learn before it finds the bug. */
  readonly awaits?: string;
  /** What it says until then, where it does not take the kernel with the bug for right. */
  readonly today?: { readonly bug?: Verdict; readonly fix?: Verdict };
}

/** Another rule than the program's, for a reason. */
export interface Differs {
  readonly rule: RuleId;
  readonly why: string;
}

const WARPS: Differs = { rule: 'race', why: 'in PTX a warp is a role of its own' };
const BYTES: Differs = { rule: 'race', why: 'in PTX memory is bytes, not buffers with names' };
const STUCK: Differs = { rule: 'deadlock', why: 'the run of this launch gets stuck itself' };
const ENDS: Differs = {
  rule: 'not-quiescent',
  why: 'the wrong parity lets the kernel end while a copy is open',
};
const NO_GROUP: Differs = {
  rule: 'unjoined-lanes',
  why: 'a wait of a thread that has no group is no operation',
};
const OPEN_LOAD: Differs = { rule: 'race', why: 'the load begins before the columns are freed' };
const TWO_TILES: Differs = { rule: 'race', why: 'the late warp still reads its tile' };

const STILL_ARRIVE: Differs = {
  rule: 'unjoined-lanes',
  why: 'lanes of the warp that copies may still arrive at the barrier',
};

/** The kernels by the name of their folder. */
export const KERNELS: Readonly<Record<string, About>> = {
  '001-empty-tile-arrives': { arch: 'sm_90a' },
  '002-arrive-laps-sync': { arch: 'sm_90a', hidden: { tiles: 2 } },
  '003-two-reductions-one-id': { arch: 'sm_90a' },
  '004-count-of-both-warpgroups': { arch: 'sm_90a' },
  '005-one-of-four-load-warps': { arch: 'sm_90a' },
  '006-aligned-in-branches': { arch: 'sm_90a' },
  '007-barrier-in-both-branches': { arch: 'sm_90a' },
  '008-merged-epilogue': { arch: 'sm_90a' },
  '009-cluster-barrier-in-partition': { arch: 'sm_90a' },
  '010-sync-of-some-warps': { arch: 'sm_90a' },
  '012-phase-restarts': { arch: 'sm_90a', differs: ENDS, hidden: { ks: 4 } },
  '013-ring-parity-on-one-slot': { arch: 'sm_100a', differs: STUCK },
  '014-parity-of-the-loop': { arch: 'sm_90a', differs: STUCK },
  '015-tile-before-mask': { arch: 'sm_90a', hidden: { blocks: 1 } },
  '016-phase-from-zero': { arch: 'sm_90a', differs: STUCK, hidden: { first: 0 } },
  '017-one-stage': { arch: 'sm_90a', hidden: { ks: 1 } },
  '018-subtiles-reordered': { arch: 'sm_90a' },
  '019-mailbox-without-free': { arch: 'sm_90a', hidden: { tiles: 1 } },
  '020-prologue-fills-all-slots': { arch: 'sm_80' },
  '021-load-order-every-tile': { arch: 'sm_90a', hidden: { tiles: 1 } },
  '023-tail-of-another-pipeline': { arch: 'sm_90a', differs: STUCK },
  '025-count-of-a-load-warp': { arch: 'sm_90a' },
  '026-expect-left-out': { arch: 'sm_90a' },
  '027-every-lane-arrives': { arch: 'sm_90a' },
  '028-bytes-of-the-cluster': { arch: 'sm_100a' },
  '029-answer-expected-by-one-cta': { arch: 'sm_100a' },
  '030-count-without-tma': { arch: 'sm_90a' },
  '031-empty-producer': { arch: 'sm_90a' },
  '032-pair-across-groups': { arch: 'sm_90a' },
  '033-empty-row': { arch: 'sm_90a', differs: STUCK, hidden: { rows: 1 } },
  '034-packed-split': { arch: 'sm_90a' },
  '035-empty-split': { arch: 'sm_90a', hidden: { steps: 2 } },
  '036-empty-keys': { arch: 'sm_90a', hidden: { sequences: 1 } },
  '037-slot-of-a-skipped-tile': { arch: 'sm_90a' },
  '041-one-k-block': { arch: 'sm_90a', hidden: { blocks: 2 } },
  '043-released-before-its-loads': { arch: 'sm_100a' },
  '045-released-before-the-last-subtile': { arch: 'sm_100a' },
  '046-last-quarter-of-p': { arch: 'sm_100a' },
  '047-warpgroup-not-synchronized': { arch: 'sm_100a', differs: WARPS },
  '048-wgmma-still-reads': { arch: 'sm_90a' },
  '050-wait-one-group-too-weak': { arch: 'sm_80' },
  '051-store-waited-for-at-a-fixed-step': { arch: 'sm_90a', hidden: { steps: 2 } },
  '052-only-the-leader-can-wait': { arch: 'sm_90a', differs: NO_GROUP },
  '053-no-barrier-at-the-loops-end': { arch: 'sm_90a' },
  '054-scales-copied-before-they-are-stored': { arch: 'sm_100a', differs: WARPS },
  '056-half-of-the-peer': { arch: 'sm_100a' },
  '058-remote-arrive-of-a-cta': { arch: 'sm_90a' },
  '059-trampoline-of-a-cta': { arch: 'sm_90a' },
  '060-init-of-one-pipeline': { arch: 'sm_90a' },
  '061-reader-gives-back-unfenced': { arch: 'sm_90a' },
  '062-empty-sequence-skips-fence': { arch: 'sm_90a' },
  '064-store-without-fence': { arch: 'sm_90a' },
  '066-lse-released-unfenced': { arch: 'sm_90a' },
  '068-slices-of-p-unfenced': { arch: 'sm_90a' },
  '070-operands-of-mmav5': { arch: 'sm_100a' },
  '071-store-of-a-partition': { arch: 'sm_100a' },
  '072-no-pass-for-reuse': { arch: 'sm_90a' },
  '074-tensor-memory-without-fences': { arch: 'sm_100a' },
  '075-init-of-all-barriers': { arch: 'sm_90a' },
  '076-init-without-sync': { arch: 'sm_90a' },
  '077-offset-of-two-stages': { arch: 'sm_90a', differs: BYTES },
  '078-partial-sums-over-the-input': { arch: 'sm_90a', differs: BYTES },
  '079-p-over-the-other-halfs-scores': { arch: 'sm_100a', differs: BYTES },
  '080-staging-over-the-next-operand': { arch: 'sm_90a', differs: BYTES },
  '083-slot-by-a-running-count': { arch: 'sm_90a', differs: BYTES },
  '084-bytes-of-a-live-barrier': { arch: 'sm_90a', differs: STILL_ARRIVE },
  '085-view-of-a-captured-buffer': { arch: 'sm_90a', differs: BYTES },
  '086-one-lane-arrives-for-all': { arch: 'sm_90a' },
  '087-first-thread-ahead-of-the-warps': { arch: 'sm_90a', differs: TWO_TILES },
  '088-leader-warp-runs-ahead': { arch: 'sm_100a', differs: WARPS },
  '089-barrier-dropped-for-48-threads': { arch: 'sm_80', differs: WARPS },
  '090-clear-not-seen-as-a-write': { arch: 'sm_100a', differs: BYTES },
  '091-rows-of-other-warps': { arch: 'sm_80', differs: WARPS },
  '092-deallocation-reaches-a-retired-peer': {
    arch: 'sm_100a',
    awaits: 'what the memory of a pair needs of its peer',
  },
  '093-exit-barrier-for-pairs-only': { arch: 'sm_90a' },
  '094-result-read-from-a-ctas-memory': { arch: 'sm_90a' },
  '095-store-before-the-peer-begins': { arch: 'sm_90a' },
  '096-arrival-at-a-retired-leader': { arch: 'sm_90a' },
  '097-peer-not-there-to-allocate': {
    arch: 'sm_100a',
    awaits: 'what the memory of a pair needs of its peer',
  },
  '099-address-without-a-key-tile': {
    arch: 'sm_100a',
    awaits: 'an address from a race',
    today: { bug: 'inconclusive' },
  },
  '100-never-allocated': { arch: 'sm_100a' },
  '102-mma-frees-for-softmax': { arch: 'sm_100a' },
  '103-first-epilogue-warp-frees': { arch: 'sm_100a' },
  '106-three-consumer-warpgroups': { arch: 'sm_90a' },
  '107-two-blocks-per-sm': { arch: 'sm_90a' },
  '110-no-registers-come-back': { arch: 'sm_90a' },
  '111-idle-warp-keeps-registers': { arch: 'sm_90a' },
  '113-preprocess-reads-at-once': { arch: 'sm_90a' },
  '114-array-gemm-never-waits': { arch: 'sm_90a' },
  '115-wait-after-the-bounds': { arch: 'sm_90a' },
  '117-lengths-read-in-prologue': { arch: 'sm_90a' },
  '119-map-of-the-group-before': { arch: 'sm_90a' },
  '120-descriptor-in-the-loop': { arch: 'sm_90a' },
  '121-acquire-without-effect': { arch: 'sm_90a' },
  '126-fewer-barriers-than-loads': { arch: 'sm_90a', differs: TWO_TILES },
  '127-box-larger-than-expected': { arch: 'sm_90a' },
  '128-semaphore-of-a-block-that-skips': { arch: 'sm_90a' },
  '129-turn-of-a-pair': { arch: 'sm_90a' },
  '130-clc-slot-freed-unread': { arch: 'sm_100a' },
  '131-store-ring-restarts': { arch: 'sm_90a' },
  '132-loads-not-waited-before-dealloc': { arch: 'sm_100a', differs: OPEN_LOAD },
  '133-store-counted-without-a-fence': { arch: 'sm_90a' },
  '135-leader-rewrites-the-flag': { arch: 'sm_90a' },
  '136-counter-zeroed-in-the-kernel': { arch: 'sm_90a' },
  '137-one-warp-launches-for-all': { arch: 'sm_90a' },
};
