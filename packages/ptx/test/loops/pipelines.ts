// Kernels of several warps that hand stages to one another by mbarriers, with lanes that act alone
// or together, and with what some rounds do besides: for comparing what is proved of all numbers of
// rounds with what runs of single numbers do.
import { array, constantFrom, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { kernelText } from '../kernel-text.ts';

/** Something that warps do in rounds that a condition chooses. */
export interface Extra {
  readonly warp: number;
  readonly when: keyof typeof CONDITIONS;
  readonly what: keyof typeof EXTRAS;
  readonly constant: number;
}

/** A pipeline: a warp that writes, and others that read. */
export interface Pipeline {
  readonly stages: number;
  /** How a warp finds its stage and its phase. */
  readonly counter: 'wrap' | 'rest';
  readonly readers: number;
  /** Which lanes write, and which read. */
  readonly writing: keyof typeof LANES;
  readonly waiting: 'all' | 'first';
  /** What readers try before they wait, and what a try that fails changes. */
  readonly tries: keyof typeof TRIES;
  /** Whether lanes of readers join before the first one releases the stage, or all do. */
  readonly release: 'joined' | 'first' | 'all';
  /** Whether all warps meet in each round, at an mbarrier by its state, or by its parity. */
  readonly meeting: 'none' | 'state' | 'parity' | 'clock';
  /** How many items a round hands over, in a loop of its own. */
  readonly inner: keyof typeof INNER;
  readonly extras: readonly Extra[];
}

/** Items of a round, in `%r16`: the same in all of them, or as the round or the number says. */
const INNER = {
  one: 'mov.u32 %r16, 1;',
  three: 'mov.u32 %r16, 3;',
  even: 'and.b32 %r16, %r1, 1; add.u32 %r16, %r16, 1;',
  late: 'setp.gt.u32 %p4, %r1, 77; selp.b32 %r16, 2, 1, %p4;',
  last: 'add.u32 %r16, %r1, 1; setp.eq.u32 %p4, %r16, %r4; selp.b32 %r16, 1, 2, %p4;',
  bit: 'shr.u32 %r16, %r1, 6; and.b32 %r16, %r16, 1; add.u32 %r16, %r16, 2;',
  number: 'and.b32 %r16, %r4, 1; add.u32 %r16, %r16, 1;',
  large: 'setp.gt.u32 %p4, %r4, 150; selp.b32 %r16, 3, 2, %p4;',
} as const;

/** Before a wait, which is at `@` if it is needed at all; `!` is the try. */
const TRIES = {
  none: '',
  once: '! @%p2 bra PAST@;',
  held: '! selp.b32 %r8, 1, 0, %p2; setp.ne.u32 %p3, %r8, 0; @%p3 bra PAST@;',
  twice: '! @%p2 bra PAST@; ! @%p2 bra PAST@;',
  paused:
    'mov.u32 %r17, 8; AGAIN@: ! @%p2 bra PAST@; nanosleep.u32 %r17; add.u32 %r17, %r17, 8; bra AGAIN@;',
  marked: 'mov.u32 %r17, 0; ! @%p2 bra PAST@; mov.u32 %r17, 1;',
  late: 'mov.u32 %r17, 0; ! @%p2 bra PAST@; setp.gt.u32 %p3, %r1, 149; selp.b32 %r17, 1, 0, %p3;',
  other: '! @%p2 bra PAST@; setp.eq.u32 %p3, %r1, 150; @%p3 bra PAST@;',
} as const;

/** Whether a lane, in `%r5`, acts in round `%r1`: `%p5` is set. */
const LANES = {
  all: 'setp.ge.u32 %p5, %r5, 0;',
  first: 'setp.eq.u32 %p5, %r5, 0;',
  third: 'setp.eq.u32 %p5, %r5, 2;',
  turns: 'and.b32 %r7, %r1, 3; setp.eq.u32 %p5, %r5, %r7;',
  late: 'shr.u32 %r7, %r1, 5; and.b32 %r7, %r7, 1; setp.eq.u32 %p5, %r5, %r7;',
} as const;

/** Rounds, by a number `k`: `%p4` is set. */
const CONDITIONS = {
  always: () => 'setp.ge.u32 %p4, %r1, 0;',
  at: (k: number) => `setp.eq.u32 %p4, %r1, ${k};`,
  from: (k: number) => `setp.gt.u32 %p4, %r1, ${k};`,
  below: (k: number) => `setp.lt.u32 %p4, %r1, ${k};`,
  bit: () => 'and.b32 %r7, %r1, 32; setp.ne.u32 %p4, %r7, 0;',
  even: () => 'and.b32 %r7, %r1, 1; setp.eq.u32 %p4, %r7, 0;',
  number: (k: number) => `setp.gt.u32 %p4, %r4, ${k};`,
  left: (k: number) => `sub.u32 %r7, %r4, %r1; setp.eq.u32 %p4, %r7, ${k};`,
  last: () => 'sub.u32 %r7, %r4, %r1; setp.eq.u32 %p4, %r7, 1;',
  tried: () => 'setp.eq.u32 %p4, %r17, 1;',
  item: (k: number) => `setp.eq.u32 %p4, %r15, ${k};`,
  items: (k: number) => `setp.gt.u32 %p4, %r15, ${2 * k};`,
  inner: () => 'setp.eq.u32 %p4, %r14, 1;',
  square: (k: number) => `mul.lo.u32 %r7, %r1, %r1; setp.gt.u32 %p4, %r7, ${k * k};`,
} as const;

/** What is done then: by all lanes that come to it, or by some. */
const EXTRAS = {
  arrive: '@%p4 mbarrier.arrive.shared::cta.b64 _, [spare];',
  one: 'setp.eq.and.u32 %p4, %r5, 0, %p4; @%p4 mbarrier.arrive.shared::cta.b64 _, [spare];',
  ahead: '@%p4 mbarrier.arrive.shared::cta.b64 _, [meet];',
  store: '@%p4 st.volatile.shared.u32 [word], %r1;',
  lanes: '@%p4 st.shared.u32 [%r9], %r1;',
  equal: 'setp.lt.and.u32 %p4, %r5, 2, %p4; @%p4 st.shared.u32 [word+8], 7;',
  apart:
    'setp.eq.and.u32 %p3, %r5, 0, %p4; @%p3 st.shared.u32 [word+12], %r1; setp.eq.and.u32 %p3, %r5, 1, %p4; @%p3 st.shared.u32 [word+12], 40;',
  exchange:
    'setp.eq.and.u32 %p3, %r5, 0, %p4; @%p3 st.shared.u32 [word+4], %r1; setp.eq.and.u32 %p3, %r5, 1, %p4; @%p3 ld.shared.u32 %r8, [word+4];',
  join: '@%p4 bra.uni GO@; bra.uni PAST@; GO@: bar.warp.sync -1; PAST@:',
  fence: '@%p4 bra GO@; bra PAST@; GO@: membar.cta; PAST@:',
  branch: '@!%p4 bra PAST@; st.volatile.shared.u32 [word], 1; PAST@:',
  slower: 'mov.u32 %r7, %clock; sub.u32 %r7, %r7, %r6; @%p4 add.u32 %r6, %r6, %r7;',
} as const;

/** Thresholds: some lie behind every number that a period is looked for with. */
const constant = constantFrom(1, 2, 3, 6, 7, 13, 40, 77, 150);

const extra: Arbitrary<Extra> = record({
  warp: constantFrom(0, 1, 2),
  when: constantFrom(...(Object.keys(CONDITIONS) as Extra['when'][])),
  what: constantFrom(...(Object.keys(EXTRAS) as Extra['what'][])),
  constant,
});

/** Pipelines of all kinds. */
export const pipelines: Arbitrary<Pipeline> = record({
  stages: constantFrom(1, 2, 2, 3, 4),
  counter: constantFrom('wrap', 'rest'),
  readers: constantFrom(1, 1, 2),
  writing: constantFrom('all', 'first', 'first', 'third', 'turns', 'late'),
  waiting: constantFrom('all', 'first'),
  tries: constantFrom(
    'none',
    'none',
    'none',
    'once',
    ...(Object.keys(TRIES) as Pipeline['tries'][]),
  ),
  release: constantFrom('joined', 'first', 'all'),
  meeting: constantFrom('none', 'none', 'state', 'parity', 'clock'),
  inner: constantFrom('one', 'one', 'one', ...(Object.keys(INNER) as Pipeline['inner'][])),
  extras: array(extra, { maxLength: 2 }),
});

/** Lanes of a warp. */
const WARP = 32;

function wait(label: string, barrier: string, parity: string): string {
  return `${label}: mbarrier.try_wait.parity.shared::cta.b64 %p2, [${barrier}], ${parity}; @!%p2 bra ${label};`;
}

/** All warps meet. */
function meeting({ meeting: how }: Pipeline, warp: number): string {
  const again = `MEET${warp}: mbarrier.try_wait.shared::cta.b64 %p2, [meet], %d0;`;
  const arrive = 'mbarrier.arrive.shared::cta.b64 %d0, [meet];';
  switch (how) {
    case 'none':
      return '';
    case 'state':
      return `${arrive} ${again} @!%p2 bra MEET${warp};`;
    case 'parity':
      return `${arrive} and.b32 %r8, %r1, 1; ${wait(`MEET${warp}`, 'meet', '%r8')}`;
    case 'clock':
      return `${arrive} mov.u64 %d1, %globaltimer; ${again} @%p2 bra MET${warp};
        mov.u64 %d2, %globaltimer; sub.u64 %d2, %d2, %d1; setp.gt.u64 %p3, %d2, 1000000000;
        @!%p3 bra MEET${warp}; trap; MET${warp}:`;
  }
}

/** What one warp does in a round. */
function round(pipeline: Pipeline, warp: number): string {
  const { writing, waiting, release } = pipeline;
  const own = pipeline.extras
    .filter((each) => each.warp === warp)
    .map(({ when, what, constant: k }, index) => {
      const name = `${warp}${index}`;
      return `${CONDITIONS[when](k)} ${EXTRAS[what].replaceAll('@:', `${name}:`).replaceAll('@;', `${name};`)}`;
    })
    .join('\n');
  if (warp === 0)
    return `${LANES[writing]} @!%p5 bra OVER0; xor.b32 %r7, %r3, 1; ${wait('WAIT0', '%r11', '%r7')}
      st.shared.u32 [%r12], %r1; mbarrier.arrive.shared::cta.b64 _, [%r10]; OVER0: ${own}`;
  const tries = TRIES[pipeline.tries]
    .replaceAll('!', 'mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10], %r3;')
    .replaceAll('@:', `${warp}:`)
    .replaceAll('@;', `${warp};`)
    .replaceAll('PAST', 'TRIED');
  const wanted = `${tries} ${wait(`WAIT${warp}`, '%r10', '%r3')} TRIED${warp}:`;
  const waits =
    waiting === 'all'
      ? wanted
      : `setp.ne.u32 %p5, %r5, 0; @%p5 bra WAITED${warp}; ${wanted} WAITED${warp}: bar.warp.sync -1;`;
  const isJoined = release === 'joined' ? 'bar.warp.sync -1;' : '';
  const releases =
    release === 'all'
      ? 'mbarrier.arrive.shared::cta.b64 _, [%r11];'
      : `${isJoined} setp.eq.u32 %p5, %r5, 0; @%p5 mbarrier.arrive.shared::cta.b64 _, [%r11];`;
  return `${waits} ld.shared.u32 %r8, [%r12]; ${own} ${releases}`;
}

function loop(pipeline: Pipeline, warp: number): string {
  const { stages, counter, inner } = pipeline;
  const [begin, next] =
    counter === 'wrap'
      ? [
          '',
          `add.u32 %r2, %r2, 1; setp.eq.u32 %p3, %r2, ${stages}; selp.b32 %r2, 0, %r2, %p3;
           selp.b32 %r7, 1, 0, %p3; xor.b32 %r3, %r3, %r7;`,
        ]
      : [`rem.u32 %r2, %r15, ${stages}; div.u32 %r3, %r15, ${stages}; and.b32 %r3, %r3, 1;`, ''];
  return `WARP${warp}: mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r6, 0;
    mov.u32 %r15, 0; LOOP${warp}: ${INNER[inner]} mov.u32 %r14, 0; ITEM${warp}: ${begin}
    shl.b32 %r7, %r2, 3; mov.u32 %r10, full; add.u32 %r10, %r10, %r7;
    mov.u32 %r11, empty; add.u32 %r11, %r11, %r7;
    mov.u32 %r12, items; shl.b32 %r7, %r2, 7; add.u32 %r12, %r12, %r7;
    shl.b32 %r7, %r5, 2; add.u32 %r12, %r12, %r7;
    ${round(pipeline, warp)} ${next} add.u32 %r15, %r15, 1;
    add.u32 %r14, %r14, 1; setp.lt.u32 %p1, %r14, %r16; @%p1 bra ITEM${warp};
    ${meeting(pipeline, warp)}
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r4; @%p1 bra LOOP${warp}; bra END;`;
}

/** Threads of a pipeline. */
export function threadsOf({ readers }: Pipeline): number {
  return WARP * (readers + 1);
}

/** The PTX of a pipeline of `n` rounds. */
export function pipelineKernel(pipeline: Pipeline): string {
  const { stages, readers, writing, release } = pipeline;
  const init = (barrier: string, count: number): string =>
    `mbarrier.init.shared::cta.b64 [${barrier}], ${count};`;
  const perStage = Array.from({ length: stages }, (_, stage) => [
    init(`full+${stage * 8}`, writing === 'all' ? WARP : 1),
    init(`empty+${stage * 8}`, release === 'all' ? WARP * readers : readers),
  ]);
  const warps = Array.from({ length: readers + 1 }, (_, warp) => warp);
  const jumps = warps.map((warp) => `setp.eq.u32 %p0, %r13, ${warp}; @%p0 bra WARP${warp};`);
  return kernelText(
    `.reg .b32 %r<18>; .reg .b64 %d<3>; .reg .pred %p<6>;
     .shared .align 8 .b64 full[4]; .shared .align 8 .b64 empty[4]; .shared .align 8 .b64 meet;
     .shared .align 8 .b64 spare; .shared .align 8 .b8 items[512]; .shared .align 8 .b8 word[16];
     .shared .align 8 .b8 own[512];`,
    `mov.u32 %r17, 0; mov.u32 %r0, %tid.x; ld.param.u32 %r4, [n]; and.b32 %r5, %r0, 31; shr.u32 %r13, %r0, 5;
     shl.b32 %r7, %r0, 2; mov.u32 %r9, own; add.u32 %r9, %r9, %r7;
     setp.ne.u32 %p0, %r0, 0; @%p0 bra READY; ${perStage.flat().join(' ')}
     ${init('meet', threadsOf(pipeline))} ${init('spare', 1_000_000)}
     READY: bar.sync 0; setp.eq.u32 %p0, %r4, 0; @%p0 bra END;
     ${jumps.join(' ')}
     ${warps.map((warp) => loop(pipeline, warp)).join('\n')}
     END: ret;`,
    '.param .u32 n',
  );
}
