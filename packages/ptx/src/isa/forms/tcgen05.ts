// Forms of tensor memory and its tensor core (tcgen05), in the notation of ../notation.ts.
export const TCGEN05 = `
= tcgen05 alloc: Allocates columns of tensor memory; their address is written into shared memory.
tcgen05.alloc | ($cg) .sync .aligned [.shared::cta] [.exclusive@9.4!sm_100f?] .b32 | [a], r32 | 8.6
  | sm_100a | modeled
= tcgen05 dealloc: Frees columns of tensor memory.
tcgen05.dealloc | ($cg) .sync .aligned [.exclusive@9.4!sm_100f?] .b32 | r32, r32 | 8.6 | sm_100a |
  modeled
= tcgen05 relinquish: Gives up the right to allocate tensor memory.
tcgen05.relinquish_alloc_permit | ($cg) .sync .aligned | | 8.6 | sm_100a | modeled
= tcgen05 fence before: Orders tensor memory work before it with later signals.
tcgen05.fence::before_thread_sync | | | 8.6 | sm_100a | modeled
= tcgen05 fence after: Orders tensor memory work behind it with earlier signals.
tcgen05.fence::after_thread_sync | | | 8.6 | sm_100a | modeled
= tcgen05 wait load: Waits until the registers of tcgen05.ld are there.
tcgen05.wait::ld | .sync .aligned | | 8.6 | sm_100a | modeled
= tcgen05 wait store: Waits until tcgen05.st has written.
tcgen05.wait::st | .sync .aligned | | 8.6 | sm_100a | modeled
= tcgen05 commit: Makes an mbarrier follow the work of the thread so far.
tcgen05.commit | ($cg) .mbarrier::arrive::one [.shared::cluster] .b64 | [a]=mbarrier | 8.6 |
  sm_100a | modeled
tcgen05.commit | ($cg) .mbarrier::arrive::one .shared::cluster ($mc) .b64 | [a]=mbarrier,
  rm=multicast | 8.6 | sm_100a | modeled
tcgen05.commit | ($cg) .mbarrier::arrive::one .sync_restrict::shared::read::mma::a .shared::cluster
  [$mc] .b64 | [a]=mbarrier, rm?.multicast=multicast | 9.4 | sm_107f | unmodeled
= tcgen05 load: Loads tensor memory into registers, asynchronously.
tcgen05.ld | .sync .aligned (.16x64b,.16x128b,.16x256b,.32x32b) ($num) [.pack::16b] .b32 | wv, [t]
  | 8.6 | sm_100a | modeled
tcgen05.ld | .sync .aligned .16x32bx2 ($num) [.pack::16b] .b32 | wv, [t], i0 | 8.6 | sm_100a |
  modeled
tcgen05.ld.red | .sync .aligned .32x32b ($num) (.min,.max) [.abs] [.NaN] (.f32,.u32,.s32) | wv,
  w32, [t] | 8.8 | sm_101a | unmodeled
tcgen05.ld.red | .sync .aligned .16x32bx2 ($num) (.min,.max) [.abs] [.NaN] (.f32,.u32,.s32) | wv,
  w32, [t], i0 | 8.8 | sm_101a | unmodeled
tcgen05.ld.spcompress | .sync .aligned (.32x32b,.16x32bx2) ($num) .b32 | wv, wv, [t] | 9.4 |
  sm_107a | unmodeled
= tcgen05 store: Stores registers into tensor memory, asynchronously.
tcgen05.st | .sync .aligned (.16x64b,.16x128b,.16x256b,.32x32b) ($num) [.unpack::16b] .b32 | [t],
  rv | 8.6 | sm_100a | modeled
tcgen05.st | .sync .aligned .16x32bx2 ($num) [.unpack::16b] .b32 | [t], i0, rv | 8.6 | sm_100a |
  modeled
= tcgen05 copy: Copies shared memory into tensor memory, asynchronously.
tcgen05.cp | ($cg) (.128x256b,.4x256b,.128x128b) [.b8x16 (.b6x16_p32,.b4x16_p64)] | [t], r64 | 8.6
  | sm_100a | modeled
tcgen05.cp | ($cg) .64x128b (.warpx2::02_13,.warpx2::01_23) [.b8x16 (.b6x16_p32,.b4x16_p64)] | [t],
  r64 | 8.6 | sm_100a | modeled
tcgen05.cp | ($cg) .32x128b .warpx4 [.b8x16 (.b6x16_p32,.b4x16_p64)] | [t], r64 | 8.6 | sm_100a |
  modeled
= tcgen05 shift: Moves rows of tensor memory, asynchronously.
tcgen05.shift | ($cg) .down | [t] | 8.6 | sm_100a | modeled
= tcgen05 multiply: Multiplies matrices into tensor memory, asynchronously.
tcgen05.mma | ($cg) ($kf) [.ashift] [$cola] | [t], d, r64, r32, rv?, p, i? | 8.6 | sm_100a |
  modeled
tcgen05.mma | ($cg) ($km) .block_scale [$svec] [$cola] | [t], d, r64, r32, [t], [t], p | 8.6 |
  sm_100a | modeled
tcgen05.mma | ($cg) .kind::i8 [.ashift] [$cola] | [t], d, r64, r32, rv?, p | 8.6 | sm_100a |
  modeled
tcgen05.mma | ($cg) .kind::ti16 [.ashift] [$cola] | [t], d, r64, r32, rv?, p | 9.4 | sm_107f |
  unmodeled
tcgen05.mma | ($cg) (.kind::f8f6f4,.kind::mxf8f6f4) [.block_scale] [$svec] .decompress::lut::b
  [$cola] | [t], d, r64, r32, [t]?, [t]?, p | 9.4 | sm_107f | unmodeled
tcgen05.mma.sp | ($cg) ($kf) [.ashift] [$cola] | [t], d, r64, [t], r32, rv?, p, i? | 8.6 | sm_100a
  | modeled
tcgen05.mma.sp | ($cg) ($km) .block_scale [$svec] [$cola] | [t], d, r64, [t], r32, [t], [t], p |
  8.6 | sm_100a | modeled
tcgen05.mma.sp | ($cg) .kind::i8 [.ashift] [$cola] | [t], d, r64, [t], r32, rv?, p | 8.6 | sm_100a
  | modeled
tcgen05.mma.ws | .cta_group::1 (.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8) [$colb] | [t], d,
  r64, r32, p, r64? | 8.6 | sm_100a | modeled
tcgen05.mma.ws.sp | .cta_group::1 (.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8) [$colb] | [t],
  d, r64, [t], r32, p, r64? | 8.6 | sm_100a | modeled
`;
