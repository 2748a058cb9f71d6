// Mainloops that try before they wait, as FA3 and CUTLASS do, and wrong ones.
import { sourceText } from '@poundlock/core/internal/host';
import type { Op } from '@poundlock/core/internal/op';
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  end,
  expectTx,
  kernel,
  loop,
  read,
  role,
  tryWait,
  UNITS,
  wait,
} from 'poundlock';
import type { Barrier, Buffer, Kernel } from 'poundlock';

/** How a role waits for a phase. */
export const STYLES = [
  'wait',
  'try',
  'poll',
  'peek',
  'ignored',
  'reused',
  'other stage',
  'next phase',
  'one branch',
  'more after yes',
  'more after no',
  'counted',
  'once counted',
] as const;
export type Style = (typeof STYLES)[number];

export interface Shape {
  readonly stages: number;
  readonly tiles: number;
  readonly consumers: number;
  readonly form: 'for' | 'loop';
  readonly produce: Style;
  readonly consume: Style;
}

interface Stage {
  readonly full: Barrier;
  readonly empty: Barrier;
  readonly tile: Buffer;
}

/** What a role carries from tile to tile. */
interface Carried {
  readonly ready: boolean;
  readonly misses: number;
}

type Round = Generator<Op, Carried, number>;

/** A role whose tiles are rounds of a `for` or of a `loop`. */
function* inForm(
  { form, tiles }: Shape,
  first: Carried,
  round: (tile: number, carried: Carried) => Round,
) {
  if (form === 'for') {
    let carried = first;
    for (let tile = 0; tile < tiles; tile++) carried = yield* round(tile, carried);
    return;
  }
  yield* loop({ tile: 0, ...first }, function* ({ tile, ...carried }) {
    if (tile >= tiles) return end(0);
    return { tile: tile + 1, ...(yield* round(tile, carried)) };
  });
}

/** Waits for a phase as a style says; returns what the role carries on. */
function* waiting(
  style: Style,
  at: (tile: number) => readonly [Barrier, number],
  tile: number,
  tiles: number,
  { ready, misses }: Carried,
  extra: () => void,
): Round {
  const [bar, phase] = at(tile);
  const next = at(tile + 1);
  const none = { ready: false, misses };
  switch (style) {
    case 'wait':
      yield* wait(bar, phase);
      return none;
    case 'try':
      if (!(yield* tryWait(bar, phase))) yield* wait(bar, phase);
      return none;
    case 'poll':
      while (!(yield* tryWait(bar, phase)));
      return none;
    case 'peek': {
      if (!ready) yield* wait(bar, phase);
      if (tile + 1 >= tiles) return none;
      return { ready: yield* tryWait(...next), misses };
    }
    case 'ignored':
      yield* tryWait(bar, phase);
      return none;
    case 'reused': {
      const isReady = ready || (yield* tryWait(bar, phase));
      if (!isReady) yield* wait(bar, phase);
      return { ready: isReady, misses };
    }
    case 'other stage':
      if (!(yield* tryWait(...next))) yield* wait(bar, phase);
      return none;
    case 'next phase':
      if (!(yield* tryWait(bar, phase + 1))) yield* wait(bar, phase);
      return none;
    case 'one branch':
      if (yield* tryWait(bar, phase)) yield* wait(bar, phase);
      return none;
    case 'more after yes':
      if (yield* tryWait(bar, phase)) extra();
      else yield* wait(bar, phase);
      return none;
    case 'more after no':
      if (!(yield* tryWait(bar, phase))) {
        extra();
        yield* wait(bar, phase);
      }
      return none;
    case 'counted':
    case 'once counted': {
      const isMiss = !(yield* tryWait(bar, phase));
      if (isMiss) yield* wait(bar, phase);
      const sum = misses + (isMiss ? 1 : 0);
      if (style === 'counted' ? sum >= 2 : sum === 1 && tile === tiles - 1) extra();
      return { ready: false, misses: sum };
    }
  }
}

/** One producer and some consumers over a ring of stages. */
export function mainloop(shape: Shape): Kernel {
  const { stages: depth, tiles, consumers, produce, consume } = shape;
  const text = kernel('mainloop', {}, () => {
    const stages: Stage[] = Array.from({ length: depth }, (_, stage) => ({
      full: barrier(`full${stage}`),
      empty: barrier(`empty${stage}`, { count: consumers }),
      tile: buffer(`tile${stage}`),
    }));
    const stageOf = (tile: number): Stage => stages[tile % depth]!;
    const lapOf = (tile: number): number => Math.floor(tile / depth);
    const start = { ready: false, misses: 0 };
    const load = role('load', function* () {
      const at = (tile: number) => [stageOf(tile).empty, lapOf(tile) - 1] as const;
      yield* inForm(shape, start, function* (tile, carried): Round {
        const { full, tile: into } = stageOf(tile);
        const extra = (): void => arrive(full);
        const next = yield* waiting(produce, at, tile, tiles, carried, extra);
        expectTx(full, 8);
        arrive(full);
        asyncCopy(UNITS.tma, { into: [into], bar: full, bytes: 8 });
        return next;
      });
    });
    const uses = Array.from({ length: consumers }, (_, index) =>
      role(`mma${index}`, function* () {
        const at = (tile: number) => [stageOf(tile).full, lapOf(tile)] as const;
        yield* inForm(shape, start, function* (tile, carried): Round {
          const stage = stageOf(tile);
          const extra = (): void => arrive(stage.empty);
          const next = yield* waiting(consume, at, tile, tiles, carried, extra);
          read(stage.tile);
          arrive(stage.empty);
          return next;
        });
      }),
    );
    return [load, ...uses];
  });
  return { ...text, sourceOf: sourceText };
}
