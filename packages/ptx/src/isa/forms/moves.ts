// Forms of moves, addresses, conversions and comparisons, in the notation of ../notation.ts.
export const MOVES = `
= compute: Copies registers, packs and unpacks them, takes addresses.
mov | [.v2,.v4] (.pred,.b16,.b32,.b64,.b128@8.3,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64,.b8@9.0)
  | wT*, rT* | 1.0 | sm_70 | modeled
= compute: Converts addresses between state spaces, or asks for theirs.
cvta | [.to] (.const,.global,.local,.shared,.shared::cta@7.8,.shared::cluster@7.8,.param@7.7,
  .param::entry@8.3) (.u32,.u64) | wT, x | 2.0 | sm_70 | modeled
isspacep | (.const,.global,.local,.shared,.shared::cta,.shared::cluster,.param,.param::entry) |
  wp, r64 | 2.0 | sm_70 | modeled
istypep | (.texref,.samplerref,.surfref) | wp, r64 | 4.0 | sm_70 | unmodeled
= compute: Converts between types.
cvt | [.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi,.rna@7.0!sm_80] [.ftz] [.sat] [.satfinite@7.8!sm_80]
  [.relu@7.0!sm_80] (.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f16,.bf16@7.0!sm_80,.f32,.f64,
  .tf32@7.0!sm_80) (.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f16,.bf16@7.1!sm_80,.f32,.f64) | wT,
  rT2 | 1.0 | sm_70 | modeled
cvt | [.rn,.rz,.rna,.rs@8.7!sm_100a,.pzo@9.4] [.ftz] [.satfinite] [.relu]
  [.scaled::n2::ue8m0@8.6,.scaled::n1::ue8m0@9.4] (.f16x2,.bf16x2,.e4m3x2@7.8!sm_89,
  .e5m2x2@7.8!sm_89,.e2m1x2@8.6!sm_100a,.e2m3x2@8.6!sm_100a,.e3m2x2@8.6!sm_100a,
  .e4m3x4@8.7!sm_100a,.e5m2x4@8.7!sm_100a,.e2m1x4@8.7!sm_100a,.e2m3x4@8.7!sm_100a,
  .e3m2x4@8.7!sm_100a,.ue8m0x2@8.6!sm_100a,.ue5m3x2@9.4,.s2f6x2@9.0) (.f32,.f16x2,.bf16x2,
  .e4m3x2@7.8!sm_89,.e5m2x2@7.8!sm_89,.e2m1x2@8.6!sm_100a,.e2m3x2@8.6!sm_100a,
  .e3m2x2@8.6!sm_100a,.ue8m0x2@8.6!sm_100a,.ue5m3x2@9.4,.s2f6x2@9.0) | x, x, x?, x?, x? | 7.0 |
  sm_80 | modeled
cvt.pack | .sat (.u16,.s16,.u8,.s8,.u4,.s4,.u2,.s2) (.s32) [.b32] | w32, r32, r32, r32? | 6.5 |
  sm_72 | modeled
= compute: Selects one of two values.
selp | (.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64) | wT, rT, rT, p | 1.0 | sm_70 |
  modeled
slct | [.ftz] (.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64) (.s32,.f32) | wT, rT, rT,
  rT2 | 1.0 | sm_70 | modeled
= compare: Compares two values.
setp | (.eq,.ne) [$bool] (.b16,.b32,.b64) | wp|p, rT, rT, p!?$bool | 1.0 | sm_70 | modeled
setp | (.eq,.ne,.lt,.le,.gt,.ge) [$bool] (.s16,.s32,.s64) | wp|p, rT, rT, p!?$bool | 1.0 |
  sm_70 | modeled
setp | ($cmpi) [$bool] (.u16,.u32,.u64) | wp|p, rT, rT, p!?$bool | 1.0 | sm_70 | modeled
setp | ($cmpf) [$bool] [.ftz] (.f16,.f16x2,.bf16@7.8!sm_90,.bf16x2@7.8!sm_90,.f32,.f64) |
  wp|p, rT, rT, p!?$bool | 1.0 | sm_70 | modeled
set | (.eq,.ne) [$bool] (.u16,.s16,.u32,.s32,.f16,.bf16,.f16x2,.bf16x2,.f32)
  (.b16,.b32,.b64) |
  wT, rT2, rT2, p!?$bool | 1.0 | sm_70 | modeled
set | (.eq,.ne,.lt,.le,.gt,.ge) [$bool] (.u16,.s16,.u32,.s32,.f16,.bf16,.f16x2,.bf16x2,.f32)
  (.s16,.s32,.s64,.s16x2@9.4,.s8x4@9.4) |
  wT, rT2, rT2, p!?$bool | 1.0 | sm_70 | modeled
set | ($cmpi) [$bool] (.u16,.s16,.u32,.s32,.f16,.bf16,.f16x2,.bf16x2,.f32)
  (.u16,.u32,.u64,.u16x2@9.4,.u8x4@9.4) |
  wT, rT2, rT2, p!?$bool | 1.0 | sm_70 | modeled
set | ($cmpf) [$bool] [.ftz] (.u16,.s16,.u32,.s32,.f16,.bf16,.f16x2,.bf16x2,.f32)
  (.f16,.f16x2,.bf16@7.8!sm_90,.bf16x2@7.8!sm_90,.f32,.f64) |
  wT, rT2, rT2, p!?$bool | 1.0 | sm_70 | modeled
= compute: Chooses bytes of two registers.
prmt | .b32 [.f4e,.b4e,.rc8,.ecl,.ecr,.rc16] | w32, r32, r32, r32 | 2.0 | sm_70 | modeled
`;
