// Types of shared memory and of typed-array views, without the type library of the DOM.

/** A shared WebAssembly memory. The library types of WebAssembly come with the DOM's. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** Typed arrays that bytes can be looked at through. */
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
