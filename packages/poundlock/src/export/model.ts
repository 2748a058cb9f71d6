// The exported model, independent of the language: variables, locations of roles, transitions.
import type { RuleId } from '@poundlock/core/internal/finding';
import type { Flight } from '@poundlock/core/internal/machine';

/** A physical barrier, and the parts of its state that the program can observe. */
export interface BarrierModel {
  readonly name: string;
  readonly ident: string;
  readonly cta: number;
  /** Arrivals per phase at the start; 0 if the program initializes it. */
  readonly count: number;
  /** M09: a wait compares completed phases, not parities. */
  readonly isCounter: boolean;
  /** Waited for by absolute phase: stores the phase itself instead of its parity. */
  readonly hasPhase: boolean;
  readonly hasBytes: boolean;
  /** Initialized late or invalidated. */
  readonly hasLife: boolean;
  /** Its number of expected arrivals changes: it is initialized late, or threads drop out. */
  readonly varies: boolean;
  /** M11: copies complete bytes on it. */
  readonly hasCopies: boolean;
}

/** R01: a register that some step reads or advances. */
export interface RegisterModel {
  readonly name: string;
  readonly ident: string;
  readonly stages: number;
}

/** R06: the registers and barriers that are reduced by double laps together. */
export interface ShiftModel {
  readonly ident: string;
  readonly registers: readonly RegisterModel[];
  readonly barriers: readonly BarrierModel[];
  readonly period: number;
}

export interface CountModel {
  readonly name: string;
  readonly ident: string;
  readonly total: number;
}

export interface CellModel {
  readonly name: string;
  readonly ident: string;
  readonly initial: number;
}

export interface PoolModel {
  readonly name: string;
  readonly ident: string;
  readonly capacity: number;
  readonly buffers: readonly BufferModel[];
}

export interface BufferModel {
  readonly name: string;
  readonly ident: string;
  readonly cta: number;
  /** The pool that it belongs to, or −1. */
  readonly pool: number;
  /** Whether it is in memory that no CTA takes along when it ends. */
  readonly isGlobal: boolean;
}

/** N01: a named barrier, by CTA and number. */
export interface NamedModel {
  readonly id: number;
  readonly name: string;
  readonly ident: string;
}

export interface FlightModel {
  readonly text: string;
  readonly ident: string;
  readonly flight: Flight;
  /** Its number in its queue, from 1 on. */
  readonly number: number;
  readonly barrier: BarrierModel | null;
  readonly queue: QueueModel;
  readonly accesses: readonly AccessModel[];
}

export interface AccessModel {
  readonly buffer: BufferModel;
  readonly writes: boolean;
}

/** The flights of one role on one unit. */
export interface QueueModel {
  readonly ident: string;
  readonly role: number;
  readonly unit: number;
  readonly inOrder: boolean;
  /** Nothing waits for earlier work: the state is the number of open flights of each kind. */
  readonly isBag: boolean;
  readonly flights: FlightModel[];
}

export type Phase =
  | { readonly at: 'number'; readonly value: number }
  /** The register's lap, or the one before it. */
  | { readonly at: 'lap'; readonly register: RegisterModel; readonly less: 0 | 1 };

export type Guard =
  | { readonly if: 'passes' | 'alias' | 'unfinished'; readonly barrier: BarrierModel; phase: Phase }
  | { readonly if: 'unborn'; readonly barrier: BarrierModel }
  | { readonly if: 'stage'; readonly register: RegisterModel; plus: number; stage: number }
  | { readonly if: 'more'; readonly count: CountModel; plus: number; answer: boolean }
  | { readonly if: 'cell'; readonly cell: CellModel; value: number }
  | { readonly if: 'beyond'; readonly cell: CellModel; values: readonly number[] }
  | { readonly if: 'groups'; readonly queue: QueueModel; most: number }
  | { readonly if: 'ended' | 'started' | 'unstarted'; readonly role: number }
  | { readonly if: 'together'; readonly role: number }
  | { readonly if: 'first-free'; readonly pool: PoolModel; units: number; buffer: BufferModel }
  | { readonly if: 'impossible'; readonly pool: PoolModel; units: number }
  | { readonly if: 'mismatch' | 'full' | 'part'; named: NamedModel; threads: number; count: number }
  | { readonly if: 'cluster'; readonly state: 'divergent' | 'full' | 'part' }
  | { readonly if: 'can-complete'; readonly flight: FlightModel };

