// A stream-K GEMM of Hopper: two CTAs' workers share a tile, and the last one adds the partial sums.
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  cell,
  end,
  fetchAdd,
  kernel,
  load as loadCell,
  loop,
  read,
  role,
  syncNamed,
  UNITS,
  waitParity,
  write,
  type Kernel,
} from 'poundlock';

export type StreamKBug =
  | 'none'
  | 'flag is raised before the partial sum is written'
  | 'partial sum is not announced'
  | 'owner waits for two parts'
  | 'owner does not wait'
  | 'consumer takes the range of the other unit'
  | 'empty split skips the release'
  | 'fix-up barrier counts the load warp'
  | 'empty counts one consumer';

/** Steps of K that each unit of work has: the second one is small. */
const RANGES = [4, 1] as const;
const STAGES = 2;
const BYTES = 16_384;

export function streamKSm90(bug: StreamKBug): Kernel {
  const is = (one: StreamKBug): boolean => bug === one;
  return kernel('stream-k-sm90', {}, () => {
    const done = cell('done', 0);
    const partial = buffer('workspace');
    const unit = (at: number) => {
      const stages = Array.from({ length: STAGES }, (_, stage) => stage);
      const full = stages.map((stage) => barrier(`full${at}[${stage}]`));
      const count = is('empty counts one consumer') ? 1 : 2;
      const empty = stages.map((stage) => barrier(`empty${at}[${stage}]`, { count }));
      const ab = stages.map((stage) => buffer(`ab${at}[${stage}]`));
      const steps = RANGES[at]!;
      const load = role(`load${at}`, { lanes: 32 }, function* () {
        for (let k = 0; k < steps; k++) {
          const stage = k % STAGES;
          yield* waitParity(empty[stage]!, (Math.floor(k / STAGES) + 1) % 2);
          arrive(full[stage]!, { bytes: BYTES });
          asyncCopy(UNITS.tma, { into: [ab[stage]!], bar: full[stage]!, bytes: BYTES });
        }
      });
      const consumer = (wg: number) =>
        role(`unit${at}wg${wg}`, { lanes: 128 }, function* () {
          const isOther = is('consumer takes the range of the other unit') && wg === 1;
          const mine = isOther ? RANGES[1 - at]! : steps;
          for (let k = 0; k < mine; k++) {
            const stage = k % STAGES;
            yield* waitParity(full[stage]!, Math.floor(k / STAGES) % 2);
            read(ab[stage]!);
            if (!(is('empty split skips the release') && wg === 1 && k === 1)) {
              arrive(empty[stage]!);
            }
          }
          const id = 1 + at;
          const threads = is('fix-up barrier counts the load warp') ? 288 : 256;
          if (at === 1) {
            if (is('flag is raised before the partial sum is written') && wg === 0) {
              yield* fetchAdd(done, 1);
            }
            if (wg === 0) write(partial);
            yield* syncNamed(id, threads);
            const isSilent =
              is('partial sum is not announced') ||
              is('flag is raised before the partial sum is written');
            if (wg === 0 && !isSilent) yield* fetchAdd(done, 1);
            return;
          }
          if (wg === 0 && !is('owner does not wait')) {
            const parts = is('owner waits for two parts') ? 2 : 1;
            yield* loop(null, function* () {
              return (yield* loadCell(done)) >= parts ? end(null) : null;
            });
          }
          yield* syncNamed(id, threads);
          read(partial);
        });
      return [load, consumer(0), consumer(1)];
    };
    return [...unit(0), ...unit(1)];
  });
}
