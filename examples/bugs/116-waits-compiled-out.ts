// The launch allows overlap, and the instructions that make it safe were not compiled.
// FlashInfer builds CUTLASS GEMMs with enablePDL on the host; in CUTLASS both calls of the device,
// wait_on_dependent_grids and launch_dependent_grids, are empty unless a macro is defined, and the
// build did not define it. Without a trigger the next GEMM begins as blocks of this one end, which
// orders no memory: tiles of NaN under load, at 64 requests and more.
// The fix: the macro, so that both instructions exist.
// https://github.com/flashinfer-ai/flashinfer/issues/2708
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  fence,
  grid,
  kernel,
  launchDependents,
  role,
  UNITS,
  wait,
  waitGrids,
  waitGroup,
  write,
  type Grid,
} from 'poundlock';

const BYTES = 16_384;

export default kernel('two-gemms', { fixed: false }, ({ fixed }) => {
  const gdcEnabled = fixed; // -DCUTLASS_ENABLE_GDC_FOR_SM100=1
  const first = grid('gemm1');
  const second = grid('gemm2', { after: first });
  const [x, hidden, y] = ['x', 'hidden', 'y'].map((name) => buffer(name, { space: 'global' }));

  const gemm = (name: string, of: Grid, from: typeof x, to: typeof x) => {
    const sA = buffer(`${name}.sA`, { bytes: BYTES });
    const sD = buffer(`${name}.sD`, { bytes: BYTES });
    const full = barrier(`${name}.full`);
    const load = role(`${name} load`, { grid: of }, function* () {
      if (gdcEnabled) yield* waitGrids();
      arrive(full, { bytes: BYTES });
      asyncCopy(UNITS.tma, { reads: [from!], into: [sA], bar: full, bytes: BYTES });
    });
    const math = role(`${name} math`, { grid: of, lanes: 128 }, function* () {
      yield* wait(full, 0);
      asyncUse(UNITS.wgmma, { reads: [sA], group: true });
      yield* waitGroup(UNITS.wgmma, 0);
      if (gdcEnabled) launchDependents();
      write(sD);
      fence('proxy.async', { space: 'shared' });
      asyncCopy(UNITS.bulk, { reads: [sD], into: [to!], group: true });
      yield* waitGroup(UNITS.bulk, 0);
    });
    return [load, math];
  };
  return [...gemm('gemm1', first, x, hidden), ...gemm('gemm2', second, hidden, y)];
});
