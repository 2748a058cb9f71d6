// What an instruction does, as typed values: all that the rest of the program knows of an opcode.
//
// The rows of the table name an effect (see notation.ts); effects/ derives its fields from the
// modifiers of a row. The source of the semantics is the PTX ISA, by the names of the instructions.
import type { Operation } from './operation.ts';
import type { ScalarType } from './scalar-type.ts';

/** A state space; generic where an opcode names none. */
export type Space = 'generic' | 'shared' | 'global' | 'local' | 'param' | 'const';
/** The memory order that an opcode names. */
export type Order = 'weak' | 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'sc';
/** The scope that an opcode names. */
export type Scope = 'cta' | 'cluster' | 'gpu' | 'sys';
/** What an atomic, a reduction or a copy with a reduction computes. */
export type AtomicOperation =
  | 'add'
  | 'and'
  | 'or'
  | 'xor'
  | 'min'
  | 'max'
  | 'inc'
  | 'dec'
  | 'exch'
  | 'cas';

/** A load, a store or an atomic access of each lane. */
export interface Access {
  readonly kind: 'access';
  /** `atomic` has a result, `reduction` has none. */
  readonly op: 'load' | 'store' | 'atomic' | 'reduction' | 'discard';
  readonly space: Space;
  /** Whether it names `.shared::cluster`. */
  readonly isOfCluster: boolean;
  /** The type of an element; `null` where it names none. */
  readonly type: ScalarType | null;
  /** Bytes of an element, and elements of a lane. */
  readonly bytes: number;
  readonly width: number;
  /** An atomic that names none is relaxed. */
  readonly order: Order;
  /** `null`: it names none. */
  readonly scope: Scope | null;
  readonly isVolatile: boolean;
  readonly isMmio: boolean;
  /** Whether it is volatile, for a device, or names an order: other threads may be taking part. */
  readonly isStrong: boolean;
  /** `.nc`: not ordered with writes of the kernel. */
  readonly isNonCoherent: boolean;
  /** `.cg` and `.cv`: past the cache of the SM. */
  readonly isUncached: boolean;
  /** `ldu`: one address for the warp. */
  readonly isUniform: boolean;
  /** `null` for loads and stores. */
  readonly operation: AtomicOperation | null;
  /** Whether it accesses the memory of several devices by one address. */
  readonly isMultimem: boolean;
}

/** `ldmatrix`, `stmatrix` and `movmatrix`: lanes give rows of 16 bytes and share the elements. */
export interface MatrixAccess {
  readonly kind: 'matrix';
  readonly op: 'load' | 'store' | 'transpose';
  readonly shape: 'm8n8' | 'm8n16' | 'm16n8' | 'm16n16';
  /** Matrices: 1, 2 or 4. */
  readonly count: number;
  readonly isTransposed: boolean;
  /** Whether elements have 16 bits. */
  readonly isOfHalves: boolean;
}

/** `mma.sync` and `wmma`: multiplications of a warp, and the loads and stores of their matrices. */
export interface WarpMatrix {
  readonly kind: 'warp matrix';
  readonly op: 'load' | 'store' | 'multiply';
  readonly isWmma: boolean;
  /** The sizes m, n, k. */
  readonly shape: readonly [m: number, n: number, k: number];
  /** Which matrix is loaded or stored; `null` of a multiplication. */
  readonly matrix: 'a' | 'b' | 'c' | 'd' | null;
  readonly isColumnMajor: boolean;
  readonly space: Space;
  /** Types in the order of the opcode: of a load or store the one, else D, A, B, C. */
  readonly types: readonly ScalarType[];
}

/** Who executes groups of asynchronous work: copies of threads, the bulk unit, the tensor core. */
export type Unit = 'cpAsync' | 'bulk' | 'wgmma';

/** A cluster's CTAs that a signal or a copy goes to, by the bits of an operand. */
export type Multicast = 16 | 32;

