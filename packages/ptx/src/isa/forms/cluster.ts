// Forms of clusters, grids and register counts, in the notation of ../notation.ts.
export const CLUSTER = `
mapa | [.shared::cluster] (.u32,.u64) | wT, rT, r32 | 7.8 | sm_90 | modeled
getctarank | [.shared::cluster] (.u32,.u64) | w32, rT | 7.8 | sm_90 | modeled
griddepcontrol | (.launch_dependents,.wait) | | 7.8 | sm_90 | modeled
setmaxnreg.inc,setmaxnreg.dec | .sync .aligned .u32 | i40 | 8.0 | sm_90a | modeled
clusterlaunchcontrol.try_cancel.async | [.shared::cta] $ckt [.multicast::cluster::all!sm_100a]
  .b128 | [a], [a] | 8.6 | sm_100 | modeled
clusterlaunchcontrol.query_cancel | .is_canceled .pred .b128 | wp, r128 | 8.6 | sm_100 | modeled
clusterlaunchcontrol.query_cancel | (.get_first_ctaid::x,.get_first_ctaid::y,
  .get_first_ctaid::z) .b32 .b128 | w32, r128 | 8.6 | sm_100 | modeled
clusterlaunchcontrol.query_cancel | .get_first_ctaid .v4 .b32 .b128 | wv, r128 | 8.6 | sm_100 |
  modeled
`;
