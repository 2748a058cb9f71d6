// The prologue of a kernel reads two small inputs before the wait that guards the large ones.
// FlashInfer's XQA: the warps wait for the kernel before, and then load Q and the pages of K and V.
// The scale of Q and the offsets of ragged requests were read above that, at the top of the kernel,
// and the kernel before may write both. A stale offset directs the output to the rows of another
// request.
// The fix: these reads moved below the wait.
// https://github.com/flashinfer-ai/flashinfer/pull/4199
import {
  buffer,
  grid,
  kernel,
  launchDependents,
  namedBarrier,
  read,
  role,
  syncNamed,
  waitGrids,
  write,
} from 'poundlock';

const WARPS = 2;

export default kernel('xqa', { fixed: false }, ({ fixed }) => {
  const prepare = grid('prepare');
  const attention = grid('attention', { after: prepare });
  const [lengths, scale, q, out] = ['qCuSeqLens', 'qScale', 'Q', 'out'].map((name) =>
    buffer(name, { space: 'global' }),
  );
  const sQ = buffer('sQ', { bytes: 8192 });
  const block = namedBarrier('block', { id: 0, threads: 32 * WARPS });

  const producer = role('rope and lengths', { grid: prepare }, function* () {
    launchDependents();
    for (const one of [lengths, scale, q]) write(one!);
  });

  const readParameters = (): void => {
    read(scale!);
    read(lengths!);
  };
  const warp = (index: number) =>
    role(`warp${index}`, { grid: attention, lanes: 32 }, function* () {
      if (!fixed) readParameters();
      yield* waitGrids();
      if (fixed) readParameters();
      if (index === 0) {
        read(q!);
        write(sQ);
      }
      yield* syncNamed(block);
      read(sQ);
      if (index === 0) write(out!);
    });

  return [producer, ...Array.from({ length: WARPS }, (_, index) => warp(index))];
});
