// The real work of `compute` and copies: a function over views of the tiles, called by `run` only.
import type { SharedMemory, ViewType } from '../base/index.ts';
import type { Buffer } from './declare.ts';

/** Looks at buffers while work is done. Views are made once for each buffer and type. */
export interface View {
  /** The bytes of a buffer, as numbers of a type. */
  <T extends ViewType>(buffer: Buffer, type: T): InstanceType<T>;
  /** The memory that all buffers are in, for WebAssembly that imports it. */
  readonly memory: SharedMemory;
  /** The byte where a buffer starts in that memory. */
  readonly offsetOf: (buffer: Buffer) => number;
}

/**
 * Real work. It may read files, call WebAssembly or throw: then every role that waits for this one
 * is aborted, too. It must not make operations.
 */
export type Work = (view: View) => void;
