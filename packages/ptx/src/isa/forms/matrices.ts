// Forms of matrix products and matrices in registers, in the notation of ../notation.ts.
export const MATRICES = `
= wgmma fence: Orders registers of a warpgroup with its multiplications.
wgmma.fence | .sync .aligned | | 8.0 | sm_90a | modeled
= commit wgmma: Makes a group of the multiplications so far.
wgmma.commit_group | .sync .aligned | | 8.0 | sm_90a | modeled
= wait wgmma: Waits until at most so many groups of multiplications are open.
wgmma.wait_group | .sync .aligned | i0=count | 8.0 | sm_90a | modeled
= wgmma multiply: Multiplies matrices of a warpgroup, asynchronously.
wgmma.mma_async | .sync .aligned ($wg16) (.f16,.f32) (.f16) (.f16) | wv, d, r64, p, i1, i1, i0,
  i0? | 8.0 | sm_90a | modeled
wgmma.mma_async | .sync .aligned ($wg16) .f32 (.bf16) (.bf16) | wv, d, r64, p, i1, i1, i0, i0? |
  8.0 | sm_90a | modeled
wgmma.mma_async | .sync .aligned ($wg8) .f32 (.tf32) (.tf32) | wv, d, r64, p, i1, i1 | 8.0 |
  sm_90a | modeled
wgmma.mma_async | .sync .aligned ($wg32) (.f16,.f32) (.e4m3,.e5m2) (.e4m3,.e5m2) | wv, d, r64,
  p, i1, i1 | 8.0 | sm_90a | modeled
wgmma.mma_async | .sync .aligned ($wg32) [.satfinite] .s32 (.s8,.u8) (.s8,.u8) | wv, d, r64, p |
  8.0 | sm_90a | modeled
wgmma.mma_async | .sync .aligned ($wg256) .s32 (.b1) (.b1) .and .popc | wv, d, r64, p | 8.0 |
  sm_90a | modeled
wgmma.mma_async.sp | .sync .aligned ($wg16,$wg32,.m64n8k64,.m64n16k64,.m64n24k64,.m64n32k64,
  .m64n40k64,.m64n48k64,.m64n56k64,.m64n64k64,.m64n72k64,.m64n80k64,.m64n88k64,.m64n96k64,
  .m64n104k64,.m64n112k64,.m64n120k64,.m64n128k64,.m64n136k64,.m64n144k64,.m64n152k64,
  .m64n160k64,.m64n168k64,.m64n176k64,.m64n184k64,.m64n192k64,.m64n200k64,.m64n208k64,
  .m64n216k64,.m64n224k64,.m64n232k64,.m64n240k64,.m64n248k64,.m64n256k64) [.satfinite] (.f16,
  .f32,.s32) (.f16,.bf16,.tf32,.e4m3,.e5m2,.s8,.u8) (.f16,.bf16,.tf32,.e4m3,.e5m2,.s8,.u8) | wv,
  d, r64, r32, i0, p, i1?, i1?, i0?, i0? | 8.2 | sm_90a | modeled
= warp multiply: Multiplies matrices in the registers of a warp.
mma | .sync .aligned (.m8n8k4,.m16n8k4,.m16n8k8,.m16n8k16,.m8n8k16,.m16n8k32,.m8n8k32,.m16n8k64,
  .m8n8k128,.m16n8k128,.m16n8k256) [.row] [.row,.col] [.row,.col] [.kind::f8f6f4@8.7!sm_120a,
  .kind::mxf8f6f4@8.7!sm_120a,.kind::mxf4@8.7!sm_120a,.kind::mxf4nvf4@8.7!sm_120a]
  [.block_scale] [.scale_vec::1X,.scale_vec::2X,.scale_vec::4X] [.satfinite] [.xor,.and] [.popc]
  (.f16,.f32,.f64,.s32) (.f16,.bf16,.tf32,.f64,.s8,.u8,.s4,.u4,.b1,.e4m3,.e5m2,.e2m3,.e3m2,
  .e2m1) (.f16,.bf16,.tf32,.f64,.s8,.u8,.s4,.u4,.b1,.e4m3,.e5m2,.e2m3,.e3m2,.e2m1) (.f16,.f32,
  .f64,.s32) [.ue8m0,.ue4m3] | wv, rv, rv, rv, r32?, rv?, r32?, rv? | 6.4 | sm_70 | modeled
mma.sp | .sync .aligned [.row] [.col] (.m16n8k8,.m16n8k16,.m16n8k32,.m16n8k64,.m16n8k128)
  [.kind::f8f6f4,.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4] [.block_scale]
  [.scale_vec::1X,.scale_vec::2X,.scale_vec::4X] [.satfinite] (.f16,.f32,.s32) (.f16,.bf16,
  .tf32,.s8,.u8,.s4,.u4,.e4m3,.e5m2,.e2m3,.e3m2,.e2m1) (.f16,.bf16,.tf32,.s8,.u8,.s4,.u4,.e4m3,
  .e5m2,.e2m3,.e3m2,.e2m1) (.f16,.f32,.s32) [.ue8m0,.ue4m3] | wv, rv, rv, rv, r32, i0, r32?,
  rv?, r32?, rv? | 7.1 | sm_80 | modeled
mma.sp::ordered_metadata | .sync .aligned (.m16n8k8,.m16n8k16,.m16n8k32,.m16n8k64,.m16n8k128)
  [.row] [.col] [.kind::f8f6f4,.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4] [.block_scale]
  [.scale_vec::1X,.scale_vec::2X,.scale_vec::4X] [.satfinite] (.f16,.f32,.s32) (.f16,.bf16,
  .tf32,.s8,.u8,.s4,.u4,.e4m3,.e5m2,.e2m3,.e3m2,.e2m1) (.f16,.bf16,.tf32,.s8,.u8,.s4,.u4,.e4m3,
  .e5m2,.e2m3,.e3m2,.e2m1) (.f16,.f32,.s32) [.ue8m0,.ue4m3] | wv, rv, rv, rv, r32, i0, r32?,
  rv?, r32?, rv? | 8.5 | sm_80 | modeled
= matrix load: Loads matrices of 8 by 8 elements from shared memory into the registers of a warp.
ldmatrix | .sync .aligned (.m8n8) (.x1,.x2,.x4) [.trans] [.shared,.shared::cta] .b16 | wv, [a] |
  6.5 | sm_75 | modeled
ldmatrix | .sync .aligned (.m8n16,.m16n16) (.x1,.x2,.x4) [.trans] [.shared,.shared::cta] .b8x16
  (.b6x16_p32,.b4x16_p64) | wv, [a] | 8.6 | sm_100a | modeled
ldmatrix | .sync .aligned (.m16n16) (.x1,.x2) .trans [.shared,.shared::cta] .b8 | wv, [a] | 8.6
  | sm_100a | modeled
ldmatrix | .sync .aligned (.m8n16,.m16n16) (.x1,.x2,.x4) [.trans] [.shared,.shared::cta] .s8 .s4
  | wv, [a] | 9.4 | sm_90a | unmodeled
= matrix store: Stores matrices of 8 by 8 elements from the registers of a warp to shared memory.
stmatrix | .sync .aligned (.m8n8) (.x1,.x2,.x4) [.trans] [.shared,.shared::cta] .b16 | [a], rv |
  7.8 | sm_90 | modeled
stmatrix | .sync .aligned (.m16n8) (.x1,.x2,.x4) .trans [.shared,.shared::cta] .b8 | [a], rv |
  8.6 | sm_100a | modeled
= matrix transpose: Transposes a matrix in the registers of a warp.
movmatrix | .sync .aligned .m8n8 .trans .b16 | w32, r32 | 7.8 | sm_75 | modeled
= fragment load: Loads a matrix into the registers of a warp.
wmma.load | (.a,.b,.c) .sync .aligned (.row,.col) (.m16n16k16,.m8n32k16,.m32n8k16,.m16n16k8,
  .m8n8k4,.m8n8k32,.m8n8k128) [.global,.shared,.shared::cta] (.f16,.bf16,.tf32,.f32,.f64,.s8,
  .u8,.s4,.u4,.b1,.s32) | wv, [a], r32? | 6.0 | sm_70 | modeled
= fragment store: Stores a matrix from the registers of a warp.
wmma.store | .d .sync .aligned (.row,.col) (.m16n16k16,.m8n32k16,.m32n8k16,.m16n16k8,.m8n8k4,
  .m8n8k32,.m8n8k128) [.global,.shared,.shared::cta] (.f16,.f32,.f64,.s32) | [a], rv, r32? | 6.0
  | sm_70 | modeled
= warp multiply: Multiplies matrices in the registers of a warp.
wmma.mma | .sync .aligned (.row,.col) (.row,.col) (.m16n16k16,.m8n32k16,.m32n8k16) (.f16,.f32)
  (.f16,.f32) [.satfinite] | wv, rv, rv, rv | 6.0 | sm_70 | modeled
wmma.mma | [.xor,.and] [.popc] .sync .aligned (.row,.col) (.row,.col) (.m16n16k16,.m8n32k16,
  .m32n8k16,.m16n16k8,.m8n8k4,.m8n8k32,.m8n8k128) [.rn,.rz,.rm,.rp] (.f32,.f64,.s32) (.bf16,
  .tf32,.f64,.s8,.u8,.s4,.u4,.b1) (.bf16,.tf32,.f64,.s8,.u8,.s4,.u4,.b1) (.f32,.f64,.s32)
  [.satfinite] | wv, rv, rv, rv | 6.0 | sm_70 | modeled
= compute: Compresses sparse matrices.
spcompress | * | * | 9.4 | sm_107a | unmodeled
spdecompress | * | * | 9.4 | sm_107a | unmodeled
`;
