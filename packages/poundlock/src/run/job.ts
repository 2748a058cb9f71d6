// Messages between the main thread and the thread of a role.
import type { Position, SharedMemory } from '@poundlock/core/internal/base';
import type { Parameters, RuleId } from '@poundlock/core/internal/finding';
import type { PolicyName } from '@poundlock/ring';

/** A role to run. */
export interface Job {
  /** Modules that the thread imports first. */
  readonly preload: readonly string[];
  /** The URL of the module whose export is the kernel. */
  readonly module: string;
  readonly export: string;
  readonly params: Parameters;
  readonly role: number;
  readonly memory: SharedMemory;
  /** Identifies the memory: runs of one crew may share a memory. */
  readonly memoryNumber: number;
  readonly recordLimit: number;
  /** Whether each use of a handle after its release is detected, however late it is. */
  readonly guardsHandles: boolean;
  readonly policy: PolicyName;
  readonly seed: number;
}

/** A stage that a role held when it failed. */
export interface HeldStage {
  /** The ring. */
  readonly ring: string;
  /** The stage of the ring. */
  readonly stage: number;
}

/** Reports that the role has ended or stopped. */
export interface Done {
  readonly type: 'done';
  readonly how: 'ended' | 'over' | 'broken' | 'threw';
  /** The rule that it broke. */
  readonly rule: RuleId | null;
  /** What it threw. */
  readonly message: string;
  /** Where it stopped. */
  readonly position: Position | undefined;
  readonly held: readonly HeldStage[];
  /** When it began and ended, in milliseconds of a clock that all threads share. */
  readonly began: number;
  readonly ended: number;
}

export type Message = Done | { readonly type: 'ready' } | Refused;

/** Reports that the role can not run at all. */
export interface Refused {
  readonly type: 'refused';
  readonly message: string;
  readonly position: Position | undefined;
}
