// Shared memory that WebAssembly moves: V8 alone fills and copies shared bytes 10 times slower.
import type { SharedMemory } from '../../core/src/base/index.ts';

/** A module that imports a shared memory and exports its `memory.fill` and `memory.copy`. */
// oxfmt-ignore
const MOVER = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
  0x01, 0x07, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x00, // type 0: (i32, i32, i32) -> ()
  0x02, 0x0b, 0x01, 0x01, 0x6d, 0x01, 0x6d, 0x02, 0x03, 0x00, 0x80, 0x80, 0x04, // import m.m
  0x03, 0x03, 0x02, 0x00, 0x00, // two functions of type 0
  0x07, 0x09, 0x02, 0x01, 0x66, 0x00, 0x00, 0x01, 0x63, 0x00, 0x01, // exported as f and c
  0x0a, 0x1a, 0x02,
  0x0b, 0x00, 0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0xfc, 0x0b, 0x00, 0x0b, // memory.fill
  0x0c, 0x00, 0x20, 0x00, 0x20, 0x01, 0x20, 0x02, 0xfc, 0x0a, 0x00, 0x00, 0x0b, // memory.copy
);

// The types of WebAssembly come with those of the DOM, which a library should not ask for.
interface WebAssemblyFace {
  readonly Memory: new (limits: object) => SharedMemory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => {
    readonly exports: Readonly<Record<string, unknown>>;
  };
}
const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyFace })
  .WebAssembly;

const PAGE_BYTES = 65_536;
/** The most a WebAssembly memory with 32-bit addresses can have. */
export const MAX_MEMORY_BYTES = PAGE_BYTES * 65_536;

/** Fills and copies inside one shared memory. */
export interface Mover {
  readonly fill: (at: number, value: number, bytes: number) => void;
  readonly copy: (to: number, from: number, bytes: number) => void;
}

/** A shared memory of at least `bytes` bytes, all zero. */
export function makeMemory(bytes: number): SharedMemory {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
  return new Memory({ initial: pages, maximum: pages, shared: true });
}

const modules = new Map<Uint8Array, object>();

/** What a module exports that imports the memory `m.m` alone. Its code is compiled once. */
export function instantiate(
  code: Uint8Array,
  memory: SharedMemory,
): Readonly<Record<string, unknown>> {
  let module = modules.get(code);
  if (module === undefined) modules.set(code, (module = new Module(code)));
  return new Instance(module, { m: { m: memory } }).exports;
}

const movers = new WeakMap<SharedMemory, Mover>();

/** The mover of a memory; made once for each thread. */
export function moverOf(memory: SharedMemory): Mover {
  const known = movers.get(memory);
  if (known !== undefined) return known;
  const { f, c } = instantiate(MOVER, memory);
  const made = { fill: f as Mover['fill'], copy: c as Mover['copy'] };
  movers.set(memory, made);
  return made;
}
