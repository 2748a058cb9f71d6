// Forms of barriers of threads and of clusters, in the notation of ../notation.ts.
export const THREAD_BARRIERS = `
= aligned barrier sync: Waits until all threads of the CTA, or so many, have arrived.
bar.sync,bar.cta.sync | | r32, r32? | 1.0 | sm_70 | modeled
= aligned barrier arrive: Arrives at a barrier of the CTA without waiting.
bar.arrive,bar.cta.arrive | | r32, r32 | 2.0 | sm_70 | modeled
= aligned barrier reduce: Waits at a barrier of the CTA, and reduces a predicate over its threads.
bar.red,bar.cta.red | .popc .u32 | w32, r32, r32?, p! | 2.0 | sm_70 | modeled
bar.red,bar.cta.red | (.and,.or) .pred | wp, r32, r32?, p! | 2.0 | sm_70 | modeled
= join lanes: Waits until the lanes of a mask have come.
bar.warp.sync | | r32=members | 6.0 | sm_70 | modeled
= barrier sync: Waits until all threads of the CTA, or so many, have arrived.
barrier,barrier.cta | .sync [.aligned] | r32, r32? | 6.0 | sm_70 | modeled
= barrier arrive: Arrives at a barrier of the CTA without waiting.
barrier,barrier.cta | .arrive [.aligned] | r32, r32 | 6.0 | sm_70 | modeled
= barrier reduce: Waits at a barrier of the CTA, and reduces a predicate over its threads.
barrier,barrier.cta | .red .popc [.aligned] .u32 | w32, r32, r32?, p! | 6.0 | sm_70 | modeled
barrier,barrier.cta | .red (.and,.or) [.aligned] .pred | wp, r32, r32?, p! | 6.0 | sm_70 |
  modeled
= cluster arrive: Arrives at the barrier of the cluster.
barrier.cluster.arrive | [.release@8.0,.relaxed@8.0] [.aligned] | | 7.8 | sm_90 | modeled
= cluster wait: Waits until all threads of the cluster have arrived.
barrier.cluster.wait | [.acquire@8.0] [.aligned] | | 7.8 | sm_90 | modeled
`;
