// A grouped GEMM of Hopper: the load warp updates a tensor map for each group, tiles come by ticket.
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  end,
  cell,
  choose,
  kernel,
  load as loadCell,
  loop,
  role,
  store,
  read,
  syncNamed,
  UNITS,
  waitGroup,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

export type GroupedBug =
  | 'none'
  | 'tensor map is updated while a copy reads it'
  | 'consumer leaves an empty group out'
  | 'work is not released by the second warpgroup'
  | 'work counts the producer only'
  | 'valid flag is read after the release'
  | 'consumers skip the last step'
  | 'empty counts the warps'
  | 'producer does not drain its map';

const STAGES = 2;
const STEPS = 2;
const BYTES = 16_384;

interface At {
  readonly tile: number;
  readonly stage: number;
  readonly phase: number;
}
const START: At = { tile: 0, stage: 0, phase: 0 };
const onward = ({ tile, stage, phase }: At): At =>
  stage + 1 === STAGES ? { tile, stage: 0, phase: phase ^ 1 } : { tile, stage: stage + 1, phase };

export function groupedSm90(bug: GroupedBug): Kernel {
  const is = (one: GroupedBug): boolean => bug === one;
  return kernel('grouped-sm90', {}, () => {
    const stages = Array.from({ length: STAGES }, (_, stage) => stage);
    const full = stages.map((stage) => barrier(`full[${stage}]`));
    const empty = stages.map((stage) =>
      barrier(`empty[${stage}]`, { count: is('empty counts the warps') ? 8 : 2 }),
    );
    const ab = stages.map((stage) => buffer(`ab[${stage}]`));
    const workFull = barrier('workFull');
    const workEmpty = barrier('workEmpty', { count: is('work counts the producer only') ? 1 : 3 });
    const [work, map] = [cell('work', 0), buffer('tensorMap')];

    function* take(tile: number, releases = true) {
      yield* waitParity(workFull, tile);
      if (is('valid flag is read after the release')) arrive(workEmpty);
      const kind = yield* loadCell(work);
      if (releases && !is('valid flag is read after the release')) arrive(workEmpty);
      return kind;
    }

    const scheduler = role('scheduler', { lanes: 32 }, function* () {
      yield* loop(0, function* (phase) {
        yield* waitParity(workEmpty, phase ^ 1);
        const kind = yield* choose(3); // 0: the end, 1: a tile, 2: an empty group
        store(work, kind);
        arrive(workFull);
        return kind === 0 ? end(null) : phase ^ 1;
      });
    });

    const load = role('load', { lanes: 32 }, function* () {
      yield* loop(START, function* (at) {
        const kind = yield* take(at.tile);
        if (kind === 0) return end(null);
        if (kind === 2) return { ...at, tile: at.tile ^ 1 };
        if (!is('tensor map is updated while a copy reads it')) yield* waitGroup(UNITS.tma, 0);
        write(map);
        let now = at;
        for (let step = 0; step < STEPS; step++) {
          yield* waitParity(empty[now.stage]!, now.phase ^ 1);
          arrive(full[now.stage]!, { bytes: BYTES });
          asyncUse(UNITS.tma, { reads: [map], group: true });
          asyncCopy(UNITS.tma, { into: [ab[now.stage]!], bar: full[now.stage]!, bytes: BYTES });
          now = onward(now);
        }
        return { ...now, tile: at.tile ^ 1 };
      });
      if (!is('producer does not drain its map')) yield* waitGroup(UNITS.tma, 0);
    });

    const consumer = (wg: number) =>
      role(`wg${wg}`, { lanes: 128 }, function* () {
        yield* loop(START, function* (at) {
          const isSilent = wg === 1 && is('work is not released by the second warpgroup');
          const kind = yield* take(at.tile, !isSilent);
          if (kind === 0) return end(null);
          const isTile = kind === 1 || is('consumer leaves an empty group out');
          if (!isTile) return { ...at, tile: at.tile ^ 1 };
          let now = at;
          const steps = STEPS - (is('consumers skip the last step') ? 1 : 0);
          for (let step = 0; step < steps; step++) {
            yield* waitParity(full[now.stage]!, now.phase);
            read(ab[now.stage]!);
            arrive(empty[now.stage]!);
            now = onward(now);
          }
          return { ...now, tile: at.tile ^ 1 };
        });
        yield* syncNamed(1, 256);
      });
    return [scheduler, load, consumer(0), consumer(1)];
  });
}
