// Two reductions of the correction warpgroup use one named barrier, and a warp of one can meet a
// warp of the other there.
// Block-sparse attention on Blackwell: the barrier opens for one warp of each reduction instead of
// two of the same. One CTA hangs now and then, about once in 25 requests of the reporter. Modeled
// here with two warps for each reduction.
// The fix: an id for each of them.
// https://github.com/flashinfer-ai/flashinfer/pull/4533
import { arrive, barrier, buffer, kernel, read, role, syncNamed, wait, write } from 'poundlock';

const REDUCE = 3; // and 4, with the fix
const WARP = 32;

export default kernel('blk64-correction', { fixed: false, tiles: 1 }, ({ fixed, tiles }) => {
  const scores = barrier('scores');
  const done = barrier('done', { count: 4 * WARP });
  const partial = [0, 1, 2, 3].map((warp) => buffer(`partial[${warp}]`));

  const softmax = role('softmax', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      arrive(scores);
      yield* wait(done, tile);
    }
  });

  const correction = (warp: number) => {
    const half = warp >> 1;
    const id = fixed ? REDUCE + half : REDUCE;
    return role(`correction${warp}`, { lanes: WARP }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(scores, tile);
        write(partial[warp]!);
        yield* syncNamed(id, 2 * WARP);
        read(partial[warp ^ 1]!); // the row sums of the other warp of this half
        arrive(done, { everyLane: true });
      }
    });
  };

  return [softmax, ...[0, 1, 2, 3].map(correction)];
});
