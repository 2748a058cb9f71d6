// The next grid starts when one warp of each CTA has said so, while the other warps still write.
// Quantization before an NVFP4 GEMM: each thread executes griddepcontrol.launch_dependents after its
// own stores. A CTA counts as soon as one of its warps has executed it, and the warp of the GEMM that
// loads the scales does not wait for the grid before. The thread adds a fence and a barrier before the
// instruction (`--set upstream=true`), so that all stores precede it; by the PTX ISA only
// griddepcontrol.wait makes them visible.
// The fix: griddepcontrol.wait before the scales are loaded.
// https://github.com/NVIDIA/TensorRT-LLM/pull/14668
import {
  buffer,
  fence,
  grid,
  kernel,
  launchDependents,
  read,
  role,
  syncNamed,
  waitGrids,
  write,
} from 'poundlock';

export default kernel('quantize', { fixed: false, upstream: false }, ({ fixed, upstream }) => {
  const quantize = grid('quantize');
  const gemm = grid('gemm', { after: quantize });
  const scales = buffer('scales', { space: 'global' });
  return [
    role('rows', { grid: quantize, warps: 4 }, function* () {
      write(scales);
      if (upstream) {
        fence('acq_rel', { scope: 'gpu' });
        yield* syncNamed(0, 128);
      }
      launchDependents({ by: upstream ? 'one' : 'all' });
    }),
    role('loadScales', { grid: gemm }, function* () {
      if (fixed) yield* waitGrids();
      read(scales);
    }),
  ];
});
