// Forms of remote memory over a fabric (PTX 9.3), in the notation of ../notation.ts.
export const FABRIC = `
= opaque: Accesses memory of other devices by way of a fabric.
fabric.try_get | .async .shared::cta .mbarrier::complete_tx::bytes .mbarrier::report::fabric
  .relaxed .sys .b128 | [a], [a], r32, [a] | 9.3 | sm_100 | unmodeled
fabric.try_put | .async [.multimem] .shared::cta .mbarrier::complete_tx::16B
  .mbarrier::report::fabric [.counted::bytes] [.cp_mask] .relaxed .sys .b128 | [a], [a], r32,
  [a], r16?.cp_mask | 9.3 | sm_100 | unmodeled
fabric.try_red | .async [.multimem] .shared::cta .mbarrier::complete_tx::16B
  .mbarrier::report::fabric [.counted::bytes] .relaxed .sys (.and,.or,.xor,.min,.max,.add)
  (.b32,.b64,.u32,.s32,.u64,.s64,.f16,.bf16,.f32,.f64) | [a], [a], r32, [a] | 9.3 | sm_100 |
  unmodeled
fabric.try_pullred | .async .multimem .shared::cta .mbarrier::complete_tx::bytes
  .mbarrier::report::fabric .relaxed .sys (.and,.or,.xor,.min,.max,.add) [.acc::f16,.acc::f32]
  (.b32,.b64,.u32,.s32,.u64,.s64,.f16,.bf16,.f32,.e4m3,.e5m2) .sync | [a], [a], r32, [a],
  i4294967295 | 9.3 | sm_100 | unmodeled
fabric.try_atom | .async .relaxed .sys (.add,.cas,.exch,.and,.or,.xor,.min,.max) (.b32,.b64,
  .u32,.u64,.s32,.s64) | [a], [a], [a] | 9.4 | sm_100 | unmodeled
fabric.submit | [.op_restrict::fetching] | | 9.3 | sm_100 | unmodeled
fabric.submit.commit_group | | | 9.5 | sm_100 | unmodeled
fabric.wait | .sync_restrict::reads | | 9.3 | sm_100 | unmodeled
fabric.wait | .sync_restrict::read | i0 | 9.5 | sm_100 | unmodeled
`;
