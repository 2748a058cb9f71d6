// Forms of fences, in the notation of ../notation.ts.
export const FENCES = `
= fence: Orders accesses to memory before it and behind it.
fence | [.sc,.acq_rel,.acquire@8.6!sm_90,.release@8.6!sm_90] ($sc4) | | 6.0 | sm_70 | modeled
fence | .acquire .sync_restrict::shared::cluster .cluster | | 8.6 | sm_90 | unmodeled
fence | .release .sync_restrict::shared::cta .cluster | | 8.6 | sm_90 | unmodeled
fence | .mbarrier_init .release .cluster | | 8.0 | sm_90 | modeled
= alias fence: Orders accesses by several virtual addresses of the same memory.
fence.proxy | .alias | | 7.5 | sm_70 | modeled
= async proxy fence: Orders accesses of threads and of asynchronous copies.
fence.proxy | .async [.global,.shared::cta,.shared::cluster] | | 8.0 | sm_90 | modeled
= alias fence: Orders accesses by several virtual addresses of the same memory.
fence.proxy | .alias (.acquire,.release) .sys | | 9.4 | sm_90 | unmodeled
= tensor map fence: Orders changes of a tensor map and copies through it.
fence.proxy | .tensormap::generic .release ($sc4) | | 8.3 | sm_90 | modeled
fence.proxy | .tensormap::generic .acquire ($sc4) | [a], i128 | 8.3 | sm_90 | modeled
= async and memory fence: Orders accesses of asynchronous copies and of threads of other CTAs, in
  one direction.
fence.proxy | .async::generic .acquire .sync_restrict::shared::cluster .cluster | | 8.6 | sm_90
  | modeled
fence.proxy | .async::generic .release .sync_restrict::shared::cta .cluster | | 8.6 | sm_90 |
  modeled
fence.proxy | .async::generic .release .sync_restrict::shared::cluster::read .cluster | | 9.4 |
  sm_90 | unmodeled
= alias fence: Orders accesses by way of a fabric of several devices.
fence.proxy | (.generic::fabric,.fabric::generic,.fabric::fabric) .alias (.acquire,.release)
  .sys | | 9.3 | sm_100 | unmodeled
= fence: Orders accesses to memory before it and behind it.
fence | .alias .sync_restrict::read .release .sys | | 9.5 | sm_90 | unmodeled
= membar: Orders accesses to memory, the older name of a fence.
membar | (.cta,.gl,.sys) | | 1.4 | sm_70 | modeled
= alias fence: Orders accesses by several virtual addresses of the same memory.
membar.proxy | .alias | | 7.5 | sm_70 | modeled
`;
