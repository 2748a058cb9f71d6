// Forms of barriers of threads and of clusters, in the notation of ../notation.ts.
export const THREAD_BARRIERS = `
bar.sync,bar.cta.sync | | r32, r32? | 1.0 | sm_70 | modeled
bar.arrive,bar.cta.arrive | | r32, r32 | 2.0 | sm_70 | modeled
bar.red,bar.cta.red | .popc .u32 | w32, r32, r32?, p! | 2.0 | sm_70 | modeled
bar.red,bar.cta.red | (.and,.or) .pred | wp, r32, r32?, p! | 2.0 | sm_70 | modeled
bar.warp.sync | | r32 | 6.0 | sm_70 | modeled
barrier,barrier.cta | .sync [.aligned] | r32, r32? | 6.0 | sm_70 | modeled
barrier,barrier.cta | .arrive [.aligned] | r32, r32 | 6.0 | sm_70 | modeled
barrier,barrier.cta | .red .popc [.aligned] .u32 | w32, r32, r32?, p! | 6.0 | sm_70 | modeled
barrier,barrier.cta | .red (.and,.or) [.aligned] .pred | wp, r32, r32?, p! | 6.0 | sm_70 |
  modeled
barrier.cluster.arrive | [.release@8.0,.relaxed@8.0] [.aligned] | | 7.8 | sm_90 | modeled
barrier.cluster.wait | [.acquire@8.0] [.aligned] | | 7.8 | sm_90 | modeled
`;
