// Types of shared memory and of typed-array views, without the type library of the DOM.

/**
 * A shared WebAssembly memory, declared here because the types of WebAssembly come with those of
 * the DOM.
 */
export interface SharedMemory {
  /** The memory's bytes. */
  readonly buffer: SharedArrayBuffer;
}

/** Constructors of typed arrays, to view bytes as numbers. */
export type ViewType =
  | typeof Uint8Array
  | typeof Int8Array
  | typeof Uint16Array
  | typeof Int16Array
  | typeof Uint32Array
  | typeof Int32Array
  | typeof Float32Array
  | typeof Float64Array
  | typeof BigInt64Array
  | typeof BigUint64Array;
