// The barrier of the cluster is relaxed, because the fence of the mbarriers has released them; the
// address of tensor memory is stored behind that fence. The fix: an arrival that releases.
// https://github.com/mlc-ai/TIRx-kernels/pull/14
import { arriveCluster, buffer, fence, kernel, read, role, waitCluster, write } from 'poundlock';

export default kernel('mega-moe', { fixed: false }, ({ fixed }) => {
  const address = buffer('tmem address', { bytes: 4 });
  const meet = function* () {
    arriveCluster({ sem: fixed ? 'release' : 'relaxed' });
    yield* waitCluster();
  };
  return [
    role('allocating warp', { lanes: 32 }, function* () {
      fence('mbarrier.init');
      write(address);
      yield* meet();
    }),
    role('epilogue', { lanes: 128 }, function* () {
      yield* meet();
      read(address);
    }),
  ];
});
