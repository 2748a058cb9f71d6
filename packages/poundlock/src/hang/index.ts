// hang: what a GPU that does not end was stopped in, and why.
export { roleOfAddress, sharedAddress, type AddressRole } from './address-role.ts';
export { blockKey, type Agreement } from './agreement.ts';
export { bytesInMemory, type ByteSource } from './dump/byte-source.ts';
export { readCoreDump } from './dump/core-dump.ts';
export { Cubin } from './dump/cubin.ts';
export { baseOf } from './text/code-base.ts';
export { readDebuggerText } from './text/debugger-text.ts';
export { isElf } from './dump/elf.ts';
export { Row } from './dump/row.ts';
export { decodeWord, isBarrierWord, type BarrierWord } from './dump/word.ts';
export { withDelays } from './delays.ts';
export { launchOfDump, type AssumedMemory } from './dump-launch.ts';
export { explainHang, type Explanation, type HangVerdict } from './explain-hang.ts';
export { readKernelText, type KernelText } from './kernel-text.ts';
export { withSourceLines } from './source-lines.ts';
export type { PlaceInCode, StoppedBlock, StoppedGpu, StoppedGrid, Triple } from './stopped.ts';
export type { HangTable, TableBarrier, TableRow } from './rows.ts';
export { makeTable } from './table.ts';
