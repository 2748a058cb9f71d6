// Effects of accesses to memory: of lanes, and of matrices by a warp.
import type { Access, Effect, MatrixAccess, WarpMatrix } from '../effect.ts';
import { byteSize } from '../scalar-type.ts';
import type { Words } from '../words.ts';

const WIDTHS: Readonly<Record<string, number>> = { v2: 2, v4: 4, v8: 8 };
/** Bytes of an element whose type is not named. */
const WORD = 4;

/** Bytes of an element of the type that some words name last. */
export function elementBytes(words: Words): number {
  const type = words.types.at(-1);
  return type === undefined ? WORD : byteSize(type);
}

/** Elements of a vector: 1, 2, 4 or 8. */
export function vectorWidth(words: Words): number {
  return words.pick(WIDTHS) ?? 1;
}

/** An access of each lane. */
export function access(op: Access['op']): (words: Words) => Access {
  return (words) => {
    const isAtomic = op === 'atomic' || op === 'reduction';
    const order = words.order ?? (isAtomic ? 'relaxed' : 'weak');
    const [isVolatile, isMmio] = [words.has('volatile'), words.has('mmio')];
    return {
      kind: 'access',
      op,
      space: words.space,
      isOfCluster: words.isOfCluster,
      type: words.types.at(-1) ?? null,
      bytes: elementBytes(words),
      width: vectorWidth(words),
      order,
      scope: words.scope,
      isVolatile,
      isMmio,
      isStrong: isAtomic || isVolatile || isMmio || order !== 'weak',
      isNonCoherent: words.has('nc'),
      isUncached: words.has('cg') || words.has('cv'),
      isUniform: words.has('ldu'),
      operation: words.operation,
      isMultimem: words.has('multimem'),
    };
  };
}

const COUNTS: Readonly<Record<string, number>> = { x1: 1, x2: 2, x4: 4 };

/** `ldmatrix`, `stmatrix`, `movmatrix`. */
export function matrix(op: MatrixAccess['op']): (words: Words) => MatrixAccess {
  return (words) => ({
    kind: 'matrix',
    op,
    shape: words.one('m8n8', 'm8n16', 'm16n8', 'm16n16') ?? 'm8n8',
    count: words.pick(COUNTS) ?? 1,
    isTransposed: words.has('trans'),
    isOfHalves: words.has('b16'),
  });
}

/** `mma` and `wmma`. */
export function warpMatrix(op: WarpMatrix['op']): (words: Words) => WarpMatrix {
  return (words) => {
    const [m = 0, n = 0, k = 0] = words.numbers(/^m(\d+)n(\d+)k(\d+)$/) ?? [];
    return {
      kind: 'warp matrix',
      op,
      isWmma: words.has('wmma'),
      shape: [m, n, k],
      matrix: op === 'multiply' ? null : words.one('a', 'b', 'c', 'd'),
      isColumnMajor: words.has('col'),
      space: words.space,
      types: words.types,
    };
  };
}

export const MEMORY_EFFECTS = {
  load: access('load'),
  store: access('store'),
  atomic: access('atomic'),
  reduction: access('reduction'),
  discard: access('discard'),
  'matrix load': matrix('load'),
  'matrix store': matrix('store'),
  'matrix transpose': matrix('transpose'),
  'fragment load': warpMatrix('load'),
  'fragment store': warpMatrix('store'),
  'warp multiply': warpMatrix('multiply'),
} satisfies Record<string, (words: Words) => Effect>;
