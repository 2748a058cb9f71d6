// Effects of what changes registers, lanes, grids and tensor maps, and of control flow.
import type {
  Compute,
  ComputeModifier,
  Comparison,
  Control,
  Effect,
  Lanes,
  LaunchControl,
  MapField,
  Permutation,
  TensorMap,
} from '../effect.ts';
import type { Operation } from '../operation.ts';
import { scalarType } from '../scalar-type.ts';
import { isSpace, type Words } from '../words.ts';

const COMPARISONS = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
  lo: 'lo',
  ls: 'ls',
  hi: 'hi',
  hs: 'hs',
  equ: 'equ',
  neu: 'neu',
  ltu: 'ltu',
  leu: 'leu',
  gtu: 'gtu',
  geu: 'geu',
  num: 'num',
  nan: 'nan',
} as const satisfies { readonly [Name in Comparison]: Name };
const PERMUTATIONS = {
  f4e: 'f4e',
  b4e: 'b4e',
  rc8: 'rc8',
  ecl: 'ecl',
  ecr: 'ecr',
  rc16: 'rc16',
} as const satisfies { readonly [Name in Permutation]: Name };
const COMBINATIONS = { and: 'and', or: 'or', xor: 'xor' } as const;

/** A computation; `isComparison`: its first modifier says how it compares. */
function compute(isComparison = false): (words: Words) => Compute {
  return (words) => {
    const [operation, ...others] = words.name;
    const modifiers = [...others, ...words.modifiers].filter((word) => {
      const isApart = (isComparison && word in COMPARISONS) || word in PERMUTATIONS;
      return (
        !isApart && !(word in COMBINATIONS) && !isSpace(word) && scalarType(word) === undefined
      );
    });
    return {
      kind: 'compute',
      // The table gives the effect to the names of computations alone.
      operation: operation as Operation,
      // What is none of its union is a modifier that no computation here knows.
      modifiers: new Set(modifiers as ComputeModifier[]),
      types: words.types,
      comparison: isComparison ? (words.pick<Comparison>(COMPARISONS) ?? null) : null,
      combination: words.pick(COMBINATIONS) ?? null,
      permutation: words.pick<Permutation>(PERMUTATIONS) ?? null,
      space: words.space,
      isOfCluster: words.isOfCluster,
    };
  };
}

const MODES = {
  up: 'up',
  down: 'down',
  bfly: 'bfly',
  idx: 'idx',
  all: 'all',
  any: 'any',
  uni: 'uni',
  ballot: 'ballot',
} as const;

function lanes(op: Lanes['op']): (words: Words) => Lanes {
  return (words) => ({
    kind: 'lanes',
    op,
    mode: words.pick<NonNullable<Lanes['mode']>>(MODES) ?? null,
    operation: words.operation,
    type: words.types.at(-1) ?? null,
  });
}

function control(op: Control['op']): () => Control {
  return () => ({ kind: 'control', op });
}

const FIELDS = {
  global_address: 'global_address',
  rank: 'rank',
  box_dim: 'box_dim',
  global_dim: 'global_dim',
  global_stride: 'global_stride',
  element_stride: 'element_stride',
  elemtype: 'elemtype',
  interleave_layout: 'interleave_layout',
  swizzle_mode: 'swizzle_mode',
  fill_mode: 'fill_mode',
  swizzle_atomicity: 'swizzle_atomicity',
} as const satisfies { readonly [Field in MapField]: Field };

function tensorMap(op: TensorMap['op']): (words: Words) => TensorMap {
  return (words) => ({
    kind: 'tensor map',
    op,
    field: words.pick<MapField>(FIELDS) ?? null,
    space: words.space,
    scope: words.scope,
  });
}

const QUERIES = {
  is_canceled: 'is canceled',
  'get_first_ctaid::x': 'x',
  'get_first_ctaid::y': 'y',
  'get_first_ctaid::z': 'z',
  get_first_ctaid: 'all',
} as const;

function launchControl(op: LaunchControl['op']): (words: Words) => LaunchControl {
  return (words) => ({
    kind: 'launch control',
    op,
    isMulticast: words.has('multicast::cluster::all'),
    query: words.pick<NonNullable<LaunchControl['query']>>(QUERIES) ?? null,
  });
}

export const REGISTER_EFFECTS = {
  compute: compute(),
  compare: compute(true),
  shuffle: lanes('shuffle'),
  vote: lanes('vote'),
  match: lanes('match'),
  'reduce lanes': lanes('reduce'),
  elect: lanes('elect'),
  'active mask': lanes('active mask'),
  'join lanes': lanes('join'),
  'grid dependency': (words) => ({
    kind: 'grid',
    op: words.has('wait') ? 'wait' : 'launch dependents',
  }),
  'register count': (words) => ({ kind: 'registers', op: words.has('inc') ? 'inc' : 'dec' }),
  'replace map field': tensorMap('replace'),
  'copy map': tensorMap('copy with fence'),
  'try cancel': launchControl('try cancel'),
  'query cancel': launchControl('query'),
  branch: control('branch'),
  'branch table': control('table'),
  call: control('call'),
  return: control('return'),
  exit: control('exit'),
  trap: control('trap'),
  breakpoint: control('breakpoint'),
  sleep: control('sleep'),
  opaque: () => ({ kind: 'opaque' }),
  hint: () => ({ kind: 'hint', guess: null }),
} satisfies Record<string, (words: Words) => Effect>;
