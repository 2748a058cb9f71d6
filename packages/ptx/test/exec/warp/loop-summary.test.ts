// Rounds of loops that are passed over, against the same rounds executed: in the block that was
// executed, and in all that decide as it does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Observer } from '#src/exec/machine/observer';
import { RunBoundError, execute } from '#src/exec/machine/execute';
import type { Execution } from '#src/exec/machine/execute';
import { ownTouch } from '#src/exec/footprints/groups';
import { TouchPlacer } from '#src/exec/footprints/placed-touch';
import { Alike } from '#src/exec/origins/alike';
import { clustersAcross, placeOf } from '#src/exec/origins/classes';
import { Work } from '#src/exec/origins/work';
import { prepare } from '#src/exec/warp/prepare';
import { inlineCalls } from '#src/flow/inline';
import { readLaunchFile } from '#src/launch/read-launch';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../../kernel-text.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 30);
const DECLARED = '.reg .b32 %r<16>; .reg .b64 %rd<12>; .reg .pred %p<6>; .reg .f32 %f<8>;';
const BASES = `ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r10, 7; mov.f32 %f1, 0f00000000;`;

const FACTOR = fc.constantFrom(0, 0, 0, 1, 4, -1);
/** Where in memory a round is: by a pointer that grows, or by the counter. */
const PLACES = {
  pointer: 'mov.u64 %rd6, %rd4;',
  copied: 'add.s64 %rd6, %rd4, 64;',
  shifted: 'cvt.s64.s32 %rd5, %r4; shl.b64 %rd5, %rd5, 2; add.s64 %rd6, %rd4, %rd5;',
  wide: 'mul.wide.s32 %rd5, %r4, 8; add.s64 %rd6, %rd0, %rd5;',
  summed: 'mad.wide.u32 %rd6, %r5, 16, %rd4;',
  wrapped: 'shl.b32 %r9, %r4, 26; cvt.u64.u32 %rd5, %r9; add.s64 %rd6, %rd4, %rd5;',
  masked: 'and.b32 %r9, %r4, 7; mul.wide.u32 %rd5, %r9, 4; add.s64 %rd6, %rd4, %rd5;',
} as const;
const ACCESS = fc
  .tuple(
    fc.constantFrom('ld.global.f32 %f2, [B+N];', 'st.global.u32 [B+N], %r10;'),
    fc.constantFrom('%rd6', '%rd6', '%rd4'),
    fc.constantFrom(0, 4, 8, 12, -4, 2048),
  )
  .map(([text, base, offset]) => text.replace('B', base).replace('N', `${offset}`));

const SHAPE = fc.record({
  start: fc.tuple(FACTOR, FACTOR, FACTOR, fc.constantFrom(0, 0, 5, -40, 2 ** 31 - 60, -(2 ** 31))),
  step: fc.constantFrom(1, 1, -1, 4, 32, -4),
  rounds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 20, max: 70 })),
  more: fc.constantFrom(0, 0, 0, 1, 3),
  limit: fc.tuple(FACTOR, fc.constantFrom(0, 0, 0, 1, 4), fc.constantFrom(0, 0, 1, -1)),
  compared: fc.constantFrom('ne', 'ne', 'lt', 'le', 'gt', 'ge'),
  type: fc.constantFrom('s32', 's32', 'u32'),
  isSwapped: fc.boolean(),
  isNegated: fc.boolean(),
  isEarly: fc.boolean(),
  word: fc.tuple(fc.constantFrom(0, 40, 256), fc.constantFrom(0, 1, 4, 128)),
  stride: fc.constantFrom(4, 8, 16, 16, 64, -4, 0),
  place: fc.constantFrom(...(Object.keys(PLACES) as (keyof typeof PLACES)[])),
  accesses: fc.array(ACCESS, { minLength: 1, maxLength: 4 }),
});