/** How a tensor copy reads or writes its box. */
export type TensorMode =
  | 'tile'
  | 'tile::gather4'
  | 'tile::scatter4'
  | 'im2col'
  | 'im2col::w'
  | 'im2col::w::128'
  | 'im2col_no_offs'
  | 'im2col_no_offs::w';

/** An asynchronous copy, also `st.async`, `red.async` and `st.bulk`. */
export interface Copy {
  readonly kind: 'copy';
  /**
   * `thread`: `cp.async`; `bulk`, `tensor`: `cp[.reduce].async.bulk[.tensor]`; `store`: `st.async`
   * and `red.async`; `zeros`: `st.bulk`.
   */
  readonly op: 'thread' | 'bulk' | 'tensor' | 'store' | 'zeros';
  readonly from: 'global' | 'shared' | 'registers';
  /** `cluster`: the shared memory of another CTA, or of several. */
  readonly to: 'global' | 'cta' | 'cluster';
  /** Whether it names the space that it writes; else its address is generic. */
  readonly isSpaceNamed: boolean;
  /** What says that it is complete; `none`: it is when the instruction is. */
  readonly completion: 'mbarrier' | 'group' | 'none';
  readonly multicast: Multicast | null;
  readonly ctaGroup: 1 | 2 | null;
  /** Of a tensor copy; else `null`. */
  readonly mode: TensorMode | null;
  /** Dimensions of a tensor copy; else 0. */
  readonly dimensions: number;
  /** `null`: what it copies is stored. */
  readonly operation: AtomicOperation | null;
  /** Of an element, where it names one; else `null`. */
  readonly type: ScalarType | null;
  /** Bytes that one lane stores by `st.async` and `red.async`; else 0. */
  readonly bytes: number;
  /** Whether `cp.async` goes past the cache of the SM: 16 bytes alone. */
  readonly isUncached: boolean;
  /** Whether an operand says how many bytes at both ends are not read. */
  readonly hasIgnoredBytes: boolean;
  /** Whether an operand says which bytes of each 16 are written. */
  readonly hasByteMask: boolean;
  /** Whether its mbarrier is also changed by what it finds to be wrong. */
  readonly isReporting: boolean;
  readonly isMultimem: boolean;
}

/** A hint to a cache; a tensor prefetch reads its tensor map. */
export interface Prefetch {
  readonly kind: 'prefetch';
  readonly isTensor: boolean;
}

/** Groups of asynchronous work: commits and waits. */
export interface Group {
  readonly kind: 'group';
  readonly op: 'commit' | 'wait' | 'wait all';
  readonly unit: Unit;
  /** `.read`: sources may be written again, destinations need not be there. */
  readonly isReadOnly: boolean;
}

/** An operation on an mbarrier. */
export interface Mbarrier {
  readonly kind: 'mbarrier';
  readonly op:
    | 'init'
    | 'inval'
    | 'arrive'
    | 'arrive drop'
    | 'arrive on copies'
    | 'expect'
    | 'complete'
    | 'test'
    | 'try'
    | 'pending count'
    | 'check layout';
  /** Whether an arrival also expects bytes. */
  readonly isExpect: boolean;
  /** `.noComplete`: the arrival must not end a phase. */
  readonly mustNotComplete: boolean;
  /** `.noinc`: the arrival on copies is one of those that the mbarrier expects. */
  readonly isCounted: boolean;
  readonly isByParity: boolean;
  readonly order: 'acquire' | 'release' | 'relaxed';
  readonly scope: 'cta' | 'cluster';
  /** Whether it takes an mbarrier of another CTA. */
  readonly mayBeOfOthers: boolean;
  readonly multicast: Multicast | null;
  readonly layout: 0 | 1;
  readonly phase: 'primary' | 'conditional';
}

/** Barriers of the threads of a CTA, and of a cluster. */
export interface Barrier {
  readonly kind: 'barrier';
  readonly of: 'cta' | 'cluster';
  /** `arrive` does not wait; `wait` is the second half of the cluster's. */
  readonly op: 'sync' | 'arrive' | 'wait' | 'reduce';
  readonly isAligned: boolean;
  readonly reduction: 'popc' | 'and' | 'or' | null;
  readonly isRelaxed: boolean;
}

