// Forms of asynchronous copies, in the notation of ../notation.ts.
export const COPIES = `
= thread copy: Copies 4, 8 or 16 bytes for each thread, asynchronously.
cp.async | .ca ($ss) .global [$hint] [$pf] | [a]=to, [a]=from, i4=bytes, x?,
  r64?.L2::cache_hint=policy | 7.0 | sm_80 | modeled
cp.async | .cg ($ss) .global [$hint] [$pf] | [a]=to, [a]=from, i16=bytes, x?,
  r64?.L2::cache_hint=policy | 7.0 | sm_80 | modeled
= commit copies: Makes a group of the copies of the thread so far.
cp.async.commit_group | | | 7.0 | sm_80 | modeled
= wait copies: Waits until at most so many groups of copies are open.
cp.async.wait_group | | i0=count | 7.0 | sm_80 | modeled
= wait all copies: Waits until all copies of the thread are complete.
cp.async.wait_all | | | 7.0 | sm_80 | modeled
= bulk copy: Copies a block of memory asynchronously.
cp.async.bulk | .shared::cta@8.6 .global $ckt [.ignore_oob@9.2] [$rep] [$hint] | [a]=to, [a]=from,
  r32=bytes, r32?.ignore_oob=ignoredLeft, r32?.ignore_oob=ignoredRight, [a]=mbarrier,
  r64?.L2::cache_hint=policy | 8.6 | sm_90 | modeled
cp.async.bulk | .shared::cluster .global $ckt [$rep] [$mc] [$hint] | [a]=to, [a]=from, r32=bytes,
  [a]=mbarrier, rm?.multicast=multicast, r64?.L2::cache_hint=policy | 8.0 | sm_90 | modeled
cp.async.bulk | .shared::cluster .shared::cta $ckt | [a]=to, [a]=from, r32=bytes, [a]=mbarrier |
  8.0 | sm_90 | modeled
cp.async.bulk | .global .shared::cta .bulk_group [$hint] [.cp_mask@8.6!sm_100] | [a]=to, [a]=from,
  r32=bytes, r64?.L2::cache_hint=policy, r16?.cp_mask=byteMask | 8.0 | sm_90 | modeled
cp.async.bulk | .relaxed [$sc4] (.shared::cta,.shared::cluster) .global $ckt [$hint] (.b8,.b16,
  .b32,.b64,.b128) | [a]=to, [a]=from, r32=bytes, [a]=mbarrier, r64?.L2::cache_hint=policy | 9.3 |
  sm_90a | unmodeled
cp.async.bulk | .relaxed [$sc4] .global .shared::cta .bulk_group [$hint] [.cp_mask] (.b8,.b16,
  .b32,.b64,.b128) | [a]=to, [a]=from, r32=bytes, r64?.L2::cache_hint=policy, r16?.cp_mask=byteMask
  | 9.3 | sm_90a | unmodeled
= commit bulk: Makes a group of the bulk copies of the thread so far.
cp.async.bulk.commit_group | | | 8.0 | sm_90 | modeled
= wait bulk: Waits until at most so many groups of bulk copies are open.
cp.async.bulk.wait_group | [.read] | i0=count | 8.0 | sm_90 | modeled
cp.async.bulk.wait_group | .sync_restrict::proxy::async | i0=count | 9.5 | sm_100 | unmodeled
= prefetch: Fetches a block of memory into the L2 cache.
cp.async.bulk.prefetch | .L2 .global [$hint] [.L2::evict_last@9.4] | [a]=from, r32=bytes,
  r64?.L2::cache_hint=policy | 8.0 | sm_90 | harmless
= bulk copy: Copies a block of memory asynchronously.
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt (.and,.or,.xor) .b32
  | [a]=to, [a]=from, r32=bytes, [a]=mbarrier | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt .add (.u32,.s32,
  .u64) | [a]=to, [a]=from, r32=bytes, [a]=mbarrier | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt (.inc,.dec) .u32 |
  [a]=to, [a]=from, r32=bytes, [a]=mbarrier | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt (.min,.max)
  (.u32,.s32) | [a]=to, [a]=from, r32=bytes, [a]=mbarrier | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] (.and,.or,
  .xor) (.b32,.b64) | [a]=to, [a]=from, r32=bytes, r64?.L2::cache_hint=policy | 8.0 | sm_90 |
  modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] .add (.u32,
  .s32,.u64,.f32,.f64) | [a]=to, [a]=from, r32=bytes, r64?.L2::cache_hint=policy | 8.0 | sm_90 |
  modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] .add .noftz
  (.f16,.bf16,.f32@9.4) | [a]=to, [a]=from, r32=bytes, r64?.L2::cache_hint=policy | 8.0 | sm_90 |
  modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] (.inc,.dec)
  .u32 | [a]=to, [a]=from, r32=bytes, r64?.L2::cache_hint=policy | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] (.min,.max)
  (.u32,.s32,.u64,.s64,.f16,.bf16) | [a]=to, [a]=from, r32=bytes, r64?.L2::cache_hint=policy | 8.0
  | sm_90 | modeled
= tensor copy: Copies a box of a tensor asynchronously.
cp.async.bulk.tensor | ($dim) (.shared::cta@8.6) .global [.tile,.tile::gather4@8.6!sm_100,
  .im2col,.im2col::w@8.6!sm_100?,.im2col::w::128@8.6!sm_100a?] $ckt [$rep] [$cg] [$hint] [$ovr]
  [$oat] | [a]=to, [m]=map, [a]=mbarrier, v?=coordinates, r64?.L2::cache_hint=policy | 8.6 | sm_90
  | modeled
cp.async.bulk.tensor | ($dim) .shared::cluster .global [.tile,.tile::gather4@8.6!sm_100a,
  .im2col,.im2col::w@8.6!sm_100a?,.im2col::w::128@8.6!sm_100a?] $ckt [$rep] [$mc] [$cg] [$hint]
  [$ovr] [$oat] | [a]=to, [m]=map, [a]=mbarrier, v?=coordinates, rm?.multicast=multicast,
  r64?.L2::cache_hint=policy | 8.0 | sm_90 | modeled
cp.async.bulk.tensor | ($dim) .global .shared::cta [.tile,.tile::scatter4@8.6!sm_100a,
  .im2col_no_offs,.im2col_no_offs::w@9.4!sm_107f?] .bulk_group [$hint] [$ovr] [$oat] | [m]=map,
  [a]=from, r64?.L2::cache_hint=policy | 8.0 | sm_90 | modeled
cp.reduce.async.bulk.tensor | ($dim) .global .shared::cta (.add,.min,.max,.inc,.dec,.and,.or, .xor)
  [.tile,.tile::scatter4@9.4!sm_107f,.im2col_no_offs,.im2col_no_offs::w@9.4!sm_107f?] .bulk_group
  [$hint] [$ovr] [$oat] | [m]=map, [a]=from, r64?.L2::cache_hint=policy | 8.0 | sm_90 | modeled
= tensor prefetch: Fetches a box of a tensor into the L2 cache.
cp.async.bulk.prefetch.tensor | ($dim) .L2 .global [.tile,.tile::gather4@8.6!sm_100a,.im2col,
  .im2col::w@8.6!sm_100a?,.im2col::w::128@8.6!sm_100a?] [$hint] [.L2::evict_last@9.4!sm_107f] |
  [m]=map, v?=coordinates, r64?.L2::cache_hint=policy | 8.0 | sm_90 | modeled
`;
