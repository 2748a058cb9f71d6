// Bug: two pairs of warps, each with a reduction of its own, meet at the same named barrier.
// On hardware: the barrier counts threads, not pairs. One warp of each pair can complete it, and
// both go on before their partners have written: a wrong sum.
// Fix: a number for each pair.
import { buffer, kernel, namedBarrier, read, role, syncNamed, write } from 'poundlock';

export default kernel('one-barrier-id', { ids: 1 }, ({ ids }) => {
  const pairs = [0, 1].map((pair) => {
    const partial = buffer(`partial[${pair}]`);
    const meet = namedBarrier(`pair ${pair}`, { id: 1 + (pair % ids), threads: 64 });
    return [
      role(`writer ${pair}`, { lanes: 32 }, function* () {
        write(partial);
        yield* syncNamed(meet);
      }),
      role(`reader ${pair}`, { lanes: 32 }, function* () {
        yield* syncNamed(meet);
        read(partial);
      }),
    ];
  });
  return pairs.flat();
});
