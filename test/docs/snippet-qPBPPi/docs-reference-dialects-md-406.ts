import { arrive, asyncCopy, barrier, buffer, init, kernel, read, role, syncNamed, UNITS } from 'poundlock';
import { waitParity } from 'poundlock';

export default kernel('ptx', { tiles: 5 }, ({ tiles }) => {
  const full = [0, 1].map((i) => barrier(`full[${i}]`, { count: 0 }));
  const empty = [0, 1].map((i) => barrier(`empty[${i}]`, { count: 0 }));
  const smem = [0, 1].map((i) => buffer(`smem[${i}]`));

  const load = role('load', { lanes: 32 }, function* () {
    for (const one of full) init(one, 1); // mbarrier.init.shared::cta.b64 [full], 1
    for (const one of empty) init(one, 32);
    yield* syncNamed(0, 64); // bar.sync 0
    for (let tile = 0, stage = 0, phase = 1; tile < tiles; tile++) {
      yield* waitParity(empty[stage]!, phase); // mbarrier.try_wait.parity, until it says yes
      arrive(full[stage]!, { bytes: 16_384 }); // mbarrier.arrive.expect_tx, one elected lane
      asyncCopy(UNITS.tma, { into: [smem[stage]!], bar: full[stage]!, bytes: 16_384 }); // cp.async.bulk
      phase ^= stage;
      stage ^= 1;
    }
  });
  const use = role('use', { lanes: 32 }, function* () {
    yield* syncNamed(0, 64);
    for (let tile = 0, stage = 0, phase = 0; tile < tiles; tile++) {
      yield* waitParity(full[stage]!, phase);
      read(smem[stage]!); // ld.shared
      arrive(empty[stage]!, { everyLane: true }); // mbarrier.arrive, every thread
      phase ^= stage;
      stage ^= 1;
    }
  });
  return [load, use];
});
