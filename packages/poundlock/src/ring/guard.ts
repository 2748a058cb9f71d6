// Debug mode: every acquire has a handle of its own, which knows its lines and dies at the release.
import { currentPosition, formatPosition } from '../base/index.ts';
import { RingMisuse } from './errors.ts';
import type { Schema } from './schema.ts';
import type { Tile } from './tile.ts';

const GIVING = new Set<string | symbol>(['release', 'cancel', Symbol.dispose]);

interface Life {
  readonly stage: number;
  readonly acquiredAt: string;
  releasedAt: string | null;
}

type Leaked = (stage: number, line: string) => void;

// One for all guards: a registry that is collected itself tells nothing.
const LOST = new FinalizationRegistry<{ life: Life; leaked: Leaked }>(({ life, leaked }) => {
  if (life.releasedAt === null) leaked(life.stage, life.acquiredAt);
});

function here(): string {
  const position = currentPosition();
  return position === undefined ? 'an unknown line' : formatPosition(position);
}

/** Guards the handles of one endpoint. */
export class Guard {
  readonly #ring: string;
  readonly #leaked: Leaked;

  /** `leaked` is told of a handle that was collected without a release. */
  constructor(ring: string, leaked: Leaked) {
    this.#ring = ring;
    this.#leaked = leaked;
  }

  /** The line that acquires now. */
  line(): string {
    return here();
  }

  /** A handle of `tile` for this acquire alone. */
  handle<S extends Schema>(tile: Tile<S>, acquiredAt: string): Tile<S> {
    const life: Life = { stage: tile.index, acquiredAt, releasedAt: null };
    const handle = new Proxy(tile, {
      get: (target, key) => {
        if (key === Symbol.dispose && life.releasedAt !== null) return () => {};
        this.#requireLive(life, key);
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          this.#requireLive(life, key);
          if (GIVING.has(key)) life.releasedAt = here();
          return value.apply(target, args) as unknown;
        };
      },
      set: (target, key, value) => {
        this.#requireLive(life, key);
        return Reflect.set(target, key, value, target);
      },
    });
    LOST.register(handle, { life, leaked: this.#leaked });
    return handle;
  }

  #requireLive(life: Life, key: string | symbol): void {
    if (life.releasedAt === null || key === 'index') return;
    const rule = GIVING.has(key) ? 'double-release' : 'use-after-release';
    const what = rule === 'double-release' ? 'released again' : `used (${String(key)})`;
    throw new RingMisuse(
      rule,
      `stage ${life.stage} of ring ${this.#ring} is ${what} at ${here()}: ` +
        `it was acquired at ${life.acquiredAt} and released at ${life.releasedAt}`,
    );
  }
}