export type Call =
  | { readonly do: 'fail'; readonly rule: RuleId | 'bound'; readonly note: string }
  | { readonly do: 'alias-fault'; readonly barrier: BarrierModel; readonly phase: Phase }
  | { readonly do: 'reach'; readonly barrier: BarrierModel; readonly from: number }
  | { readonly do: 'arrive'; readonly barrier: BarrierModel; count: number; lanes: number }
  | { readonly do: 'expect'; readonly barrier: BarrierModel; readonly bytes: number }
  | { readonly do: 'settle'; readonly barrier: BarrierModel }
  | { readonly do: 'init' | 'drop'; readonly barrier: BarrierModel; readonly count: number }
  | { readonly do: 'invalidate'; readonly barrier: BarrierModel }
  | { readonly do: 'issue' | 'complete'; readonly flight: FlightModel }
  | { readonly do: 'next' | 'done'; readonly buffer: BufferModel; readonly writes: boolean }
  | { readonly do: 'touch'; readonly buffer: BufferModel; readonly from: number }
  | { readonly do: 'store' | 'add'; readonly cell: CellModel; readonly value: number }
  | { readonly do: 'step'; readonly register: RegisterModel }
  | { readonly do: 'must-stand'; readonly register: RegisterModel; readonly stage: number }
  | { readonly do: 'not-behind'; readonly register: RegisterModel; copies: RegisterModel[] }
  | { readonly do: 'shift'; readonly shift: ShiftModel }
  | { readonly do: 'count'; readonly count: CountModel }
  | { readonly do: 'take'; readonly pool: PoolModel; units: number; buffer: BufferModel }
  | { readonly do: 'free'; readonly pool: PoolModel; readonly buffer: BufferModel }
  | { readonly do: 'relinquish'; readonly pool: PoolModel }
  | { readonly do: 'gather'; readonly named: NamedModel; threads: number; count: number }
  | { readonly do: 'wait-named'; readonly named: NamedModel; readonly role: number }
  | { readonly do: 'release-named'; readonly named: NamedModel }
  | { readonly do: 'wait-cluster'; readonly role: number }
  | { readonly do: 'release-cluster' }
  | { readonly do: 'start' | 'end'; readonly role: number }
  | { readonly do: 'exit'; readonly cta: number };

/** A transition: if all guards hold, all calls are performed atomically. */
export interface Action {
  readonly guards: readonly Guard[];
  readonly calls: readonly Call[];
  /** The location that it leads to. */
  readonly to: number;
}

/** A location of a role: one operation, and the transitions that perform it. */
export interface PlaceModel {
  readonly number: number;
  readonly text: string;
  /** Whether its role ends there; another place without actions is a misuse. */
  readonly isEnd: boolean;
  readonly actions: Action[];
}

export interface RoleModel {
  readonly index: number;
  readonly name: string;
  readonly ident: string;
  readonly cta: number;
  readonly isSpawned: boolean;
  /** The calls on entry to its first location. */
  readonly start: { readonly calls: readonly Call[]; readonly to: number };
  /** In order of number. */
  readonly places: readonly PlaceModel[];
}

export interface UnitModel {
  readonly name: string;
  readonly ident: string;
  /** Completions of flights. */
  readonly completions: readonly {
    readonly flight: FlightModel;
    readonly calls: readonly Call[];
  }[];
}

export interface ExportModel {
  readonly kernel: string;
  readonly params: string;
  readonly barriers: readonly BarrierModel[];
  readonly registers: readonly RegisterModel[];
  readonly counts: readonly CountModel[];
  readonly cells: readonly CellModel[];
  readonly buffers: readonly BufferModel[];
  readonly pools: readonly PoolModel[];
  readonly named: readonly NamedModel[];
  readonly queues: readonly QueueModel[];
  readonly roles: readonly RoleModel[];
  readonly units: readonly UnitModel[];
  readonly shifts: readonly ShiftModel[];
  readonly ctas: number;
  /** Whether a CTA exits, and whether an operation targets another CTA. */
  readonly exits: boolean;
  readonly crosses: boolean;
  readonly hasCluster: boolean;
  readonly joins: boolean;
  readonly relinquishes: boolean;
}
