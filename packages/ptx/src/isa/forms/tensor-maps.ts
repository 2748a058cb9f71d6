// Forms of tensor maps in memory, in the notation of ../notation.ts.
export const TENSOR_MAPS = `
= replace map field: Changes a field of a tensor map.
tensormap.replace | .tile (.global_address) [.alloc_class@9.5?] [.global,.shared::cta] .b1024
  .b64 | [a], r64 | 8.3 | sm_90a | modeled
tensormap.replace | .tile (.rank) [.global,.shared::cta] .b1024 .b32 | [a], r32 | 8.3 | sm_90a |
  modeled
tensormap.replace | .tile (.box_dim,.global_dim,.element_stride) [.global,.shared::cta] .b1024
  .b32 | [a], i0, r32 | 8.3 | sm_90a | modeled
tensormap.replace | .tile (.global_stride) [.global,.shared::cta] .b1024 .b64 | [a], i0, r64 |
  8.3 | sm_90a | modeled
tensormap.replace | .tile (.elemtype,.interleave_layout,.swizzle_mode,.fill_mode) [.global,
  .shared::cta] .b1024 .b32 | [a], i0 | 8.3 | sm_90a | modeled
tensormap.replace | .tile .swizzle_atomicity [.global,.shared::cta] .b1024 .b32 | [a], i0 | 8.6
  | sm_100a | unmodeled
= opaque: Reads a property of a tensor map.
tensormap.query.alloc_class_large | | wp, [a] | 9.5 | sm_90a | unmodeled
= copy map: Copies a tensor map to global memory, with a fence for copies through it.
tensormap.cp_fenceproxy | .global .shared::cta .tensormap::generic .release ($sc4) .sync
  .aligned | [a], [a], i128 | 8.3 | sm_90 | modeled
`;
