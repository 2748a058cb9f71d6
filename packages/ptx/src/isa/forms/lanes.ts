// Forms of exchanges between lanes of a warp, in the notation of ../notation.ts.
export const LANES = `
= shuffle: Exchanges registers between lanes.
shfl | .sync (.up,.down,.bfly,.idx) .b32 | w32|p, r32, r32, r32, r32=members | 6.0 | sm_70 | modeled
shfl | (.up,.down,.bfly,.idx) .b32 | w32|p, r32, r32, r32 | 3.0 | sm_30..sm_62 | unmodeled
= vote: Reduces a predicate over lanes.
vote | .sync (.all,.any,.uni) .pred | wp, p!, r32=members | 6.0 | sm_70 | modeled
vote | .sync .ballot .b32 | w32, p!, r32=members | 6.0 | sm_70 | modeled
vote | (.all,.any,.uni) .pred | wp, p! | 1.2 | sm_20..sm_62 | unmodeled
vote | .ballot .b32 | w32, p! | 2.0 | sm_20..sm_62 | unmodeled
= match: Finds lanes that have the same value.
match | .any .sync (.b32,.b64) | w32, rT, r32=members | 6.0 | sm_70 | modeled
match | .all .sync (.b32,.b64) | w32|p, rT, r32=members | 6.0 | sm_70 | modeled
= reduce lanes: Reduces a register over lanes.
redux | .sync (.add,.min,.max) (.u32,.s32) | w32, r32, r32=members | 7.0 | sm_80 | modeled
redux | .sync (.and,.or,.xor) .b32 | w32, r32, r32=members | 7.0 | sm_80 | modeled
redux | .sync (.min,.max) [.abs] [.NaN] .f32 | wf32, rf32, r32=members | 8.6 | sm_100a | modeled
= active mask: Gives the lanes that execute it.
activemask | .b32 | w32 | 6.2 | sm_70 | modeled
= elect: Chooses one of the lanes of a mask.
elect.sync | | w32_|p, r32=members | 8.0 | sm_90 | modeled
`;
