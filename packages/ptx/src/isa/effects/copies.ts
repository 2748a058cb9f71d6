// Effects of asynchronous copies, their groups, and prefetches.
import type { Copy, Effect, Group, TensorMode, Unit } from '../effect.ts';
import type { Words } from '../words.ts';
import { elementBytes, vectorWidth } from './memory.ts';

const MODES = {
  tile: 'tile',
  'tile::gather4': 'tile::gather4',
  'tile::scatter4': 'tile::scatter4',
  im2col: 'im2col',
  'im2col::w': 'im2col::w',
  'im2col::w::128': 'im2col::w::128',
  im2col_no_offs: 'im2col_no_offs',
  'im2col_no_offs::w': 'im2col_no_offs::w',
} as const satisfies { readonly [Mode in TensorMode]: Mode };
const DIMENSIONS = { '1d': 1, '2d': 2, '3d': 3, '4d': 4, '5d': 5 } as const;
const DESTINATIONS: Readonly<Record<string, Copy['to']>> = {
  global: 'global',
  shared: 'cta',
  'shared::cta': 'cta',
  'shared::cluster': 'cluster',
};
const REPORT = 'mbarrier::report::';

function copy(op: Copy['op']): (words: Words) => Copy {
  return (words) => {
    const spaces = words.modifiers.flatMap((word) => DESTINATIONS[word] ?? []);
    const isStore = op === 'store';
    const isByMbarrier = words.has('mbarrier::complete_tx::bytes');
    return {
      kind: 'copy',
      op,
      from: isStore || op === 'zeros' ? 'registers' : spaces[1] === 'global' ? 'global' : 'shared',
      to: spaces[0] ?? (isStore ? 'cluster' : 'cta'),
      isSpaceNamed: spaces.length > 0,
      completion: op === 'zeros' ? 'none' : isByMbarrier ? 'mbarrier' : 'group',
      multicast: words.multicast,
      ctaGroup: words.ctaGroup,
      mode: op === 'tensor' ? (words.pick<TensorMode>(MODES) ?? 'tile') : null,
      dimensions: words.pick(DIMENSIONS) ?? 0,
      operation: words.operation,
      type: words.types.at(-1) ?? null,
      bytes: isStore ? elementBytes(words) * vectorWidth(words) : 0,
      isUncached: words.has('cg'),
      hasIgnoredBytes: words.has('ignore_oob'),
      hasByteMask: words.has('cp_mask'),
      isReporting: words.modifiers.some(
        (word) => word.startsWith(REPORT) && word !== `${REPORT}disabled`,
      ),
      isMultimem: words.has('multimem'),
    };
  };
}

function group(op: Group['op'], unit: Unit): (words: Words) => Group {
  return (words) => ({ kind: 'group', op, unit, isReadOnly: words.has('read') });
}

export const COPY_EFFECTS = {
  'thread copy': copy('thread'),
  'bulk copy': copy('bulk'),
  'tensor copy': copy('tensor'),
  'async store': copy('store'),
  'bulk zeros': copy('zeros'),
  prefetch: () => ({ kind: 'prefetch', isTensor: false }),
  'tensor prefetch': () => ({ kind: 'prefetch', isTensor: true }),
  'commit copies': group('commit', 'cpAsync'),
  'wait copies': group('wait', 'cpAsync'),
  'wait all copies': group('wait all', 'cpAsync'),
  'commit bulk': group('commit', 'bulk'),
  'wait bulk': group('wait', 'bulk'),
  'commit wgmma': group('commit', 'wgmma'),
  'wait wgmma': group('wait', 'wgmma'),
} satisfies Record<string, (words: Words) => Effect>;
