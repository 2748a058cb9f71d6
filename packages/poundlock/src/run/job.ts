// What the main thread and a role's thread tell each other: plain data.
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
  /** A crew gives the same memory to one run after the other: then its number is the same. */
  readonly memoryNumber: number;
  readonly recordLimit: number;
  /** Whether every use of a handle after its release is found, however late it comes. */
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

/** How a role's thread says that it is done. */
export interface Done {
  readonly type: 'done';
  readonly how: 'ended' | 'over' | 'broken' | 'threw';
  /** The rule that it broke. */
  readonly rule: RuleId | null;
  /** What it threw. */
  readonly message: string;
  /** Where it was left. */
  readonly position: Position | undefined;
  readonly held: readonly HeldStage[];
  /** When it began and ended, in milliseconds that all threads share. */
  readonly began: number;
  readonly ended: number;
}

export type Message = Done | { readonly type: 'ready' } | Refused;

/** The role can not be run at all. */
export interface Refused {
  readonly type: 'refused';
  readonly message: string;
  readonly position: Position | undefined;
}
