// A kernel whose two warps wait for each other, and dumps of it.
import { encodeWord } from '#src/hang/dump/word';
import { Bytes } from './write-elf.ts';
import {
  barSync,
  branch,
  load,
  NOP,
  SLEEP,
  tryWait,
  writeCubin,
  writeDump,
  type WrittenCubin,
  type WrittenDump,
  type WrittenWarp,
} from './write-dump.ts';

/** Where the device has the code. */
export const ENTRY = 0x7f00_0000_1000n;
/** Where `flag` is. */
export const FLAG = 0x7f11_0000_0000n;

const SETUP = `
.version 8.0
.target sm_90a
.address_size 64
.visible .entry pair(.param .u64 pair_param_0, .param .u32 pair_param_1)
{
.reg .pred %p<8>;
.reg .b32 %r<16>;
.reg .b64 %rd<4>;
.shared .align 8 .b8 full[8];
.shared .align 8 .b8 empty[8];

mov.u32 %r1, %tid.x;
mov.u32 %r2, full;
mov.u32 %r3, empty;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra INITIALIZED;
mbarrier.init.shared::cta.b64 [%r2], 1;
mbarrier.init.shared::cta.b64 [%r3], 2;
fence.mbarrier_init.release.cluster;
INITIALIZED:
bar.sync 0;
setp.ge.s32 %p2, %r1, 32;
@%p2 bra SECOND;
`;

/** Each warp waits for what the other one does behind its own wait. */
export const CROSSED = `${SETUP}
FIRST:

mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r2], 0;
@!%p3 bra FIRST;
mbarrier.arrive.shared::cta.b64 _, [%r3];
ret;
SECOND:

mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;
@!%p3 bra SECOND;
mbarrier.arrive.shared::cta.b64 _, [%r2];
ret;
}
`;

/** The second warp sleeps as often as a parameter says, and then arrives. */
export const SLEEPING = `${SETUP}
ld.param.u32 %r5, [pair_param_1];
FIRST:

mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r2], 0;
@!%p3 bra FIRST;
ret;
SECOND:
ld.param.u32 %r5, [pair_param_1];
mov.u32 %r6, 0;
AGAIN:
nanosleep.u32 1000;
add.s32 %r6, %r6, 1;
setp.lt.s32 %p4, %r6, %r5;
@%p4 bra AGAIN;
and.b32 %r7, %r1, 31;
setp.ne.s32 %p5, %r7, 0;
@%p5 bra DONE;
mbarrier.arrive.shared::cta.b64 _, [%r2];
DONE:
ret;
}
`;

/** The second warp polls a word that no thread sets to 2. */
export const POLLING = `${SETUP}
ret;
SECOND:
ld.param.u64 %rd1, [pair_param_0];
POLL:
ld.acquire.gpu.global.u32 %r5, [%rd1+4];
setp.ne.s32 %p4, %r5, 2;
@%p4 bra POLL;
ret;
}
`;

/** The second block polls through shared memory until two have counted; one does. */
export const SHARING = `
.version 8.0
.target sm_90a
.address_size 64
.visible .entry pair(.param .u64 pair_param_0, .param .u32 pair_param_1)
{
.reg .pred %p<8>;
.reg .b32 %r<16>;
.reg .b64 %rd<4>;
.shared .align 4 .b8 box[4];
ld.param.u64 %rd1, [pair_param_0];
ld.param.u32 %r4, [pair_param_1];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
setp.eq.s32 %p1, %r1, 0;
setp.ne.s32 %p2, %r2, 0;
@%p2 bra POLL;
setp.gt.s32 %p3, %r4, 2;
and.pred %p4, %p1, %p3;
@%p4 red.release.gpu.global.add.u32 [%rd1], 1;
ret;
POLL:
bar.sync 0;
@%p1 ld.acquire.gpu.global.u32 %r5, [%rd1];
@%p1 st.shared.u32 [box], %r5;
bar.sync 0; // behind the store
ld.shared.u32 %r6, [box];
setp.ne.s32 %p5, %r6, 2;
@%p5 bra POLL;
ret;
}
`;

/** The line of a text, from 1, that contains a part. */
export function lineOf(text: string, part: string): number {
  return text.split('\n').findIndex((line) => line.includes(part)) + 1;
}

/** Offsets of the two waits in the code of {@link CROSSED}, and their loops. */
export const CODE = [
  NOP,
  tryWait(3, 4),
  branch(-32),
  NOP,
  tryWait(5, 6),
  branch(-32),
  NOP,
] as const;
const FIRST_PC = ENTRY + 32n;
const SECOND_PC = ENTRY + 80n;
const [FULL, EMPTY] = [0x400, 0x408];