const SWAPPED = { ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' } as const;
const OPPOSITE = { ne: 'eq', lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' } as const;

/** Kernels with a loop whose counter and limit follow from the thread and the block. */
const counting: fc.Arbitrary<string> = SHAPE.map((shape) => {
  const { start, step, rounds, more, limit, compared, type, isSwapped, isNegated } = shape;
  const turned = isSwapped ? SWAPPED[compared] : compared;
  const named = isNegated ? OPPOSITE[turned] : turned;
  const inputs = isSwapped ? '%r6, %r4' : '%r4, %r6';
  const isGrowing = step > 0 === ['ne', 'lt', 'le'].includes(compared) || compared === 'ne';
  const distance = (isGrowing ? step : -step) * rounds + more;
  const count = `add.s32 %r4, %r4, ${step}; add.u32 %r5, %r5, 1; add.s64 %rd4, %rd4, ${shape.stride};`;
  const accesses = `${PLACES[shape.place]} ${shape.accesses.join(' ')} add.f32 %f1, %f1, %f2;`;
  return kernelText(
    DECLARED,
    `${BASES} mad.lo.s32 %r4, %r1, ${start[0]}, ${start[3]}; mad.lo.s32 %r4, %r2, ${start[1]}, %r4;
    mad.lo.s32 %r4, %r0, ${start[2]}, %r4; add.s32 %r6, %r4, ${distance};
    mad.lo.s32 %r6, %r0, ${limit[1]}, %r6; mad.lo.s32 %r6, %r1, ${limit[0]}, %r6;
    mad.lo.s32 %r6, %r2, ${limit[2]}, %r6; mov.u32 %r5, 0;
    mad.lo.s32 %r9, %r1, ${shape.word[0]}, 4096; mad.lo.s32 %r9, %r0, ${shape.word[1]}, %r9;
    mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd0, %rd4; mov.u64 %rd6, %rd4;
    LOOP: ${shape.isEarly ? `${count} ${accesses}` : `${accesses} ${count}`}
    setp.${named}.${type} %p4, ${inputs}; @${isNegated ? '!' : ''}%p4 bra LOOP;
    st.global.f32 [%rd4], %f1; setp.gt.s32 %p1, %r4, 30; @%p1 bra END;
    ld.global.f32 %f3, [%rd6+8]; st.global.u32 [%rd4+4], %r10; END: ret;`,
    '.param .u64 out, .param .u64 in',
  );
});

interface Blocks {
  readonly launch: ReturnType<ReturnType<typeof readLaunchFile>['launch']>;
  readonly runs: readonly Execution[];
}

/** An observer that looks at nothing: beside it, touches are noted one by one. */
function idle(instructions: number): Observer {
  const ignore = (): void => {};
  const follows = new Uint8Array(instructions);
  return { follows, begin: ignore, executes: ignore, passesOver: ignore, forgets: ignore };
}

/** Executes each block of a grid alone, with all rounds or without those that are passed over. */
function blocksOf(text: string, isUnrolled: boolean, bytes: number | undefined): Blocks {
  const module = parsePtx(text);
  const [entry] = [...module.functions.values()];
  const pointer = bytes === undefined ? { kind: 'pointer' } : { kind: 'pointer', bytes };
  const fields = { grid: [3, 2, 1], block: [34, 1, 1], params: [pointer, pointer] };
  const launch = readLaunchFile(JSON.stringify(fields), 'launch.json').launch(0, entry!, {});
  const program = prepare(inlineCalls(module, entry!), 'kernel.ptx', {
    isSliced: true,
    isUnrolled,
  });
  const across = clustersAcross(launch);
  const runs = Array.from({ length: across[0] * across[1] }, (_, number) => {
    const executed = [placeOf(number, across)];
    const observer = isUnrolled ? idle(entry!.instructions.length) : undefined;
    const bounds = { maxInstructions: 20_000, isOver: () => false, ...(observer && { observer }) };
    return execute(module, program, { ...launch, executed }, bounds);
  });
  return { launch, runs };
}

/** The bytes that each thread of a block touches, by a run of that block or of one alike. */
function bytesOf({ launch, runs }: Blocks, run: number, block: number): string {
  const across = clustersAcross(launch);
  const places = [...runs.keys()].map((number) => placeOf(number, across));
  const placer = new TouchPlacer(new Work(Infinity), places);
  const found = new Set<string>();
  const { touches } = runs[run]!.machine;
  for (const touch of touches!.list)
    placer.lanesIn(touch, block, run === block ? 0 : null, (lane, from, bytes) => {
      for (let word = from; word < from + bytes; word += 4)
        found.add(`${touch.warp}.${lane} ${touch.isWrite} ${word}`);
    });
  return [...found].toSorted().join('\n');
}

function reported({ machine }: Execution): string {
  const { faults, undecidedReasons, touches } = machine;
  return JSON.stringify([faults, undecidedReasons, [...touches!.unknown.keys()]]);
}

function executedBy(runs: readonly Execution[]): number {
  return runs.flatMap(({ warps }) => warps).reduce((sum, each) => sum + each.progress.executed, 0);
}

test('what is passed over is what the rounds do, in all blocks that decide alike', () => {
  let passed = 0;
  let alike = 0;
  const property = fc.property(counting, fc.constantFrom(undefined, 65_536), (text, bytes) => {
    let all: Blocks | null = null;
    try {
      all = blocksOf(text, true, bytes);
    } catch (error) {
      if (!(error instanceof RunBoundError)) throw error;
    }
    fc.pre(all !== null);
    const few = blocksOf(text, false, bytes);
    if (executedBy(few.runs) < executedBy(all.runs)) passed++;
    const places = [...all.runs.keys()].map((each) => placeOf(each, clustersAcross(all.launch)));
    const truth = places.map((_, block) => bytesOf(all, block, block));
    for (const [run, { machine }] of few.runs.entries()) {
      assert.equal(reported(few.runs[run]!), reported(all.runs[run]!), text);
      assert.equal(bytesOf(few, run, run), truth[run], text);
      const decisions = new Alike(machine.blocks!.list, few.launch);
      if (ownTouch([machine.touches!]) !== undefined) continue;
      for (const [block, place] of places.entries()) {
        if (block === run || decisions.partingIn(place) !== null) continue;
        assert.equal(bytesOf(few, run, block), truth[block], `${run} for ${block}\n${text}`);
        alike++;
      }
    }
  });
  fc.assert(property, { numRuns: RUNS });
  assert.ok(passed > RUNS / 10, `${passed} of ${RUNS}`);
  assert.ok(alike > RUNS / 10, `${alike} of ${RUNS}`);
});
