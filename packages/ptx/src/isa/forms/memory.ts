// Forms of loads, stores, atomics and reductions, in the notation of ../notation.ts.
export const MEMORY = `
= load: Loads from memory into registers.
ld | [.weak] [$lds] [.ca,.cg,.cs,.lu,.cv] [$ev1] [$ev2] [$hint] [$pf] [$vec] ($mt) | wT*, [a], u?,
  r64?.L2::cache_hint | 1.0 | sm_70 | modeled
ld | .volatile [$strong] [$pf] [$vec] ($mt) | wT*, [a] | 1.1 | sm_70 | modeled
ld | (.relaxed,.acquire) ($sc4) [$strong] [$ev1] [$ev2] [$hint] [$pf] [$vec] ($mt) | wT*, [a],
  r64?.L2::cache_hint | 6.0 | sm_70 | modeled
ld | .mmio .relaxed .sys [.global] (.b8,.b16,.b32,.b64,.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,
  .f32,.f64) | wT, [a] | 8.2 | sm_70 | modeled
ld | .global [.ca,.cg,.cs] .nc [$ev1] [$ev2] [$hint] [$pf] [$vec] ($mt) | wT*, [a],
  r64?.L2::cache_hint | 3.1 | sm_70 | modeled
ld | [.global] .proxy::readonly (.b8,.b16,.b32,.b64,.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f32,
  .f64) | wT, [a] | 9.4 | sm_75 | unmodeled
= load: Loads from global memory by one address for the warp.
ldu | [.global] [.v2,.v4] ($mt) | wT*, [a] | 2.0 | sm_70 | modeled
= store: Stores registers to memory.
st | [.weak] [$sts] [.wb,.cg,.cs,.wt] [$ev1] [$ev2] [$hint] [$vec] ($mt) | [a], rT*,
  r64?.L2::cache_hint | 1.0 | sm_70 | modeled
st | .volatile [$strong] [$vec] ($mt) | [a], rT* | 1.1 | sm_70 | modeled
st | (.relaxed,.release) ($sc4) [$strong] [$ev1] [$ev2] [$hint] [$vec] ($mt) | [a], rT*,
  r64?.L2::cache_hint | 6.0 | sm_70 | modeled
st | .mmio .relaxed .sys [.global] (.b8,.b16,.b32,.b64,.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,
  .f32,.f64) | [a], rT | 8.2 | sm_70 | modeled
= async store: Stores into the shared memory of a CTA of the cluster; its bytes complete at an
  mbarrier.
st.async | [.weak] [.shared::cluster] $ckt [.v2,.v4] (.b32,.b64,.u32,.u64,.s32,.s64,.f32,.f64) |
  [a]=to, rT*=value, [a]=mbarrier | 8.1 | sm_90 | modeled
= opaque: Stores to global memory later, with release.
st.async | [.mmio] .release (.gpu,.sys) [.global] (.b8,.b16,.b32,.b64,.u8,.u16,.u32,.u64,.s8,
  .s16,.s32,.s64,.f32,.f64) | [a], rT | 8.7 | sm_100 | unmodeled
= bulk zeros: Fills shared memory with zeros.
st.bulk | [.weak] [.shared::cta] | [a]=to, r64=bytes, i0 | 8.6 | sm_100 | modeled
= store: Stores to the same memory of several devices.
multimem.st | [.weak] [.global] (.b32,.b64,.u32,.u64,.s32,.s64,.f32,.f64,.f16x2,.bf16x2) | [a], rT
  | 8.1 | sm_90 | unmodeled
multimem.st | (.relaxed,.release) ($sc4) [.global] (.b32,.b64,.u32,.u64,.s32,.s64,.f32,.f64,
  .f16x2,.bf16x2) | [a], rT | 8.1 | sm_90 | unmodeled
multimem.st | [.weak] [.global] (.v2,.v4,.v8) (.f16,.bf16,.f16x2,.bf16x2,.f32) | [a], rT* | 8.1 |
  sm_90 | unmodeled
= load: Loads from several devices and reduces what they have.
multimem.ld_reduce | [.weak] [.global] (.min,.max) (.u32,.s32,.u64,.s64) | wT, [a] | 8.1 | sm_90 |
  modeled
multimem.ld_reduce | [.weak] [.global] .add (.u32,.s32,.u64) | wT, [a] | 8.1 | sm_90 | modeled
multimem.ld_reduce | [.weak] [.global] (.and,.or,.xor) (.b32,.b64) | wT, [a] | 8.1 | sm_90 |
  modeled
multimem.ld_reduce | (.relaxed,.acquire) ($sc4) [.global] (.min,.max) (.u32,.s32,.u64,.s64) | wT,
  [a] | 8.1 | sm_90 | modeled
multimem.ld_reduce | (.relaxed,.acquire) ($sc4) [.global] .add (.u32,.s32,.u64) | wT, [a] | 8.1 |
  sm_90 | modeled
multimem.ld_reduce | (.relaxed,.acquire) ($sc4) [.global] (.and,.or,.xor) (.b32,.b64) | wT, [a] |
  8.1 | sm_90 | modeled
multimem.ld_reduce | [(.relaxed,.acquire) ($sc4)] [.weak] [.global] (.min,.max,.add) [.acc::f32,
  .acc::f16@8.6!sm_100a] [.v2,.v4,.v8] (.f16,.f16x2,.bf16,.bf16x2,.f32,.f64,.e4m3,.e5m2,
  .e4m3x4@8.6!sm_100a,.e5m2x4@8.6!sm_100a) | wT*, [a] | 8.1 | sm_90 | modeled
= reduction: Reduces into the same memory of several devices.
multimem.red | [(.relaxed,.release) ($sc4)] [.global] (.min,.max) (.u32,.s32,.u64,.s64) | [a], rT |
  8.1 | sm_90 | modeled
multimem.red | [(.relaxed,.release) ($sc4)] [.global] .add (.u32,.s32,.u64) | [a], rT | 8.1 | sm_90
  | modeled
multimem.red | [(.relaxed,.release) ($sc4)] [.global] (.and,.or,.xor) (.b32,.b64) | [a], rT | 8.1 |
  sm_90 | modeled
multimem.red | [(.relaxed,.release) ($sc4)] [.global] (.min,.max,.add) [.v2,.v4,.v8] (.f16,
  .f16x2,.bf16,.bf16x2,.f32,.f64) | [a], rT* | 8.1 | sm_90 | modeled
= opaque: Reduces into the memory of several devices later, with release.
multimem.red.async | .release (.gpu,.sys) [.global] .add (.u32,.s32,.u64) | [a], rT | 9.3 | sm_100
  | unmodeled
= bulk copy: Copies shared memory to the same memory of several devices.
multimem.cp.async.bulk | .global .shared::cta .bulk_group [.cp_mask] | [a]=to, [a]=from, r32=bytes,
  r16?.cp_mask=byteMask | 9.1 | sm_90 | modeled
multimem.cp.reduce.async.bulk | [.relaxed@9.3? $sc4] .global .shared::cta .bulk_group (.and,.or,
  .xor,.add,.inc,.dec,.min,.max) [.noftz] (.b32,.u32,.s32,.b64,.u64,.s64,.f16,.bf16,.f32,.f64) |
  [a]=to, [a]=from, r32=bytes | 9.1 | sm_90 | modeled
= atomic: Changes memory in one step, and reads what it was.
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] (.and,.or,.xor) [$hint] (.b32,.b64) | wT_, [a], rT,
  r64?.L2::cache_hint | 1.1 | sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] .add [$hint] (.u32,.s32,.u64,.f32,.f64) | wT_, [a], rT,
  r64?.L2::cache_hint | 1.1 | sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] (.inc,.dec) [$hint] .u32 | wT_, [a], rT, r64?.L2::cache_hint | 1.1 |
  sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] (.min,.max) [$hint] (.u32,.s32,.u64,.s64) | wT_, [a], rT,
  r64?.L2::cache_hint | 1.1 | sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] .cas (.b16,.b32,.b64,.b128@8.3!sm_90) | wT_, [a], rT, rT | 1.1 |
  sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] .exch [$hint] (.b32,.b64,.b128@8.3!sm_90) | wT_, [a], rT,
  r64?.L2::cache_hint | 1.1 | sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] [.global,.shared,.shared::cta@7.8,
  .shared::cluster@7.8!sm_90] .add .noftz [$hint] (.f16,.f16x2,.bf16@7.8!sm_90,
  .bf16x2@7.8!sm_90,.f32@9.4!sm_90) | wT_, [a], rT, r64?.L2::cache_hint | 6.2 | sm_70 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] .global (.add,.min,.max) .noftz [$hint]
  (.v2,.v4,.v8) (.f16,.bf16) | wT*, [a], rT*, r64?.L2::cache_hint | 8.1 | sm_90 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] .global (.add,.min,.max) .noftz [$hint]
  (.v2,.v4) (.f16x2,.bf16x2) | wT*, [a], rT*, r64?.L2::cache_hint | 8.1 | sm_90 | modeled
atom | [.relaxed,.acquire,.release,.acq_rel] [$sc4] .global .add [.noftz@9.4] [$hint] (.v2,.v4)
  .f32 | wT*, [a], rT*, r64?.L2::cache_hint | 8.1 | sm_90 | modeled
= reduction: Changes memory in one step.
red | [.relaxed,.release] [$sc4] [.global,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90]
  (.and,.or,.xor) [$hint] (.b32,.b64) | [a], rT, r64?.L2::cache_hint | 1.2 | sm_70 | modeled
red | [.relaxed,.release] [$sc4] [.global,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90] .add
  [$hint] (.u32,.s32,.u64,.f32,.f64) | [a], rT, r64?.L2::cache_hint | 1.2 | sm_70 | modeled
red | [.relaxed,.release] [$sc4] [.global,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90]
  (.inc,.dec) [$hint] .u32 | [a], rT, r64?.L2::cache_hint | 1.2 | sm_70 | modeled
red | [.relaxed,.release] [$sc4] [.global,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90]
  (.min,.max) [$hint] (.u32,.s32,.u64,.s64) | [a], rT, r64?.L2::cache_hint | 1.2 | sm_70 | modeled
red | [.relaxed,.release] [$sc4] [.global,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90] .add
  .noftz [$hint] (.f16,.f16x2,.bf16@7.8!sm_90,.bf16x2@7.8!sm_90,.f32@9.4!sm_90) | [a], rT,
  r64?.L2::cache_hint | 6.2 | sm_70 | modeled
red | [.relaxed,.release] [$sc4] .global (.add,.min,.max) .noftz [$hint] (.v2,.v4,.v8) (.f16,
  .bf16) | [a], rT*, r64?.L2::cache_hint | 8.1 | sm_90 | modeled
red | [.relaxed,.release] [$sc4] .global (.add,.min,.max) .noftz [$hint] (.v2,.v4) (.f16x2,
  .bf16x2) | [a], rT*, r64?.L2::cache_hint | 8.1 | sm_90 | modeled
red | [.relaxed,.release] [$sc4] .global .add [.noftz@9.4] [$hint] (.v2,.v4) .f32 | [a], rT*,
  r64?.L2::cache_hint | 8.1 | sm_90 | modeled
= async store: Reduces into the shared memory of a CTA of the cluster; its bytes complete at an
  mbarrier.
red.async | .relaxed .cluster [.shared::cluster] $ckt (.inc,.dec) .u32 | [a]=to, rT=value,
  [a]=mbarrier | 8.1 | sm_90 | modeled
red.async | .relaxed .cluster [.shared::cluster] $ckt (.min,.max) (.u32,.s32) | [a]=to, rT=value,
  [a]=mbarrier | 8.1 | sm_90 | modeled
red.async | .relaxed .cluster [.shared::cluster] $ckt .add (.u32,.s32,.u64) | [a]=to, rT=value,
  [a]=mbarrier | 8.1 | sm_90 | modeled
red.async | .relaxed .cluster [.shared::cluster] $ckt (.and,.or,.xor) .b32 | [a]=to, rT=value,
  [a]=mbarrier | 8.1 | sm_90 | modeled
= opaque: Reduces into global memory later, with release.
red.async | [.mmio] .release (.gpu,.sys) [.global] .add (.u32,.s32,.u64,.s64) | [a], rT | 8.7 |
  sm_100 | unmodeled
`;
