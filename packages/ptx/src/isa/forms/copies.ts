// Forms of asynchronous copies, in the notation of ../notation.ts.
export const COPIES = `
cp.async | .ca ($ss) .global [$hint] [$pf] | [a], [a], i4, x?, r64?.L2::cache_hint | 7.0 | sm_80
  | modeled
cp.async | .cg ($ss) .global [$hint] [$pf] | [a], [a], i16, x?, r64?.L2::cache_hint | 7.0 |
  sm_80 | modeled
cp.async.commit_group | | | 7.0 | sm_80 | modeled
cp.async.wait_group | | i0 | 7.0 | sm_80 | modeled
cp.async.wait_all | | | 7.0 | sm_80 | modeled
cp.async.bulk | .shared::cta@8.6 .global $ckt [.ignore_oob@9.2?] [$rep] [$hint] | [a], [a], r32,
  r32?.ignore_oob, r32?.ignore_oob, [a], r64?.L2::cache_hint | 8.6 | sm_90 | modeled
cp.async.bulk | .shared::cluster .global $ckt [$rep] [$mc] [$hint] | [a], [a], r32, [a],
  rm?.multicast, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.async.bulk | .shared::cluster .shared::cta $ckt | [a], [a], r32, [a] | 8.0 | sm_90 | modeled
cp.async.bulk | .global .shared::cta .bulk_group [$hint] [.cp_mask@8.6!sm_100] | [a], [a], r32,
  r64?.L2::cache_hint, r16?.cp_mask | 8.0 | sm_90 | modeled
cp.async.bulk | .relaxed [$sc4] (.shared::cta,.shared::cluster) .global $ckt [$hint] (.b8,.b16,
  .b32,.b64,.b128) | [a], [a], r32, [a], r64?.L2::cache_hint | 9.3 | sm_90a | unmodeled
cp.async.bulk | .relaxed [$sc4] .global .shared::cta .bulk_group [$hint] [.cp_mask] (.b8,.b16,
  .b32,.b64,.b128) | [a], [a], r32, r64?.L2::cache_hint, r16?.cp_mask | 9.3 | sm_90a | unmodeled
cp.async.bulk.commit_group | | | 8.0 | sm_90 | modeled
cp.async.bulk.wait_group | [.read] | i0 | 8.0 | sm_90 | modeled
cp.async.bulk.wait_group | .sync_restrict::proxy::async | i0 | 9.5 | sm_100 | unmodeled
cp.async.bulk.prefetch | .L2 .global [$hint] [.L2::evict_last@9.4] | [a], r32,
  r64?.L2::cache_hint | 8.0 | sm_90 | harmless
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt (.and,.or,.xor)
  .b32 | [a], [a], r32, [a] | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt .add (.u32,.s32,
  .u64) | [a], [a], r32, [a] | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt (.inc,.dec) .u32
  | [a], [a], r32, [a] | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc2] .shared::cluster .shared::cta $ckt (.min,.max)
  (.u32,.s32) | [a], [a], r32, [a] | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] (.and,.or,
  .xor) (.b32,.b64) | [a], [a], r32, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] .add (.u32,
  .s32,.u64,.f32,.f64) | [a], [a], r32, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] .add .noftz
  (.f16,.bf16,.f32@9.4) | [a], [a], r32, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] (.inc,.dec)
  .u32 | [a], [a], r32, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group [$hint] (.min,.max)
  (.u32,.s32,.u64,.s64,.f16,.bf16) | [a], [a], r32, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.async.bulk.tensor | ($dim) (.shared::cta@8.6) .global [.tile,.tile::gather4@8.6!sm_100?,
  .im2col,.im2col::w@8.6!sm_100?,.im2col::w::128@8.6!sm_100a?] $ckt [$rep] [$cg] [$hint] [$ovr]
  [$oat] | [a], [m], [a], v?, r64?.L2::cache_hint | 8.6 | sm_90 | modeled
cp.async.bulk.tensor | ($dim) .shared::cluster .global [.tile,.tile::gather4@8.6!sm_100a?,
  .im2col,.im2col::w@8.6!sm_100a?,.im2col::w::128@8.6!sm_100a?] $ckt [$rep] [$mc] [$cg] [$hint]
  [$ovr] [$oat] | [a], [m], [a], v?, rm?.multicast, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.async.bulk.tensor | ($dim) .global .shared::cta [.tile,.tile::scatter4@8.6!sm_100a?,
  .im2col_no_offs,.im2col_no_offs::w@9.4!sm_107f?] .bulk_group [$hint] [$ovr] [$oat] | [m], [a],
  r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.reduce.async.bulk.tensor | ($dim) .global .shared::cta (.add,.min,.max,.inc,.dec,.and,.or,
  .xor) [.tile,.tile::scatter4@9.4!sm_107f?,.im2col_no_offs,.im2col_no_offs::w@9.4!sm_107f?]
  .bulk_group [$hint] [$ovr] [$oat] | [m], [a], r64?.L2::cache_hint | 8.0 | sm_90 | modeled
cp.async.bulk.prefetch.tensor | ($dim) .L2 .global [.tile,.tile::gather4@8.6!sm_100a?,.im2col,
  .im2col::w@8.6!sm_100a?,.im2col::w::128@8.6!sm_100a?] [$hint] [.L2::evict_last@9.4!sm_107f] |
  [m], v?, r64?.L2::cache_hint | 8.0 | sm_90 | modeled
`;
