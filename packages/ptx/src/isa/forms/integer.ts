// Forms of integer arithmetic and logic, in the notation of ../notation.ts.
export const INTEGER = `
= compute: Integer arithmetic and logic.
add,sub | ($int,.u16x2@8.0!sm_90,.s16x2@8.0!sm_90) | wT, rT, rT | 1.0 | sm_70 | modeled
add,sub | .sat .s32 | wT, rT, rT | 1.0 | sm_70 | modeled
add,sub | .cc (.u32,.s32,.u64,.s64) | wT, rT, rT | 1.2 | sm_70 | modeled
addc,subc | [.cc] (.u32,.s32,.u64,.s64) | wT, rT, rT | 1.2 | sm_70 | modeled
mul.hi,mul.lo | ($int) | wT, rT, rT | 1.0 | sm_70 | modeled
mul.wide | (.u16,.s16) | w32, rT, rT | 1.0 | sm_70 | modeled
mul.wide | (.u32,.s32) | w64, rT, rT | 1.0 | sm_70 | modeled
mad.hi,mad.lo | [.sat] ($int) | wT, rT, rT, rT | 1.0 | sm_70 | modeled
mad.wide | (.u16,.s16) | w32, rT, rT, r32 | 1.0 | sm_70 | modeled
mad.wide | (.u32,.s32) | w64, rT, rT, r64 | 1.0 | sm_70 | modeled
mad.hi,mad.lo | .cc (.u32,.s32,.u64,.s64) | wT, rT, rT, rT | 3.0 | sm_70 | modeled
madc.hi,madc.lo | [.cc] (.u32,.s32,.u64,.s64) | wT, rT, rT, rT | 3.0 | sm_70 | modeled
mul24.hi,mul24.lo,mad24.hi,mad24.lo | [.sat] (.u32,.s32) | x, x, x, x? | 1.0 | sm_70 | modeled
clmad | (.lo,.hi) .u64 | wT, rT, rT, rT | 9.3 | sm_90 | unmodeled
sad | ($int) | wT, rT, rT, rT | 1.0 | sm_70 | modeled
div,rem | ($int) | wT, rT, rT | 1.0 | sm_70 | modeled
abs | (.s16,.s32,.s64) | wT, rT | 1.0 | sm_70 | modeled
neg | (.s16,.s32,.s64) | wT, rT | 1.0 | sm_70 | modeled
min,max | [.relu] ($int,.u16x2@8.0!sm_90,.s16x2@8.0!sm_90) | wT, rT, rT | 1.0 | sm_70 | modeled
popc,clz | (.b32,.b64) | w32, rT | 2.0 | sm_70 | modeled
bfind | [.shiftamt] (.u32,.u64,.s32,.s64) | w32, rT | 2.0 | sm_70 | modeled
fns | .b32 | w32, r32, r32, r32 | 6.0 | sm_70 | modeled
brev | (.b32,.b64) | wT, rT | 2.0 | sm_70 | modeled
bfe | (.u32,.u64,.s32,.s64) | wT, rT, r32, r32 | 2.0 | sm_70 | modeled
bfi | (.b32,.b64) | wT, rT, rT, r32, r32 | 2.0 | sm_70 | modeled
szext | (.clamp,.wrap) (.u32,.s32) | wT, rT, r32 | 7.6 | sm_70 | modeled
bmsk | (.clamp,.wrap) .b32 | w32, r32, r32 | 7.6 | sm_70 | modeled
dp4a | (.u32,.s32) (.u32,.s32) | w32, r32, r32, r32 | 5.0 | sm_70 | modeled
dp2a.lo,dp2a.hi | (.u32,.s32) (.u32,.s32) | w32, r32, r32, r32 | 5.0 | sm_70 | modeled
and,or,xor | (.pred,.b16,.b32,.b64) | wT, rT, rT | 1.0 | sm_70 | modeled
not | (.pred,.b16,.b32,.b64) | wT, rT | 1.0 | sm_70 | modeled
cnot | (.b16,.b32,.b64) | wT, rT | 1.0 | sm_70 | modeled
lop3 | [.and@8.2,.or@8.2] .b32 | w32|p, r32, r32, r32, i1, p!? | 4.3 | sm_70 | modeled
shf.l,shf.r | (.clamp,.wrap) .b32 | w32, r32, r32, r32 | 3.1 | sm_70 | modeled
shl | (.b16,.b32,.b64) | wT, rT, r32 | 1.0 | sm_70 | modeled
shr | (.b16,.b32,.b64,$int) | wT, rT, r32 | 1.0 | sm_70 | modeled
`;
