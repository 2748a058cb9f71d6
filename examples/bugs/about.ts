// What each program of this folder is: its public thread, its class, and the rule that `check`
// reports.
import type { RuleId } from 'poundlock/check';

/** Where a bug comes from, and what is expected of it. */
export interface About {
  /** Repository and number of the thread, owner/repo#n, or owner/repo@commit. */
  readonly thread: string;
  /** What kind of bug it is. */
  readonly cause: string;
  /** The rule of the first finding. */
  readonly rule: RuleId;
  /** The memory profile, where it is not the one that `check` chooses. */
  readonly memory?: 'isa';
}

/** The thread, the rule, and the memory profile where `check` does not choose it. */
type Line = readonly [thread: string, rule: RuleId, memory?: 'isa'];

/** Bugs of one class: by the name of the file, sorted by number. */
function ofClass(cause: string, bugs: Readonly<Record<string, Line>>): Record<string, About> {
  const about = ([thread, rule, memory]: Line): About => {
    return { thread, cause, rule, ...(memory === undefined ? {} : { memory }) };
  };
  return Object.fromEntries(Object.entries(bugs).map(([name, line]) => [name, about(line)]));
}

/** The bugs of this folder by the name of their file, without its ending. */
export const BUGS: Readonly<Record<string, About>> = {
  ...ofClass('named barrier', {
    '001-empty-tile-arrives': ['vllm-project/vllm#26026', 'shared-barrier-id'],
    '002-arrive-laps-sync': ['flashinfer-ai/flashinfer#4732', 'shared-barrier-id'],
    '003-two-reductions-one-id': ['flashinfer-ai/flashinfer#4533', 'shared-barrier-id'],
    '004-count-of-both-warpgroups': ['deepseek-ai/FlashMLA#57', 'deadlock'],
    '005-one-of-four-load-warps': ['Dao-AILab/quack#146', 'shared-barrier-id'],
    '006-aligned-in-branches': ['mlc-ai/TIRx-kernels#21', 'divergent-barrier'],
    '007-barrier-in-both-branches': ['facebookexperimental/triton#1040', 'divergent-barrier'],
    '008-merged-epilogue': ['facebookexperimental/triton#378', 'race'],
    '009-cluster-barrier-in-partition': ['triton-lang/triton#9456', 'deadlock'],
    '010-sync-of-some-warps': ['flashinfer-ai/flashinfer#2996', 'deadlock'],
  }),
  ...ofClass('phase / parity', {
    '011-work-id-lapped': ['PyFR/GiMMiK#23', 'deadlock'],
    '012-phase-restarts': ['tile-ai/tilelang#2674', 'over-arrival'],
    '013-ring-parity-on-one-slot': ['tile-ai/tilelang#3087', 'race'],
    '014-parity-of-the-loop': ['tile-ai/tilelang#2927', 'false-pass'],
    '015-tile-before-mask': ['tile-ai/tilelang#374', 'deadlock'],
    '016-phase-from-zero': ['tile-ai/tilelang#754', 'false-pass'],
    '017-one-stage': ['triton-lang/triton#2868', 'deadlock'],
    '018-subtiles-reordered': ['facebookexperimental/triton#1485', 'deadlock'],
    '019-mailbox-without-free': ['NVlabs/cuda-oxide#1066', 'race'],
    '020-prologue-fills-all-slots': ['ROCm/aiter#4537', 'race'],
    '021-load-order-every-tile': ['NVIDIA/cutlass#2172', 'deadlock'],
    '022-scale-operand': ['triton-lang/triton#6758', 'deadlock'],
    '023-tail-of-another-pipeline': ['flashinfer-ai/flashinfer#3581', 'false-block'],
    '024-clc-signal-stays-home': ['facebookexperimental/triton#762', 'deadlock'],
  }),
  ...ofClass('arrival count / bytes', {
    '025-count-of-a-load-warp': ['NVIDIA/cutlass#2404', 'deadlock'],
    '026-expect-left-out': ['tile-ai/tilelang#241', 'tx-mismatch'],
    '027-every-lane-arrives': ['tile-ai/tilelang#1396', 'over-arrival'],
    '028-bytes-of-the-cluster': ['tile-ai/tilelang#2644', 'deadlock'],
    '029-answer-expected-by-one-cta': ['facebookexperimental/triton#908', 'deadlock'],
    '030-count-without-tma': ['tile-ai/tilelang#1995', 'deadlock'],
  }),
  ...ofClass('roles disagree on work', {
    '031-empty-producer': ['cloudrift-ai/emmy#217', 'deadlock'],
    '032-pair-across-groups': ['deepseek-ai/DeepGEMM#429', 'deadlock'],
    '033-empty-row': ['Dao-AILab/flash-attention#2258', 'false-block'],
    '034-packed-split': ['Dao-AILab/flash-attention#2761', 'deadlock'],
    '035-empty-split': ['facebookexperimental/triton#1141', 'deadlock'],
    '036-empty-keys': ['flashinfer-ai/flashinfer#1198', 'deadlock'],
    '037-slot-of-a-skipped-tile': ['flashinfer-ai/flashinfer#2957', 'race'],
    '039-valid-flag-as-bool': ['NVIDIA/cutlass#2267', 'deadlock'],
    '040-two-readings-of-a-grant': ['marin-community/marin#8870', 'deadlock'],
    '041-one-k-block': ['vllm-project/vllm#17641', 'deadlock'],
  }),
  ...ofClass('released before async work is done', {
    '043-released-before-its-loads': ['vllm-project/flash-attention#182', 'race'],
    '044-two-of-four-handles': ['flashinfer-ai/flashinfer#5334', 'race'],
    '045-released-before-the-last-subtile': ['NVIDIA/cudnn-frontend#654', 'race'],
    '046-last-quarter-of-p': ['Dao-AILab/flash-attention@e540fc1b', 'race'],
    '047-warpgroup-not-synchronized': ['Dao-AILab/flash-attention#2033', 'unjoined-lanes'],
    '048-wgmma-still-reads': ['facebookexperimental/triton#1278', 'race'],
    '049-accumulator-between-tiles': ['triton-lang/triton#8964', 'register-in-flight'],
    '050-wait-one-group-too-weak': ['NVIDIA/cutlass#2502', 'race'],
    '051-store-waited-for-at-a-fixed-step': ['uccl-project/mKernel#18', 'race'],
    '052-only-the-leader-can-wait': ['NVIDIA/TransformerEngine#3417', 'group-of-another-thread'],
    '053-no-barrier-at-the-loops-end': ['tile-ai/tilelang#2613', 'race'],
    '054-scales-copied-before-they-are-stored': ['triton-lang/triton#6061', 'unjoined-lanes'],
    '056-half-of-the-peer': ['NVIDIA/cutlass#3643', 'race'],
  }),
  ...ofClass('proxy fence / scope', {
    '058-remote-arrive-of-a-cta': ['NVIDIA/cutlass#3643', 'scope-too-narrow'],
    '059-trampoline-of-a-cta': ['NVIDIA/cutlass#3324', 'scope-too-narrow'],
    '060-init-of-one-pipeline': ['NVIDIA/cutlass#2030', 'unfenced-init'],
    '061-reader-gives-back-unfenced': ['deepseek-ai/DeepEP#642', 'unfenced-reuse', 'isa'],
    '062-empty-sequence-skips-fence': ['MoonshotAI/FlashKDA#24', 'missing-proxy-fence'],
    '063-init-unfenced-for-copies': ['MoonshotAI/FlashKDA#24', 'unfenced-init', 'isa'],
    '064-store-without-fence': ['NVIDIA/cudnn-frontend#784', 'missing-proxy-fence'],
    '065-fence-after-the-prefetch': ['NVIDIA/TransformerEngine#2695', 'unfenced-reuse', 'isa'],
    '066-lse-released-unfenced': ['Dao-AILab/flash-attention@d91ea94f', 'unfenced-reuse'],
    '067-ldmatrix-releases-unfenced': ['Dao-AILab/quack@0ab127b', 'unfenced-reuse', 'isa'],
    '068-slices-of-p-unfenced': ['facebookexperimental/triton#737', 'missing-proxy-fence'],
    '069-answer-of-the-scheduler': ['facebookexperimental/triton#1723', 'unfenced-reuse', 'isa'],
    '070-operands-of-mmav5': ['triton-lang/triton#6405', 'missing-proxy-fence'],
    '071-store-of-a-partition': ['triton-lang/triton#8317', 'missing-proxy-fence'],
    '072-no-pass-for-reuse': ['triton-lang/triton#7262', 'unfenced-reuse', 'isa'],
    '074-tensor-memory-without-fences': ['tile-ai/tilelang#1980', 'missing-tcgen05-fence', 'isa'],
    '075-init-of-all-barriers': ['tile-ai/tilelang#1121', 'unfenced-init'],
    '076-init-without-sync': ['NVIDIA/Fuser#1552', 'uninitialised-barrier'],
  }),
  ...ofClass('aliasing of smem / TMEM', {
    '077-offset-of-two-stages': ['Dao-AILab/flash-attention#2229', 'aliased-buffers'],
    '078-partial-sums-over-the-input': ['sgl-project/sglang#37287', 'aliased-buffers'],
    '079-p-over-the-other-halfs-scores': ['NVIDIA/cudnn-frontend#985', 'aliased-buffers'],
    '080-staging-over-the-next-operand': ['facebookexperimental/triton#1853', 'aliased-buffers'],
    '081-token-without-a-release': ['facebookexperimental/triton#1851', 'deadlock'],
    '082-warps-of-one-task-alias': ['facebookexperimental/triton#1992', 'aliased-buffers'],
    '083-slot-by-a-running-count': ['facebookexperimental/triton#1864', 'aliased-buffers'],
    '084-bytes-of-a-live-barrier': ['facebookexperimental/triton#861', 'aliased-buffers'],
    '085-view-of-a-captured-buffer': ['triton-lang/triton#6441', 'aliased-buffers'],
  }),
  ...ofClass('threads of one role', {
    '086-one-lane-arrives-for-all': ['NVIDIA/cudnn-frontend#426', 'unjoined-lanes'],
    '087-first-thread-ahead-of-the-warps': ['triton-lang/triton#3809', 'false-block'],
    '088-leader-warp-runs-ahead': ['triton-lang/triton#9871', 'unjoined-lanes'],
    '089-barrier-dropped-for-48-threads': ['tile-ai/tilelang#2556', 'unjoined-lanes'],
    '090-clear-not-seen-as-a-write': ['tile-ai/tilelang#2699', 'aliased-buffers'],
    '091-rows-of-other-warps': ['flashinfer-ai/flashinfer#3439', 'unjoined-lanes'],
  }),
  ...ofClass('cluster lifetime', {
    '092-deallocation-reaches-a-retired-peer': ['sgl-project/sglang#32954', 'missing-drain'],
    '093-exit-barrier-for-pairs-only': ['facebookexperimental/triton#1105', 'missing-drain'],
    '094-result-read-from-a-ctas-memory': ['triton-lang/triton#11731', 'missing-drain'],
    '095-store-before-the-peer-begins': ['facebookexperimental/triton#2292', 'cta-not-begun'],
    '096-arrival-at-a-retired-leader': ['sgl-project/sglang#34340', 'missing-drain'],
  }),
  ...ofClass('TMEM alloc / dealloc', {
    '097-peer-not-there-to-allocate': ['NVIDIA/cutlass#3316', 'cta-not-begun'],
    '098-freed-before-the-peer-allocates': ['NVIDIA/cutlass#3435', 'tmem-use-after-free'],
    '099-address-without-a-key-tile': ['NVIDIA/cutlass#2835', 'race'],
    '100-never-allocated': ['NVIDIA/cutlass#2230', 'tmem-use-after-free'],
    '101-last-store-warp-frees': ['deepseek-ai/DeepGEMM#292', 'tmem-use-after-free'],
    '102-mma-frees-for-softmax': ['Dao-AILab/flash-attention@dd8a2729', 'tmem-use-after-free'],
    '103-first-epilogue-warp-frees': ['Dao-AILab/quack@14e9a0b', 'tmem-use-after-free'],
    '104-sync-on-one-side-of-the-pair': ['tile-ai/tilelang#2644', 'cta-not-begun'],
  }),
  ...ofClass('setmaxnreg', {
    '106-three-consumer-warpgroups': ['tile-ai/tilelang#2406', 'register-deadlock'],
    '107-two-blocks-per-sm': ['tile-ai/tilelang#2559', 'register-deadlock'],
    '109-sixteen-registers-left': ['NVIDIA/cutlass#2007', 'unused-registers'],
    '110-no-registers-come-back': ['pytorch/helion#3620', 'register-deadlock'],
    '111-idle-warp-keeps-registers': ['Dao-AILab/quack@97c98dc', 'register-misuse'],
    '112-instrumented-workers': ['triton-lang/triton#9786', 'register-deadlock'],
  }),
  ...ofClass('PDL', {
    '113-preprocess-reads-at-once': [
      'Dao-AILab/flash-attention#2481',
      'missing-grid-dependency-wait',
    ],
    '114-array-gemm-never-waits': ['NVIDIA/cutlass#2760', 'missing-grid-dependency-wait'],
    '115-wait-after-the-bounds': ['NVIDIA/cccl#3131', 'missing-grid-dependency-wait'],
    '116-waits-compiled-out': ['flashinfer-ai/flashinfer#2708', 'missing-grid-dependency-wait'],
    '117-lengths-read-in-prologue': [
      'flashinfer-ai/flashinfer#4199',
      'missing-grid-dependency-wait',
    ],
  }),
  ...ofClass('tensor map in flight', {
    '118-peer-rewrites-its-map': ['NVIDIA/cutlass#3165', 'tensormap-in-flight'],
    '119-map-of-the-group-before': ['deepseek-ai/DeepGEMM#343', 'tensormap-in-flight'],
    '120-descriptor-in-the-loop': ['facebookexperimental/triton#680', 'tensormap-in-flight'],
    '121-acquire-without-effect': ['triton-lang/triton#7293', 'unfenced-tensormap'],
  }),
  ...ofClass('phase / parity', {
    '126-fewer-barriers-than-loads': ['NVIDIA/Fuser#5862', 'false-pass'],
  }),
  ...ofClass('arrival count / bytes', {
    '127-box-larger-than-expected': ['mirage-project/mirage#705', 'deadlock'],
  }),
  ...ofClass('roles disagree on work', {
    '128-semaphore-of-a-block-that-skips': ['pytorch/FBGEMM#4982', 'deadlock'],
    '129-turn-of-a-pair': ['PaddlePaddle/flash-attention#140', 'deadlock'],
  }),
  ...ofClass('released before async work is done', {
    '130-clc-slot-freed-unread': ['tile-ai/tilelang#2410', 'race'],
    '131-store-ring-restarts': ['NVIDIA/cutlass#3636', 'race'],
    '132-loads-not-waited-before-dealloc': ['NVIDIA/cutlass#3652', 'tmem-use-after-free'],
  }),
  ...ofClass('proxy fence / scope', {
    '133-store-counted-without-a-fence': ['flashinfer-ai/flashinfer#4742', 'relaxed-signal'],
  }),
  ...ofClass('aliasing of smem / TMEM', {
    '134-columns-of-the-generation-before': ['NVIDIA/cudnn-frontend#396', 'aliased-buffers'],
  }),
  ...ofClass('threads of one role', {
    '135-leader-rewrites-the-flag': ['NVIDIA/TensorRT-LLM#18338', 'race'],
    '136-counter-zeroed-in-the-kernel': ['vllm-project/vllm-xpu-kernels#524', 'race'],
  }),
  ...ofClass('PDL', {
    '137-one-warp-launches-for-all': ['NVIDIA/TensorRT-LLM#14668', 'missing-grid-dependency-wait'],
  }),
  ...ofClass('threads of one role', {
    '138-barrier-of-the-other-branch': ['tile-ai/tilelang#3085', 'race'],
    '139-rows-of-the-loop-before': ['ggml-org/llama.cpp#28475', 'unjoined-lanes'],
    '140-tile-of-an-accumulator': ['JustVugg/colibri#1099', 'unjoined-lanes'],
    '141-search-in-open-sums': ['sgl-project/sglang#37663', 'race'],
    '142-elected-lane-publishes': ['mlc-ai/TIRx-kernels#202', 'unjoined-lanes'],
  }),
  ...ofClass('released before async work is done', {
    '143-one-of-two-readers-frees': ['mlc-ai/TIRx-kernels#202', 'race'],
    '144-zeros-beside-copies': ['mlc-ai/TIRx-kernels#202', 'race'],
  }),
  ...ofClass('proxy fence / scope', {
    '145-address-behind-a-relaxed-barrier': ['mlc-ai/TIRx-kernels#14', 'relaxed-signal'],
  }),
  ...ofClass('threads of one role', {
    '146-counters-cleared-early': ['mlc-ai/TIRx-kernels#14', 'race'],
  }),
  ...ofClass('proxy fence / scope', {
    '147-ring-of-global-memory': ['mlc-ai/TIRx-kernels#14', 'missing-proxy-fence'],
  }),
  ...ofClass('phase / parity', {
    '148-state-produced-unasked': ['mlc-ai/TIRx-kernels#19', 'false-block'],
  }),
  ...ofClass('released before async work is done', {
    '149-freed-while-others-load': ['mlc-ai/TIRx-kernels#27', 'tmem-use-after-free'],
  }),
  ...ofClass('phase / parity', {
    '150-published-again-unconsumed': ['mlc-ai/TIRx-kernels#42', 'deadlock'],
  }),
  ...ofClass('threads of one role', {
    '151-zeros-of-other-lanes': ['mlc-ai/TIRx-kernels#51', 'unjoined-lanes'],
  }),
  ...ofClass('setmaxnreg', {
    '152-warps-give-different-numbers': ['mlc-ai/TIRx-kernels#53', 'register-misuse'],
  }),
  ...ofClass('released before async work is done', {
    '153-load-open-at-the-handover': ['mlc-ai/TIRx-kernels#53', 'race'],
    '154-arrival-before-the-bank-is-read': ['mlc-ai/TIRx-kernels@72f3d67', 'race'],
  }),
  ...ofClass('threads of one role', {
    '155-one-thread-arrives-for-its-block': ['mlc-ai/TIRx-kernels@72f3d67', 'race'],
  }),
  ...ofClass('arrival count / bytes', {
    '156-predicate-of-an-arrival': ['apache/tvm#20250', 'false-block'],
  }),
  ...ofClass('threads of one role', {
    '157-counters-reset-at-the-end': ['mlc-ai/TIRx-kernels#60', 'race'],
  }),
};
