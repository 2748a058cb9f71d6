// Forms of fences, in the notation of ../notation.ts.
export const FENCES = `
fence | [.sc,.acq_rel,.acquire@8.6!sm_90,.release@8.6!sm_90] ($sc4) | | 6.0 | sm_70 | modeled
fence | .acquire .sync_restrict::shared::cluster .cluster | | 8.6 | sm_90 | unmodeled
fence | .release .sync_restrict::shared::cta .cluster | | 8.6 | sm_90 | unmodeled
fence | .mbarrier_init .release .cluster | | 8.0 | sm_90 | modeled
fence.proxy | .alias | | 7.5 | sm_70 | modeled
fence.proxy | .async [.global,.shared::cta,.shared::cluster] | | 8.0 | sm_90 | modeled
fence.proxy | .alias (.acquire,.release) .sys | | 9.4 | sm_90 | unmodeled
fence.proxy | .tensormap::generic .release ($sc4) | | 8.3 | sm_90 | modeled
fence.proxy | .tensormap::generic .acquire ($sc4) | [a], i128 | 8.3 | sm_90 | modeled
fence.proxy | .async::generic .acquire .sync_restrict::shared::cluster .cluster | | 8.6 | sm_90
  | modeled
fence.proxy | .async::generic .release .sync_restrict::shared::cta .cluster | | 8.6 | sm_90 |
  modeled
fence.proxy | .async::generic .release .sync_restrict::shared::cluster::read .cluster | | 9.4 |
  sm_90 | unmodeled
fence.proxy | (.generic::fabric,.fabric::generic,.fabric::fabric) .alias (.acquire,.release)
  .sys | | 9.3 | sm_100 | unmodeled
fence | .alias .sync_restrict::read .release .sys | | 9.5 | sm_90 | unmodeled
membar | (.cta,.gl,.sys) | | 1.4 | sm_70 | modeled
membar.proxy | .alias | | 7.5 | sm_70 | modeled
`;
