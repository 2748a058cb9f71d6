// What an agent, a flight or a message may still see: the oldest version of each location.
import type { Scene } from './scene.ts';

/** By location, the oldest version that may be seen. */
export type Versions = readonly number[];
/** Reads that are known, as numbers of read slots in ascending order. */
export type Reads = readonly number[];

/** What signals carry and waits take. */
export interface Carried {
  /** Through the generic proxy, and through the async one. */
  readonly generic: Versions;
  readonly async: Versions;
  /** Tensor memory, whatever the fences. */
  readonly ordered: Versions;
  /** What was released for the reads of tensor maps. */
  readonly maps: Versions;
  /** What a thread of the CTA has acquired for the reads of tensor maps (H14). */
  readonly ofCta: Versions;
  /** Reads that are visible; and those that are fenced, if reads are strict. */
  readonly known: Reads;
  readonly fenced: Reads;
  /** Reads that are released, whatever the scopes. */
  readonly released: Reads;
  /** Reads of tensor memory that are known through its fences, if reads are strict. */
  readonly tensor: Reads;
}

export interface Message extends Carried {
  readonly cta: number;
  readonly isWide: boolean;
  /** I03: initializations that were fenced, at the scope of the signal alone. */
  readonly inits: Versions;
  readonly isWideOfInits: boolean;
  /** A completion: visible to all who wait. */
  readonly isAlways: boolean;
  /** The phase or generation that it counts for. */
  readonly phase: number;
  /** What others had fenced where its thread met them (H15). */
  readonly also: Message | null;
  /** What passes where threads meet (H15). */
  readonly passes: Passing | null;
}

/** H15: what threads had fenced as they met, and what their relaxed waits had brought. */
export interface Passing {
  readonly fenced: Carried | null;
  readonly awaited: readonly Message[];
}

/** What a release fence remembers. */
export interface Remembered extends Carried {
  readonly isWide: boolean;
  readonly isWidest: boolean;
}

/** The view of an agent. */
export interface View extends Carried {
  /** What a tensor map's reads may see. */
  readonly acquired: Versions;
  /** Tensor memory before the last fence before a sync, and since the last one after it. */
  readonly before: Versions;
  readonly after: Versions;
  readonly tensorBefore: Reads;
  readonly tensorAfter: Reads;
  readonly remembered: Remembered | null;
  /** I03: initializations before the last fence of them. */
  readonly inits: Versions;
  readonly aside: readonly Message[];
  readonly passed: Passing;
}

/** The view of a flight: that of its issuer, and what it did itself. */
export interface FlightView extends Carried {
  readonly own: { readonly generic: Versions; readonly async: Versions } | null;
}

export function nothing({ locations }: Scene): Carried {
  const zero = locations.map(() => 0);
  return {
    generic: zero,
    async: zero,
    ordered: zero,
    maps: zero,
    ofCta: zero,
    known: [],
    fenced: [],
    released: [],
    tensor: [],
  };
}

export function firstView(scene: Scene): View {
  const carried = nothing(scene);
  const zero = carried.generic;
  return {
    ...carried,
    acquired: zero,
    before: zero,
    after: zero,
    tensorBefore: [],
    tensorAfter: [],
    remembered: null,
    inits: zero,
    aside: [],
    passed: { fenced: null, awaited: [] },
  };
}

/** What the signals, the flights and the fences of a view are about, without the rest. */
export function carriedOf(from: Carried): Carried {
  const { generic, async, ordered, maps, ofCta, known, fenced, released, tensor } = from;
  return { generic, async, ordered, maps, ofCta, known, fenced, released, tensor };
}

/** The newer of both, by location. */
export function newer(one: Versions, other: Versions): Versions {
  if (one === other) return one;
  return one.map((version, at) => Math.max(version, other[at]!));
}

/** The versions of `one` where a location is chosen, else those of `other`. */
export function where(
  one: Versions,
  other: Versions,
  isChosen: (location: number) => boolean,
): Versions {
  return other.map((version, at) => (isChosen(at) ? one[at]! : version));
}

export function union(one: Reads, other: Reads): Reads {
  if (one === other || other.length === 0) return one;
  return [...new Set([...one, ...other])].sort((a, b) => a - b);
}

/** What one of two knows. */
export function both(one: Carried | null, other: Carried | null): Carried | null {
  if (one === null || other === null) return one ?? other;
  return {
    generic: newer(one.generic, other.generic),
    async: newer(one.async, other.async),
    ordered: newer(one.ordered, other.ordered),
    maps: newer(one.maps, other.maps),
    ofCta: newer(one.ofCta, other.ofCta),
    known: union(one.known, other.known),
    fenced: union(one.fenced, other.fenced),
    released: union(one.released, other.released),
    tensor: union(one.tensor, other.tensor),
  };
}