/** What of memory a fence orders: all, inits of mbarriers, or shared memory alone. */
export type Restriction =
  | 'all'
  | 'mbarrier init'
  | 'shared cta'
  | 'shared cluster'
  | 'shared cluster reads';

/** A fence of memory, of proxies, or of both. */
export interface Fence {
  readonly kind: 'fence';
  /** `null`: of proxies, with no order between threads. */
  readonly order: 'acquire' | 'release' | 'acq_rel' | 'sc' | null;
  readonly scope: Scope | null;
  readonly restriction: Restriction;
  /** Proxies that are joined; `null`: a fence of the generic proxy alone. */
  readonly proxy: 'async' | 'async::generic' | 'tensormap::generic' | 'alias' | null;
  /** The memory that a proxy fence is about; `null`: all. */
  readonly space: 'shared' | 'global' | null;
}

/** `wgmma`: multiplications of a warpgroup, and the fence of their registers. */
export interface WarpgroupMatrix {
  readonly kind: 'wgmma';
  readonly op: 'multiply' | 'fence';
  /** Columns of D, and of A. */
  readonly columns: number;
  readonly depth: number;
  /** In the order of the opcode: of D, A, B. */
  readonly types: readonly ScalarType[];
  readonly isSparse: boolean;
}

/** Shapes of transfers between registers and tensor memory. */
export type TransferShape = '32x32b' | '16x32bx2' | '16x64b' | '16x128b' | '16x256b';

/** `tcgen05`: tensor memory and its tensor core. */
export interface TensorMemory {
  readonly kind: 'tcgen05';
  readonly op:
    | 'alloc'
    | 'dealloc'
    | 'relinquish'
    | 'load'
    | 'store'
    | 'copy'
    | 'shift'
    | 'multiply'
    | 'commit'
    | 'wait load'
    | 'wait store'
    | 'fence before'
    | 'fence after';
  readonly ctaGroup: 1 | 2;
  /** Of a load or a store; else `null`. */
  readonly shape: TransferShape | null;
  /** Repetitions of the shape. */
  readonly repeats: number;
  /** Rows and bits of a row of a copy; else 0. */
  readonly rows: number;
  readonly rowBits: number;
  readonly isSparse: boolean;
  readonly isWeightStationary: boolean;
  readonly isBlockScaled: boolean;
  readonly multicast: Multicast | null;
  /** A commit that is about reads of A alone, so that the accumulator may still be written. */
  readonly isOfReadsOfA: boolean;
}

/** Instructions in which lanes of a warp take part together. */
export interface Lanes {
  readonly kind: 'lanes';
  readonly op: 'shuffle' | 'vote' | 'match' | 'reduce' | 'elect' | 'active mask' | 'join';
  /** The mode of a shuffle, a vote or a match. */
  readonly mode: 'up' | 'down' | 'bfly' | 'idx' | 'all' | 'any' | 'uni' | 'ballot' | null;
  readonly operation: AtomicOperation | null;
  readonly type: ScalarType | null;
}

/** Dependent launches. */
export interface Grid {
  readonly kind: 'grid';
  readonly op: 'launch dependents' | 'wait';
}

/** `setmaxnreg`. */
export interface Registers {
  readonly kind: 'registers';
  readonly op: 'inc' | 'dec';
}

/** Fields of a tensor map that an instruction replaces. */
export type MapField =
  | 'global_address'
  | 'rank'
  | 'box_dim'
  | 'global_dim'
  | 'global_stride'
  | 'element_stride'
  | 'elemtype'
  | 'interleave_layout'
  | 'swizzle_mode'
  | 'fill_mode'
  | 'swizzle_atomicity';

/** Changes of a tensor map: a field of it, or a copy of it with its fence. */
export interface TensorMap {
  readonly kind: 'tensor map';
  readonly op: 'replace' | 'copy with fence';
  readonly field: MapField | null;
  readonly space: Space;
  readonly scope: Scope | null;
}

