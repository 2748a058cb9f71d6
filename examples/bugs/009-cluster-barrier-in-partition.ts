// A layout conversion across CTAs waits at the cluster barrier inside one partition, and the load
// partition does not come.
// barrier.cluster has no count and no mask: every thread of the cluster has to arrive. In a
// warp-specialized kernel the partition that converts waits for the others, which wait for it.
// The fix: all threads execute the barrier, so that a partition cannot convert by itself.
// https://github.com/triton-lang/triton/pull/9456
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  pipeline,
  read,
  role,
  syncCluster,
  tma,
  UNITS,
  wait,
} from 'poundlock';

const HALF = 8192;

export default kernel('convert-layout', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const x = pipeline('x', { stages: 2, bytes: 16_384 });
  const exchange = buffer('exchange'); // holds the half that the other CTA computed
  const received = barrier('received');

  const load = (cta: number) =>
    role(`load${cta}`, { cta, lanes: 32 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* x.produce();
        tma.load(slot);
        if (fixed) yield* syncCluster();
      }
      yield* x.drain();
      if (fixed) yield* syncCluster();
    });

  const convert = (cta: number) =>
    role(`convert${cta}`, { cta, lanes: 128 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using found = yield* x.consumeExplicit();
        read(found.buffer());
        arrive(received, { bytes: HALF });
        yield* syncCluster(); // the other CTA has read what it received before
        asyncCopy(UNITS.tma, { into: [exchange], bar: received, bytes: HALF, cta: 1 - cta });
        yield* wait(received, tile);
        read(exchange);
        arrive(found.mbar());
      }
      yield* syncCluster();
    });

  return [load(0), convert(0), load(1), convert(1)];
});
