// Forms of control flow, in the notation of ../notation.ts.
export const CONTROL = `
bra | [.uni] | l | 1.0 | sm_70 | modeled
brx.idx | [.uni] | r32, l | 6.0 | sm_70 | modeled
call | [.uni] | * | 1.0 | sm_70 | modeled
ret | [.uni] | | 1.0 | sm_70 | modeled
exit | | | 1.0 | sm_70 | modeled
trap | | | 1.0 | sm_70 | modeled
brkpt | | | 1.0 | sm_70 | modeled
nanosleep | .u32 | r32 | 6.3 | sm_70 | harmless
pmevent | [.mask] | i1 | 1.4 | sm_70 | harmless
alloca | (.u32,.u64,.b32,.b64) | wT, rT, r32? | 7.3 | sm_70 | unmodeled
stacksave | (.u32,.u64) | wT | 7.3 | sm_70 | unmodeled
stackrestore | (.u32,.u64) | rT | 7.3 | sm_70 | unmodeled
`;
