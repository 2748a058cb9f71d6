// For a row of blocks that is empty the correction warps arrive on a barrier that the MMA warp does
// not wait for.
// Block-sparse attention on Blackwell: the MMA warp skips an empty row, correction writes zeros for
// it, and announces a rescaled output all the same. From then on the phases of the two are apart.
// The thread: no test went from one empty row to another, and an odd number of them hangs.
// The fix: both sides skip the handshake of an empty row.
// https://github.com/Dao-AILab/flash-attention/pull/2258
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  read,
  role,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const defaults = { fixed: false, emptyRows: 1, rows: 2 };

export default kernel('block-sparse-fwd', defaults, ({ fixed, emptyRows, rows }) => {
  const scores = barrier('scores');
  const rescaled = barrier('rescaled');
  const output = barrier('output');
  const accumulator = buffer('o', { space: 'tmem' });
  const hasWork = (row: number) => row >= emptyRows;

  const softmax = role('softmax', { lanes: 128 }, function* () {
    for (let row = emptyRows; row < rows; row++) {
      if (row > emptyRows) yield* wait(output, row - emptyRows - 1);
      arrive(scores);
    }
  });

  const correction = role('correction', { lanes: 128 }, function* () {
    for (let row = 0; row < rows; row++) {
      const round = row - emptyRows;
      if (hasWork(row)) {
        yield* wait(scores, round);
        write(accumulator); // rescales it
      }
      if (hasWork(row) || !fixed) arrive(rescaled);
      if (hasWork(row)) {
        yield* wait(output, round);
        read(accumulator);
      }
    }
  });

  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let row = emptyRows; row < rows; row++) {
      yield* wait(rescaled, row - emptyRows);
      asyncUse(UNITS.mma, { writes: [accumulator] });
      commit(UNITS.mma, output);
    }
    yield* waitGroup(UNITS.mma, 0);
  });

  return [softmax, correction, multiply];
});
