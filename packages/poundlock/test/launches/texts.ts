// PTX texts without a launch, for tests: threads that exchange words through shared memory.

/** How a text differs. */
export interface Exchange {
  /** Directives, such as `.maxntid 64`. */
  readonly directives?: string;
  /** Instructions before the loop over the rounds; `%r20` may be changed. */
  readonly before?: string;
  /** Whether each round ends with a barrier; else the next one overwrites what is read. */
  readonly isRight?: boolean;
  /** The barrier of a round. */
  readonly barrier?: string;
  /** The registers of an address in front of the loop. */
  readonly inLoop?: string;
}

/** Threads write a word each and read that of the thread with the opposite number, in rounds. */
export function exchange({
  directives = '.maxntid 64',
  before = '',
  isRight = true,
  barrier = 'bar.sync 0;',
  inLoop = '',
}: Exchange = {}): string {
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry exchange(.param .u64 out, .param .u32 rounds) ${directives}
{
  .reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .pred %p<8>;
  .shared .align 4 .b8 words[4096];
  ld.param.u32 %r20, [rounds];
  ${before}
  mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, words; add.u32 %r4, %r3, %r2;
  mov.u32 %r5, %ntid.x; sub.u32 %r5, %r5, 1; sub.u32 %r5, %r5, %r1; shl.b32 %r5, %r5, 2;
  add.u32 %r6, %r3, %r5; mov.u32 %r7, 0;
ROUND: setp.ge.s32 %p1, %r7, %r20; @%p1 bra END;
  st.shared.u32 [%r4], %r7; ${barrier} ld.shared.u32 %r8, [%r6]; ${isRight ? barrier : ''}
  ${inLoop}
  add.s32 %r7, %r7, 1; bra ROUND;
END: ret;
}
`;
}
