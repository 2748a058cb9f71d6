// The handles that a role owns now, as a short list.
import type { Position } from '../base/index.ts';
import type { StageHandle } from './handle.ts';

/** A handle that a role owns now. */
export interface Owned {
  readonly handle: StageHandle;
  readonly acquiredAt: Position | undefined;
}

/**
 * Handles by id, in the order of their acquires, as a list: a map of so few entries, each of which
 * lives for a moment, spends its time growing and shrinking.
 */
export class LiveHandles {
  /** Reused: the first {@link size} entries count. */
  readonly handles: StageHandle[] = [];
  readonly places: (Position | undefined)[] = [];
  size = 0;

  has(id: number): boolean {
    return this.indexOf(id) >= 0;
  }

  /** The index of a handle, −1 where it is not owned. */
  indexOf(id: number): number {
    for (let at = this.size - 1; at >= 0; at--) if (this.handles[at]!.id === id) return at;
    return -1;
  }

  get(id: number): Owned | undefined {
    const at = this.indexOf(id);
    return at < 0 ? undefined : { handle: this.handles[at]!, acquiredAt: this.places[at] };
  }

  /** Takes out the only handle; `false` where this is not it, or not the only one. */
  deleteOnly(handle: StageHandle): boolean {
    if (this.size !== 1 || this.handles[0] !== handle) return false;
    handle.isLive = false;
    this.size = 0;
    return true;
  }

  set(handle: StageHandle, acquiredAt: Position | undefined): void {
    handle.isLive = true;
    this.handles[this.size] = handle;
    this.places[this.size++] = acquiredAt;
  }

  delete(id: number): boolean {
    const index = this.indexOf(id);
    if (index < 0) return false;
    this.handles[index]!.isLive = false;
    this.size--;
    for (let at = index; at < this.size; at++) {
      this.handles[at] = this.handles[at + 1]!;
      this.places[at] = this.places[at + 1];
    }
    return true;
  }

  ids(): number[] {
    return this.values().map(({ handle }) => handle.id);
  }

  values(): Owned[] {
    return Array.from({ length: this.size }, (_, at) => {
      return { handle: this.handles[at]!, acquiredAt: this.places[at] };
    });
  }
}
