// Tensor maps by their addresses: those of the launch, and those that the kernel makes or changes.
import type { TensorMap } from '../../launch/launch.ts';
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import { MAP_BYTES, mapKey } from '../../launch/map-key.ts';

/** Bytes of an element by the number that `tensormap.replace` uses for its type. */
const ELEMENT_BYTES = [1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4] as const;

/** The most dimensions of a tensor. */
const MAX_RANK = 5;

/** Tensor maps begin at a multiple of this. */
const LINE_BYTES = 64;
const LINES_OF_HIGH = 2 ** 32 / LINE_BYTES;

/** Bytes of a map at an address. */
interface MapByte {
  readonly key: string;
  /** The offset within the map. */
  readonly offset: number;
}

/** A tensor map under construction. */
interface DeviceMap {
  readonly box: number[];
  elementBytes: number;
  rank: number;
  /** The map of the launch that it was copied from, if it has its box still. */
  template: string | null;
}

/** Memory in which a map may be, beside global memory: a copy of it there, or one by mistake. */
const OTHER_WINDOWS = new Set([0, SHARED_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW]);

function isGlobal(high: number): boolean {
  return !OTHER_WINDOWS.has(high);
}

/** The tensor maps of a run. */
export class DeviceTensorMaps {
  readonly #launch: ReadonlyMap<string, TensorMap>;
  readonly #changed = new Map<string, DeviceMap>();
  /** By line of global memory: the map that it is a part of. */
  readonly #lines = new Map<number, MapByte>();
  /** Maps in global memory that accesses of threads are not compared with: they came too late. */
  readonly late = new Set<string>();
  /** Instructions that use a map whose address is not known. */
  readonly unknownUses: number[] = [];

  /** `known` are keys of maps in global memory that are found in the run. */
  constructor(launch: ReadonlyMap<string, TensorMap>, known: Iterable<string>) {
    this.#launch = launch;
    for (const key of [...launch.keys(), ...known]) this.#watch(key);
  }

  /** Whether there are maps in global memory, whose bytes threads may touch. */
  get isWatching(): boolean {
    return this.#lines.size > 0;
  }

  /** An instruction names a map by its address. */
  found(low: number, high: number): void {
    if (!isGlobal(high)) return;
    if (this.at(low, high) === null) this.late.add(mapKey(true, low, high));
  }

  /** The map that has a byte of global memory; `null` if none has. */
  at(low: number, high: number): MapByte | null {
    const line = this.#lines.get(high * LINES_OF_HIGH + Math.floor(low / LINE_BYTES));
    if (line === undefined) return null;
    return { key: line.key, offset: line.offset + (low % LINE_BYTES) };
  }

  #watch(key: string): void {
    const hexadecimal = /^0x([0-9a-f]+)([0-9a-f]{8})$/.exec(key);
    if (hexadecimal === null) return;
    const [high, low] = [parseInt(hexadecimal[1]!, 16), parseInt(hexadecimal[2]!, 16)];
    if (!isGlobal(high)) return;
    const first = high * LINES_OF_HIGH + Math.floor(low / LINE_BYTES);
    for (let offset = 0; offset < MAP_BYTES; offset += LINE_BYTES)
      this.#lines.set(first + offset / LINE_BYTES, { key, offset });
  }

  /** Bytes that one copy through a map moves; `null` if that is not known. */
  boxBytes(key: string): number | null {
    const changed = this.#changed.get(key);
    if (changed === undefined) return this.#launch.get(key)?.boxBytes ?? null;
    const { box, rank, elementBytes } = changed;
    const lengths = box.slice(0, rank);
    if (lengths.length < rank || lengths.includes(0))
      return this.#launch.get(changed.template ?? key)?.boxBytes ?? null;
    return lengths.reduce((product, length) => product * length, elementBytes);
  }

  /** Replaces a field of a map; fields that do not change its box are ignored. */
  replace(key: string, field: string, ordinal: number, value: number): void {
    const map = this.#at(key);
    if (field === 'box_dim' && ordinal < MAX_RANK) map.box[ordinal] = value;
    else if (field === 'rank') map.rank = value + 1;
    else if (field === 'elemtype') map.elementBytes = ELEMENT_BYTES[value] ?? 1;
    else return;
    map.template = null;
  }

  /** Threads have made a map a copy of one of the launch. */
  copied(key: string, template: string): void {
    this.#changed.set(key, { ...newMap(), template });
  }

  readonly #texts = new Map<string, string>();

  /** Threads have changed a map in shared memory, whose bytes have a text since. */
  sealed(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  /** The bytes of a map in shared memory: if something else was stored there, they are unknown. */
  verify(key: string, text: string): void {
    if (this.#texts.get(key) !== text) this.#changed.delete(key);
  }

  /** What the kernel has made of the maps, as a text. */
  get text(): string {
    return JSON.stringify([...this.#changed]);
  }

  /** Copies a map to another address. */
  copy(from: string, to: string): void {
    const map = this.#changed.get(from);
    if (map !== undefined) this.#changed.set(to, { ...map, box: [...map.box] });
  }

  #at(key: string): DeviceMap {
    let map = this.#changed.get(key);
    if (map === undefined) this.#changed.set(key, (map = newMap()));
    return map;
  }
}

function newMap(): DeviceMap {
  return { box: [0, 0, 0, 0, 0], elementBytes: 1, rank: MAX_RANK, template: null };
}
