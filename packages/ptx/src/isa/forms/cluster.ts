// Forms of clusters, grids and register counts, in the notation of ../notation.ts.
export const CLUSTER = `
= compute: Gives the address of a variable in another CTA of the cluster.
mapa | [.shared::cluster] (.u32,.u64) | wT, rT, r32 | 7.8 | sm_90 | modeled
= compute: Gives the rank of the CTA in whose shared memory an address is.
getctarank | [.shared::cluster] (.u32,.u64) | w32, rT | 7.8 | sm_90 | modeled
= grid dependency: Lets dependent kernels begin, or waits for those before.
griddepcontrol | (.launch_dependents,.wait) | | 7.8 | sm_90 | modeled
= register count: Changes how many registers a warp has.
setmaxnreg.inc,setmaxnreg.dec | .sync .aligned .u32 | i40 | 8.0 | sm_90a | modeled
= try cancel: Asks for the index of a cluster that was not launched yet.
clusterlaunchcontrol.try_cancel.async | [.shared::cta] $ckt [.multicast::cluster::all!sm_100a]
  .b128 | [a]=to, [a]=mbarrier | 8.6 | sm_100 | modeled
= query cancel: Reads the answer of cluster launch control.
clusterlaunchcontrol.query_cancel | .is_canceled .pred .b128 | wp, r128 | 8.6 | sm_100 | modeled
clusterlaunchcontrol.query_cancel | (.get_first_ctaid::x,.get_first_ctaid::y, .get_first_ctaid::z)
  .b32 .b128 | w32, r128 | 8.6 | sm_100 | modeled
clusterlaunchcontrol.query_cancel | .get_first_ctaid .v4 .b32 .b128 | wv, r128 | 8.6 | sm_100 |
  modeled
`;
