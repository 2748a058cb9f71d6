// Tensor maps by their addresses: those of the launch, and those that the kernel makes or changes.
import type { TensorMap } from '../launch/launch.ts';

/** Bytes of an element by the number that `tensormap.replace` uses for its type. */
const ELEMENT_BYTES = [1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4] as const;

/** The most dimensions of a tensor. */
const MAX_RANK = 5;

/** A tensor map under construction. */
interface DeviceMap {
  readonly box: number[];
  elementBytes: number;
  rank: number;
}

/** The tensor maps of a run. */
export class DeviceTensorMaps {
  readonly #launch: ReadonlyMap<string, TensorMap>;
  readonly #changed = new Map<string, DeviceMap>();

  constructor(launch: ReadonlyMap<string, TensorMap>) {
    this.#launch = launch;
  }

  /** Bytes that one copy through a map moves; `null` if that is not known. */
  boxBytes(key: string): number | null {
    const changed = this.#changed.get(key);
    if (changed === undefined) return this.#launch.get(key)?.boxBytes ?? null;
    const { box, rank, elementBytes } = changed;
    const lengths = box.slice(0, rank);
    if (lengths.length < rank || lengths.includes(0))
      return this.#launch.get(key)?.boxBytes ?? null;
    return lengths.reduce((product, length) => product * length, elementBytes);
  }

  /** Replaces a field of a map; fields that do not change its box are ignored. */
  replace(key: string, field: string, ordinal: number, value: number): void {
    const map = this.#at(key);
    if (field === 'box_dim' && ordinal < MAX_RANK) map.box[ordinal] = value;
    else if (field === 'rank') map.rank = value + 1;
    else if (field === 'elemtype') map.elementBytes = ELEMENT_BYTES[value] ?? 1;
  }

  /** Copies a map to another address. */
  copy(from: string, to: string): void {
    const map = this.#changed.get(from);
    if (map !== undefined) this.#changed.set(to, { ...map, box: [...map.box] });
  }

  #at(key: string): DeviceMap {
    let map = this.#changed.get(key);
    if (map === undefined)
      this.#changed.set(key, (map = { box: [0, 0, 0, 0, 0], elementBytes: 1, rank: MAX_RANK }));
    return map;
  }
}
