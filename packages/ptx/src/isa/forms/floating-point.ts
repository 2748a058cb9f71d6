// Forms of floating-point arithmetic, in the notation of ../notation.ts.
export const FLOATING_POINT = `
= compute: Floating-point arithmetic.
add,sub,mul | [$rnd] [.ftz] [.sat] (.f32,.f64,.f32x2@8.6!sm_100,.f16,.f16x2,.bf16@7.8!sm_90,
  .bf16x2@7.8!sm_90) | wT, rT, rT | 1.0 | sm_70 | modeled
add,sub | [$rnd] [.sat] .f32 (.f16,.bf16) | wT, rT2, rT | 8.6 | sm_100 | modeled
fma | [$rnd] [.ftz] [.sat] [.relu@7.0!sm_80] [.oob@8.1!sm_90] (.f32,.f64,.f32x2@8.6!sm_100,.f16,
  .f16x2,.bf16@7.0!sm_80,.bf16x2@7.0!sm_80) | wT, rT, rT, rT | 2.0 | sm_70 | modeled
fma | [$rnd] [.sat] .f32 (.f16,.bf16) | wT, rT2, rT2, rT | 8.6 | sm_100 | modeled
mad | [$rnd] [.ftz] [.sat] (.f32,.f64) | wT, rT, rT, rT | 1.0 | sm_70 | modeled
div | [.approx,.full,$rnd] [.ftz] (.f32,.f64) | wT, rT, rT | 1.0 | sm_70 | modeled
rcp,sqrt,rsqrt | [.approx,$rnd] [.ftz] (.f32,.f64) | wT, rT | 1.0 | sm_70 | modeled
sin,cos | .approx [.ftz] [.2pi@9.5] .f32 | wT, rT | 1.4 | sm_70 | modeled
lg2 | .approx [.ftz] .f32 | wT, rT | 1.4 | sm_70 | modeled
ex2 | .approx [.ftz] (.f32,.f16,.f16x2,.bf16@7.8!sm_90,.bf16x2@7.8!sm_90) | wT, rT | 1.4 | sm_75
  | modeled
tanh | .approx (.f32,.f16,.f16x2,.bf16@7.8!sm_90,.bf16x2@7.8!sm_90) | wT, rT | 7.0 | sm_75 |
  modeled
abs,neg | [.ftz] (.f32,.f64,.f16,.f16x2,.bf16!sm_80,.bf16x2!sm_80) | wT, rT | 1.0 | sm_70 |
  modeled
min,max | [.ftz] [.NaN@7.0!sm_80] [.xorsign@7.2!sm_86] [.abs@7.2!sm_86] (.f32,.f64,
  .f16@7.0!sm_80,.f16x2@7.0!sm_80,.bf16@7.0!sm_80,.bf16x2@7.0!sm_80) | wT, rT, rT | 1.0 | sm_70 |
  modeled
min,max | [.ftz] [.NaN] [.xorsign] [.abs] .f32 | wT, rT, rT, rT | 8.8 | sm_100 | modeled
copysign | (.f32,.f64) | wT, rT, rT | 2.0 | sm_70 | modeled
testp | (.finite,.infinite,.number,.notanumber,.normal,.subnormal) (.f32,.f64) | wp, rT | 2.0 |
  sm_70 | modeled
add,sub,mul,fma,min,max,abs,neg | [.rn,.rz] [.ftz] [.sat] [.satfinite] [.relu] (.e4m3x4,.e5m2x4,
  .e2m3x4,.e3m2x4,.e2m1x4) [.e4m3x4,.e5m2x4,.e2m3x4,.e3m2x4,.e2m1x4,.f16x2,.bf16x2,.f32x2] | x,
  x, x?, x? | 9.4 | sm_100a | unmodeled
`;
