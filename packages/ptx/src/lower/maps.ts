// Tensor maps in global memory that the kernel changes, as buffers: a map, and the parts of it that
// threads touch. What nothing changes is left out.
import { AUTO, Fence, FenceSpace, orderOf } from '@poundlock/core/internal/op';
import { MAP_BYTES } from '../launch/map-key.ts';
import { globalName } from '../steps/names.ts';
import type { Pointer } from '../steps/names.ts';
import type { ReferenceRun } from '../steps/run.ts';
import type { Ranges, Step } from '../steps/step.ts';
import { normalized } from './pieces.ts';
import type { PlannedMap } from './plan.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** One map. */
interface Changed {
  /** Its buffer. */
  readonly whole: number;
  /** Where the parts of it begin that no access divides, and the end of the last. */
  readonly cuts: readonly number[];
  /** The buffer of each part. */
  readonly parts: readonly number[];
}

/** The maps that a run changes. */
export class MapBuffers {
  readonly buffers: PlannedMap[] = [];
  readonly #changed = new Map<string, Changed>();

  constructor({ warps, global }: ReferenceRun) {
    const touches = warps.flatMap(({ steps }) => steps.flatMap(touchesIn));
    const keys = new Set(touches.flatMap(({ map, writes }) => (writes.length > 0 ? [map] : [])));
    for (const [index, key] of [...keys].entries()) {
      const own = touches.filter(({ map }) => map === key);
      const ends = own.flatMap((each) => [...normalized(each.reads), ...normalized(each.writes)]);
      const cuts = [...new Set([0, MAP_BYTES, ...ends])].toSorted((one, other) => one - other);
      const at = index * MAP_BYTES;
      const name = nameOf(key, global.pointers);
      const whole = this.#add({ name, at, bytes: MAP_BYTES });
      const parts = cuts.slice(1).map((to, part) => {
        const from = cuts[part]!;
        const bytes = to - from;
        if (bytes === MAP_BYTES) return whole;
        return this.#add({ name: `${name}+${from}/${bytes}`, at: at + from, bytes });
      });
      this.#changed.set(key, { whole, cuts, parts });
    }
  }

  /** The buffer of a map; `null` for one that nothing changes. */
  of(key: string | null | undefined): number | null {
    return this.#changed.get(key ?? '')?.whole ?? null;
  }

  /** The buffers of ranges of a map. */
  partsOf(key: string, ranges: Ranges): number[] {
    const map = this.#changed.get(key);
    if (map === undefined) return [];
    return map.parts.filter((_, part) => {
      const from = map.cuts[part]!;
      return ranges.some((begin, at) => at % 2 === 0 && begin <= from && from < ranges[at + 1]!);
    });
  }

  #add(map: PlannedMap): number {
    return this.buffers.push(map) - 1;
  }
}

/** A map by the parameter or the variable that points to it; else by its address. */
function nameOf(key: string, pointers: readonly Pointer[]): string {
  return key.startsWith('0x') ? globalName(pointers, Number(key)) : key;
}

type Touch = Extract<Step, { op: 'map' }>;

function touchesIn(step: Step): readonly Touch[] {
  if (step.op === 'last') return step.steps.flatMap(touchesIn);
  return step.op === 'map' ? [step] : [];
}

/** The lowerings of steps about maps. */
export function mapLowerings({ run, actions }: WarpScope): Lowerings<'map' | 'prefetch'> {
  const { maps } = run;
  return {
    map: ({ at, map, reads, writes }) => {
      if (maps.of(map) === null) return;
      const written = maps.partsOf(map, writes);
      const read = maps.partsOf(map, reads).filter((part) => !written.includes(part));
      actions.push({ kind: 'map', at, read, written });
    },
    // A prefetch cannot be waited for: it is taken to read its map at once.
    prefetch: ({ at, map }) => {
      const read = maps.of(map);
      if (read === null) return;
      actions.push({ kind: 'prefetch', at, map: read });
      actions.push({ kind: 'waitGroup', at, unit: 'prefetch', pending: 0, isRead: false });
    },
  };
}

/** A fence of memory, or of a map. */
export function fenceLowering({ run, actions }: WarpScope): Lowerings<'fence'>['fence'] {
  return ({ at, fence, scope, space, map }) => {
    const named = run.maps.of(map);
    if (map !== undefined && named === null) return;
    const order = scope === undefined ? AUTO : orderOf(undefined, run.words.within(scope));
    const about = { fence: Fence[fence], space: FenceSpace[space ?? 'all'], map: named } as const;
    actions.push({ kind: 'fence', at, ...about, order });
  };
}
