// Effects of the tensor cores of warpgroups and of CTAs: wgmma and tcgen05.
import type { Effect, TensorMemory, TransferShape, WarpgroupMatrix } from '../effect.ts';
import type { Words } from '../words.ts';

function wgmma(op: WarpgroupMatrix['op']): (words: Words) => WarpgroupMatrix {
  return (words) => {
    const [columns = 0, depth = 0] = words.numbers(/^m64n(\d+)k(\d+)$/) ?? [];
    return { kind: 'wgmma', op, columns, depth, types: words.types, isSparse: words.has('sp') };
  };
}

const SHAPES = {
  '32x32b': '32x32b',
  '16x32bx2': '16x32bx2',
  '16x64b': '16x64b',
  '16x128b': '16x128b',
  '16x256b': '16x256b',
} as const satisfies { readonly [Shape in TransferShape]: Shape };

function tcgen05(op: TensorMemory['op']): (words: Words) => TensorMemory {
  return (words) => {
    const isTransfer = op === 'load' || op === 'store';
    const [rows = 0, rowBits = 0] = op === 'copy' ? (words.numbers(/^(\d+)x(\d+)b$/) ?? []) : [];
    return {
      kind: 'tcgen05',
      op,
      ctaGroup: words.ctaGroup ?? 1,
      shape: isTransfer ? (words.pick<TransferShape>(SHAPES) ?? '32x32b') : null,
      repeats: words.numbers(/^x(\d+)$/)?.[0] ?? 1,
      rows,
      rowBits,
      isSparse: words.has('sp'),
      isWeightStationary: words.has('ws'),
      isBlockScaled: words.has('block_scale'),
      multicast: words.multicast,
      isOfReadsOfA: words.has('sync_restrict::shared::read::mma::a'),
    };
  };
}

export const TENSOR_CORE_EFFECTS = {
  'wgmma multiply': wgmma('multiply'),
  'wgmma fence': wgmma('fence'),
  'tcgen05 alloc': tcgen05('alloc'),
  'tcgen05 dealloc': tcgen05('dealloc'),
  'tcgen05 relinquish': tcgen05('relinquish'),
  'tcgen05 load': tcgen05('load'),
  'tcgen05 store': tcgen05('store'),
  'tcgen05 copy': tcgen05('copy'),
  'tcgen05 shift': tcgen05('shift'),
  'tcgen05 multiply': tcgen05('multiply'),
  'tcgen05 commit': tcgen05('commit'),
  'tcgen05 wait load': tcgen05('wait load'),
  'tcgen05 wait store': tcgen05('wait store'),
  'tcgen05 fence before': tcgen05('fence before'),
  'tcgen05 fence after': tcgen05('fence after'),
} satisfies Record<string, (words: Words) => Effect>;
