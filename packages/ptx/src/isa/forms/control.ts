// Forms of control flow, in the notation of ../notation.ts.
export const CONTROL = `
= branch: Goes on elsewhere.
bra | [.uni] | l | 1.0 | sm_70 | modeled
= branch table: Goes on at one of several places.
brx.idx | [.uni] | r32, l | 6.0 | sm_70 | modeled
= call: Calls a function.
call | [.uni] | * | 1.0 | sm_70 | modeled
= return: Returns from a function.
ret | [.uni] | | 1.0 | sm_70 | modeled
= exit: Ends the thread.
exit | | | 1.0 | sm_70 | modeled
= trap: Ends the kernel with an error.
trap | | | 1.0 | sm_70 | modeled
= breakpoint: Stops for a debugger.
brkpt | | | 1.0 | sm_70 | modeled
= sleep: Lets time pass.
nanosleep | .u32 | r32 | 6.3 | sm_70 | harmless
= hint: Triggers an event of the performance monitor.
pmevent | [.mask] | i1 | 1.4 | sm_70 | harmless
= compute: Changes the stack of the thread.
alloca | (.u32,.u64,.b32,.b64) | wT, rT, r32? | 7.3 | sm_70 | unmodeled
stacksave | (.u32,.u64) | wT | 7.3 | sm_70 | unmodeled
stackrestore | (.u32,.u64) | rT | 7.3 | sm_70 | unmodeled
`;