/** Cluster launch control. */
export interface LaunchControl {
  readonly kind: 'launch control';
  readonly op: 'try cancel' | 'query';
  readonly isMulticast: boolean;
  /** What a query finds; `null` for a try. */
  readonly query: 'is canceled' | 'x' | 'y' | 'z' | 'all' | null;
}

/** Which instruction comes next. */
export interface Control {
  readonly kind: 'control';
  readonly op: 'branch' | 'table' | 'call' | 'return' | 'exit' | 'trap' | 'breakpoint' | 'sleep';
}

/** Modifiers of a computation. */
export type ComputeModifier =
  | 'lo'
  | 'hi'
  | 'wide'
  | 'sat'
  | 'satfinite'
  | 'cc'
  | 'ftz'
  | 'relu'
  | 'abs'
  | 'NaN'
  | 'xorsign'
  | 'oob'
  | 'noftz'
  | 'rn'
  | 'rz'
  | 'rm'
  | 'rp'
  | 'rni'
  | 'rzi'
  | 'rmi'
  | 'rpi'
  | 'rna'
  | 'approx'
  | 'full'
  | 'l'
  | 'r'
  | 'clamp'
  | 'wrap'
  | 'shiftamt'
  | 'pack'
  | 'to';

/** How a comparison compares. */
export type Comparison =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'lo'
  | 'ls'
  | 'hi'
  | 'hs'
  | 'equ'
  | 'neu'
  | 'ltu'
  | 'leu'
  | 'gtu'
  | 'geu'
  | 'num'
  | 'nan';

/** Modes of `prmt`. */
export type Permutation = 'f4e' | 'b4e' | 'rc8' | 'ecl' | 'ecr' | 'rc16';

/** A computation on registers alone. */
export interface Compute {
  readonly kind: 'compute';
  readonly operation: Operation;
  /** Its modifiers, but for types, comparisons and what combines them. */
  readonly modifiers: ReadonlySet<ComputeModifier>;
  /** The types that it names: the last one is that of its inputs. */
  readonly types: readonly ScalarType[];
  readonly comparison: Comparison | null;
  /** How a comparison or `lop3` is combined with a predicate. */
  readonly combination: 'and' | 'or' | 'xor' | null;
  readonly permutation: Permutation | null;
  /** The state space of `cvta` and `isspacep`. */
  readonly space: Space;
  /** Whether it names `.shared::cluster`. */
  readonly isOfCluster: boolean;
}

/** An instruction whose results are data that others may have written: textures, surfaces. */
export interface Opaque {
  readonly kind: 'opaque';
}

/** An instruction on which nothing depends; its results, such as policies, are data. */
export interface Hint {
  readonly kind: 'hint';
  /** How it reads what a retry loop expects at first, which may be any value; else `null`. */
  readonly guess: 'weak' | 'strong' | null;
}

/** What an instruction does. */
export type Effect =
  | Access
  | MatrixAccess
  | WarpMatrix
  | Copy
  | Prefetch
  | Group
  | Mbarrier
  | Barrier
  | Fence
  | WarpgroupMatrix
  | TensorMemory
  | Lanes
  | Grid
  | Registers
  | TensorMap
  | LaunchControl
  | Control
  | Compute
  | Opaque
  | Hint;

/**
 * Which lanes of a warp come to an instruction together: `warp` where it is `.aligned`, `mask`
 * where it is `.sync` alone. Barriers of threads have fields of their own.
 */
export type Joins = 'none' | 'warp' | 'mask';

/** What an operand is for, where its place depends on others. */
export type Role =
  | 'result'
  | 'value'
  | 'to'
  | 'from'
  | 'map'
  | 'coordinates'
  | 'bytes'
  | 'count'
  | 'token'
  | 'members'
  | 'mbarrier'
  | 'multicast'
  | 'byteMask'
  | 'ignoredLeft'
  | 'ignoredRight'
  | 'policy';

/** Where operands with roles stand; those that an instruction lacks are not there. */
export type Roles = Readonly<Partial<Record<Role, number>>>;
