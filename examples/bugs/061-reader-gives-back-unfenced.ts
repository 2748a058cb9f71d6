// A stage goes back to TMA after ordinary loads, without a fence between the two proxies.
// DeepEP, the receiving half of low-latency combine: a warp loads the tokens of the experts with
// TMA, and the other warps add them up with ld.shared and arrive at the stage's empty barrier. On
// NVL72 repeated runs differed at batches above 256.
// The fix: fence.proxy.async.shared::cta in the readers before the arrival (proposed after the wait
// of the loader, and moved there). No kernel is known to fail for want of this fence alone, so
// `check` asks for it only with --memory isa.
// https://github.com/deepseek-ai/DeepEP/pull/642
import { fence, kernel, pipeline, read, role, tma } from 'poundlock';

const DECODE_WARPS = 2;

export default kernel('combine-recv', { fixed: false, tokens: 3 }, ({ fixed, tokens }) => {
  const stages = pipeline('stages', { stages: 2, bytes: 14_336, consumers: DECODE_WARPS });

  const load = role('load', { lanes: 32 }, function* () {
    for (let token = 0; token < tokens; token++) {
      using slot = yield* stages.produce();
      tma.load(slot);
    }
    yield* stages.drain();
  });

  const decode = (warp: number) =>
    role(`decode${warp}`, { lanes: 32 }, function* () {
      for (let token = 0; token < tokens; token++) {
        using data = yield* stages.consumeExplicit();
        read(data.buffer());
        if (fixed) fence('proxy.async', { space: 'shared' });
        data.arrive({ lanes: 1 });
      }
    });

  return [load, ...Array.from({ length: DECODE_WARPS }, (_, warp) => decode(warp))];
});
