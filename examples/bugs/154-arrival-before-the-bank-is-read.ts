// A CTA of a cluster says that it has read the bank of its peer when it has found the threshold, and
// reads it once more. The peer fills the bank again. The fix: it arrives behind its last read.
// https://github.com/mlc-ai/TIRx-kernels/commit/72f3d67
import {
  arriveCluster,
  buffer,
  kernel,
  read,
  role,
  syncCluster,
  waitCluster,
  write,
} from 'poundlock';

export default kernel('topk-clusters', { fixed: false }, ({ fixed }) => {
  const bank = buffer('bank', { bytes: 1024 });
  return [0, 1].map((cta) =>
    role(`cta${cta}`, { cta, lanes: 1 }, function* () {
      write(bank);
      yield* syncCluster();
      if (!fixed) arriveCluster();
      read(bank, { cta: 1 - cta });
      if (fixed) arriveCluster();
      yield* waitCluster();
      write(bank);
      yield* syncCluster();
    }),
  );
});