/** The cubin of {@link CROSSED}, with its lines. */
export const CROSSED_CUBIN: WrittenCubin = {
  kernel: 'pair',
  address: ENTRY,
  code: CODE,
  ptx: CROSSED,
  ptxLines: [
    { offset: 0, line: lineOf(CROSSED, 'mov.u32 %r1') },
    { offset: 16, line: lineOf(CROSSED, '[%r2], 0') },
    { offset: 64, line: lineOf(CROSSED, '[%r3], 0') },
  ],
  source: [
    { offset: 0, line: 10 },
    { offset: 16, line: 21 },
    { offset: 16, line: 5, inlinedAt: 2 },
    { offset: 64, line: 25, inlinedAt: 0 },
  ],
};

/** Two warps that wait for each other. */
export const CROSSED_WARPS: readonly WrittenWarp[] = [
  { warp: 0, pc: FIRST_PC, registers: [0, 0, 0, FULL, 0, 0, 0] },
  { warp: 1, pc: SECOND_PC, registers: [0, 0, 0, 0, 0, EMPTY, 0] },
];

/** The words of the two barriers before any arrival. */
export const FRESH = new Map([
  [FULL, encodeWord({ phaseParity: 0, pending: 1, count: 1, bytes: 0 })],
  [EMPTY, encodeWord({ phaseParity: 0, pending: 2, count: 2, bytes: 0 })],
]);

/** The parameters of the kernel. */
export function parameters(count = 3): Uint8Array {
  return new Bytes().u64(FLAG).u32(count).done();
}

/** A dump of {@link CROSSED}, with changes. */
export function crossedDump(
  changes: Partial<WrittenDump> = {},
  cubin: Partial<WrittenCubin> = {},
): Uint8Array {
  return writeDump({
    cubin: writeCubin({ ...CROSSED_CUBIN, ...cubin }),
    entry: ENTRY,
    grid: [2, 1, 1],
    threads: 64,
    parameters: parameters(),
    blocks: [0, 1].map((x) => ({ block: [x, 0, 0], shared: FRESH, warps: CROSSED_WARPS })),
    ...changes,
  });
}

/** A dump of {@link SLEEPING}: the first warp waits, the second one sleeps. */
export function sleepingDump(count: number): Uint8Array {
  const code = [NOP, tryWait(3, 4), branch(-32), NOP, SLEEP, branch(-32), NOP];
  return writeDump({
    cubin: writeCubin({
      kernel: 'pair',
      address: ENTRY,
      code,
      ptx: SLEEPING,
      ptxLines: [
        { offset: 0, line: lineOf(SLEEPING, 'mov.u32 %r1') },
        { offset: 16, line: lineOf(SLEEPING, '[%r2], 0') },
        { offset: 64, line: lineOf(SLEEPING, 'nanosleep') },
      ],
    }),
    entry: ENTRY,
    grid: [1, 1, 1],
    threads: 64,
    parameters: parameters(count),
    blocks: [{ block: [0, 0, 0], shared: FRESH, warps: CROSSED_WARPS }],
  });
}

/** A dump of {@link POLLING}: the first warp has ended, the second one polls `flag+4`. */
export function pollingDump(value: number): Uint8Array {
  const code = [NOP, load(2), branch(-32), NOP];
  return writeDump({
    cubin: writeCubin({
      kernel: 'pair',
      address: ENTRY,
      code,
      ptx: POLLING,
      ptxLines: [
        { offset: 0, line: lineOf(POLLING, 'mov.u32 %r1') },
        { offset: 16, line: lineOf(POLLING, 'ld.acquire') },
      ],
    }),
    entry: ENTRY,
    grid: [1, 1, 1],
    threads: 64,
    parameters: parameters(),
    blocks: [
      {
        block: [0, 0, 0],
        shared: FRESH,
        warps: [
          {
            warp: 1,
            pc: ENTRY + 32n,
            registers: [0, 0, Number((FLAG + 4n) & 0xffff_ffffn), Number((FLAG + 4n) >> 32n)],
          },
        ],
      },
    ],
    memory: [{ address: FLAG, data: new Bytes().u32(0, value).to(64).done() }],
  });
}

/** A dump of {@link SHARING}: a block that polls, with its two warps at places in the loop. */
export function sharingDump(first: number, second: number): Uint8Array {
  const code = [NOP, barSync(0), load(2), NOP, barSync(0), NOP, branch(-96), NOP];
  const lines = [
    'mov.u32 %r1',
    'bar.sync 0;',
    'ld.acquire',
    'st.shared',
    'bar.sync 0; // behind',
    'ld.shared',
  ].map((part, index) => ({ offset: 16 * index, line: lineOf(SHARING, part) }));
  return writeDump({
    cubin: writeCubin({ kernel: 'pair', address: ENTRY, code, ptx: SHARING, ptxLines: lines }),
    entry: ENTRY,
    grid: [2, 1, 1],
    threads: 64,
    parameters: parameters(),
    blocks: [
      {
        block: [1, 0, 0],
        warps: [first, second].map((offset, warp) => {
          return { warp, pc: ENTRY + BigInt(offset), registers: [0, 0, 0, 0] };
        }),
      },
    ],
    memory: [{ address: FLAG, data: new Bytes().u32(1).to(64).done() }],
  });
}
