// Shared memory with WebAssembly bulk operations: 10 times faster than V8's own fill and copy.
import type { SharedMemory } from '../../core/src/base/index.ts';

/** A module that imports a shared memory and exports its `memory.fill` and `memory.copy`. */
// oxfmt-ignore
const BULK_MEMORY_CODE = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x07, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x00, // type 0: (i32, i32, i32) -> ()
  0x02, 0x0b, 0x01, 0x01, 0x6d, 0x01, 0x6d, 0x02, 0x03, 0x00, 0x80, 0x80, 0x04, // import m.m
  0x03, 0x03, 0x02, 0x00, 0x00, // two functions of type 0
  0x07, 0x09, 0x02, 0x01, 0x66, 0x00, 0x00, 0x01, 0x63, 0x00, 0x01, // exported as f and c
  0x0a, 0x1a, 0x02,
  0x0b, 0x00, 0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0xfc, 0x0b, 0x00, 0x0b, // memory.fill
  0x0c, 0x00, 0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0xfc, 0x0a, 0x00, 0x00, 0x0b, // memory.copy
);

// The types of WebAssembly are part of the DOM library, which a package should not require.
interface WebAssemblyApi {
  readonly Memory: new (limits: object) => SharedMemory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => {
    readonly exports: Readonly<Record<string, unknown>>;
  };
}
const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi })
  .WebAssembly;

const PAGE_BYTES = 65_536;
/** The largest WebAssembly memory with 32-bit addresses. */
export const MAX_MEMORY_BYTES = PAGE_BYTES * 65_536;

/** Fills and copies inside one shared memory. */
export interface BulkMemory {
  readonly fill: (at: number, value: number, bytes: number) => void;
  readonly copy: (to: number, from: number, bytes: number) => void;
}

/** A shared memory of at least `bytes` bytes, all zero. */
export function createSharedMemory(bytes: number): SharedMemory {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
  return new Memory({ initial: pages, maximum: pages, shared: true });
}

const modules = new Map<Uint8Array, object>();

/** The exports of a module whose only import is the memory `m.m`. Each code is compiled once. */
export function instantiate(
  code: Uint8Array,
  memory: SharedMemory,
): Readonly<Record<string, unknown>> {
  let module = modules.get(code);
  if (module === undefined) modules.set(code, (module = new Module(code)));
  return new Instance(module, { m: { m: memory } }).exports;
}

const bulkMemories = new WeakMap<SharedMemory, BulkMemory>();

/** The bulk operations of a memory; created once for each thread. */
export function bulkMemoryOf(memory: SharedMemory): BulkMemory {
  const known = bulkMemories.get(memory);
  if (known !== undefined) return known;
  const { f, c } = instantiate(BULK_MEMORY_CODE, memory);
  const bulkMemory = { fill: f as BulkMemory['fill'], copy: c as BulkMemory['copy'] };
  bulkMemories.set(memory, bulkMemory);
  return bulkMemory;
}
