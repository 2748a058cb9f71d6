// What `compute` and copies do for real: a function over views of the tiles, called by `run` alone.
import { currentPosition, InputError, type SharedMemory, type ViewType } from '../base/index.ts';
import type { Buffer } from './declared-buffer.ts';

/**
 * Access to the memory of buffers while real work is done by `run`. Views are created once for
 * each buffer and type.
 */
export interface View {
  /** The bytes of a buffer, as numbers of a type. */
  <T extends ViewType>(buffer: Buffer, type: T): InstanceType<T>;
  /** The memory that contains all buffers, for WebAssembly that imports it. */
  readonly memory: SharedMemory;
  /** The byte offset of a buffer in that memory. */
  readonly offsetOf: (buffer: Buffer) => number;
}

/**
 * Real work, which `run` alone executes. It may read files, call WebAssembly or throw: the roles
 * that wait for this role then throw, too. It must not perform operations.
 */
export type Work = (view: View) => void;

/** Throws unless `work` is a function: options in its place would have no effect. */
export function requireWork(call: string, work: unknown): void {
  if (typeof work === 'function') return;
  throw new InputError(`the work of ${call} must be a function`, currentPosition());
}
