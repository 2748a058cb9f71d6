// Softmax stores the row maxima behind two stages of row sums, and the kernel may have one stage:
// then they lie in the output tile, which is next in shared memory.
// Attention forward on Blackwell: sScale has room for the sums and the maxima of q_stage tiles, and
// the offset of the maxima was twice the block, whatever q_stage is. With one stage the maxima of
// the next tile overwrite an output that is not stored yet.
// The fix: q_stage instead of 2, in all places.
// https://github.com/Dao-AILab/flash-attention/pull/2229
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  read,
  role,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const BLOCK = 128 * 4; // a float for each row

export default kernel('fa-forward-scale', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const stages = 1; // q_stage
  const sums = buffer('row sums', { at: 0, bytes: stages * BLOCK });
  const maxima = buffer('row maxima', { at: (fixed ? stages : 2) * BLOCK, bytes: stages * BLOCK });
  const sO = buffer('sO', { at: 2 * stages * BLOCK, bytes: 32_768 });
  const [scaleFull, scaleEmpty] = [barrier('scale_full'), barrier('scale_empty')];
  const [oFull, oEmpty] = [barrier('o_full'), barrier('o_empty')];

  const softmax = role('softmax', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(scaleEmpty, tile - 1);
      write(sums);
      write(maxima);
      arrive(scaleFull);
    }
    yield* wait(scaleEmpty, tiles - 1);
  });

  const correction = role('correction', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(scaleFull, tile);
      read(sums);
      read(maxima);
      arrive(scaleEmpty);
      yield* wait(oEmpty, tile - 1);
      write(sO);
      fence('proxy.async');
      arrive(oFull);
    }
    yield* wait(oEmpty, tiles - 1);
  });

  const epilogue = role('epilogue', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(oFull, tile);
      asyncCopy(UNITS.bulk, { reads: [sO], group: true });
      yield* waitGroup(UNITS.bulk, 0, { read: true });
      arrive(oEmpty);
    }
  });

  return [softmax, correction, epilogue];
});
