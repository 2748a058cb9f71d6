// Consumers free a slot of the scheduler's ring before they read it, and three store warps are not
// counted at all.
// A GEMM for sm_100 asks the hardware for its next tile, and one warp decodes the answer into a ring in
// shared memory. A consumer waited for the slot, arrived at `finished`, and read the slot then. The
// scheduler can overwrite it in between, so that warps see different answers: some leave the loop, and
// others wait for them forever.
// The fix (#2423): read, then arrive, and count every warp that reads.
// https://github.com/tile-ai/tilelang/issues/2410
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  cell,
  kernel,
  load,
  read,
  role,
  store,
  UNITS,
  wait,
  write,
} from 'poundlock';

const STAGES = 2;
const STORE_WARPS = 4;

export default kernel('clc-gemm', { fixed: false, tiles: 3 }, ({ fixed, tiles }) => {
  const readers = 1 + (fixed ? STORE_WARPS : 1); // mma and the store warps
  const slots = Array.from({ length: STAGES }, (_, s) => buffer(`slot[${s}]`, { bytes: 16 }));
  const valid = slots.map((_, s) => cell(`valid[${s}]`));
  const arrived = slots.map((_, s) => barrier(`arrived[${s}]`));
  const finished = slots.map((_, s) => barrier(`finished[${s}]`, { count: readers }));
  const answer = buffer('answer', { bytes: 16 });
  const answered = barrier('answered');

  const scheduler = role('scheduler', function* () {
    for (let n = 0; n <= tiles; n++) {
      const s = n % STAGES;
      const lap = Math.floor(n / STAGES);
      arrive(answered, { bytes: 16 });
      asyncCopy(UNITS.clc, { into: [answer], bar: answered, bytes: 16 });
      yield* wait(answered, n);
      read(answer);
      yield* wait(finished[s]!, lap - 1);
      write(slots[s]!);
      store(valid[s]!, n < tiles ? 1 : 0);
      arrive(arrived[s]!);
    }
  });

  const consumer = (name: string, counted: boolean) =>
    role(name, function* () {
      for (let n = 0; ; n++) {
        const s = n % STAGES;
        yield* wait(arrived[s]!, Math.floor(n / STAGES));
        if (!fixed && counted) arrive(finished[s]!);
        read(slots[s]!);
        const more = yield* load(valid[s]!);
        if (fixed) arrive(finished[s]!);
        if (more === 0) return;
      }
    });

  return [
    scheduler,
    consumer('mma', true),
    ...[0, 1, 2, 3].map((w) => consumer(`store${w}`, w === 0)),
  ];
});
