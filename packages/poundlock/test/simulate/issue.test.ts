// Warps that compete for an SM, and SMs that compete for memory: measured rows, roofs, refusals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assert as holds, constantFrom, integer, property } from 'fast-check';
import { ptxKernel } from 'poundlock/ptx';
import { MODELS, simulate, timedProgram } from '#src/simulate/index';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const REGISTERS = `.reg .f32 %f<17>; .reg .u32 %r<9>; .reg .u64 %d<9>; .reg .pred %p<9>;
.reg .b32 %w<9>;`;
const MEBIBYTE = 2 ** 20;

interface Sizes {
  readonly blocks: number;
  readonly threads: number;
  readonly shared?: number;
}

function timeOf(body: string, sizes: Sizes, bytes: readonly number[] = []) {
  return simulate(kernelOf(body, sizes, bytes), { model: MODELS.h200, maxSpans: 0 }).device;
}

function kernelOf(body: string, { blocks, threads, shared = 0 }: Sizes, bytes: readonly number[]) {
  const params = bytes.map((size) => ({ kind: 'pointer', bytes: size }));
  const declared = params.map((_, at) => `.param .u64 p${at}`).join(', ');
  const text = kernelText(REGISTERS, body, declared);
  const launch = { grid: [blocks], block: [threads], dynamicSharedMemory: shared, params };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

/** Lane's place in `%d1`, with elements of so many bytes; `stride`: of these between two lanes. */
const place = (bytes: number, stride = 1): string => `ld.param.u64 %d2, [p0];
ld.param.u64 %d3, [p1];
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x;
mad.lo.u32 %r1, %r1, %r2, %r3;
mul.wide.u32 %d1, %r1, ${bytes * stride};
add.u64 %d2, %d2, %d1;
add.u64 %d3, %d3, %d1;`;

const copies = {
  copy: {
    bytes: 4,
    body: `${place(4)}\nld.global.f32 %f1, [%d2];\nst.global.f32 [%d3], %f1;\nret;`,
  },
  copy_v4: {
    bytes: 16,
    body: `${place(16)}
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d2];
st.global.v4.f32 [%d3], {%f1, %f2, %f3, %f4};
ret;`,
  },
} as const;

test('copies take what an H200 took: in waves, from the L2 and from HBM, and by small blocks', () => {
  const table = readFileSync(join(ROOT, 'bench', 'h200', 'throughput.csv'), 'utf8');
  let rows = 0;
  for (const line of table.trim().split('\n')) {
    const [what, blocks, threads, size, nanoseconds] = line.split(',');
    if (what !== 'copy' && what !== 'copy_v4') continue;
    const bytes = Number(size);
    // Between what fits the L2 and what does not, a few bytes decide.
    if (bytes > 12 * MEBIBYTE && bytes < 64 * MEBIBYTE) continue;
    const sizes = { blocks: Number(blocks), threads: Number(threads) };
    const { microseconds, timed } = timeOf(copies[what].body, sizes, [bytes, bytes]);
    assert.equal(timed, 'warps', line);
    const error = (1000 * microseconds) / Number(nanoseconds) - 1;
    assert.ok(Math.abs(error) < 0.35, `${line}: ${(100 * error).toFixed(0)} %`);
    rows++;
  }
  assert.ok(rows > 30, `${rows} rows`);
});

test('independent instructions of many warps are issued one in a cycle of each scheduler', () => {
  const chains = Array.from({ length: 512 }, (_, at) => {
    const register = 1 + (at % 16);
    return `fma.rn.f32 %f${register}, %f${register}, %f${register}, %f${register};`;
  });
  const { microseconds, roofs } = timeOf(`${chains.join('\n')}\nret;`, {
    blocks: 132,
    threads: 1024,
  });
  const cycles = (microseconds - 1.12) * 1980;
  assert.ok(Math.abs(cycles / (512 * 8) - 1) < 0.1, `${cycles}`);
  assert.equal(roofs[0]!.name, 'issue of the schedulers');
});

test('more blocks or more bytes never take less time', () => {
  const of = constantFrom('copy', 'copy_v4');
  const threads = constantFrom(64, 256, 1024);
  const counts = integer({ min: 1, max: 3000 });
  holds(
    property(of, threads, counts, counts, (what, perBlock, one, more) => {
      const { bytes, body } = copies[what];
      const time = (blocks: number): number => {
        const size = blocks * perBlock * bytes;
        return timeOf(body, { blocks, threads: perBlock }, [size, size]).microseconds;
      };
      assert.ok(time(one + more) >= 0.98 * time(one), `${one} and ${one + more}`);
    }),
    { numRuns: 20 },
  );
});

test('shared memory of the launch limits the blocks of an SM, whether they use it or not', () => {
  const sizes = { blocks: 528, threads: 64 };
  const body = `${'fma.rn.f32 %f1, %f1, %f2, %f3;\n'.repeat(2000)}ret;`;
  const [four, one] = [0, 120_000].map((shared) => timeOf(body, { ...sizes, shared }));
  assert.deepEqual([four!.occupancy.ctasPerSm, one!.occupancy.ctasPerSm], [4, 1]);
  assert.ok(one!.microseconds > 3 * four!.microseconds);
});

test('a warp that waits at a barrier has come there once', () => {
  const work = 'fma.rn.f32 %f1, %f1, %f2, %f3;\n'.repeat(50);
  const body = `mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 32;
@%p1 bra $late;
bar.sync 0;
bar.sync 0;
ret;
$late:
${work}bar.sync 0;
${work}bar.sync 0;
ret;`;
  const { kernel, params } = timedProgram(
    kernelOf(body, { blocks: 1, threads: 128 }, []),
    MODELS.h200,
  );
  const { blocks, instructions } = kernel.timing!(params)!.trace!;
  const met = blocks[0]!.map(({ at }) => {
    return at.filter((number) => instructions[number]!.kind === 'barrier').length;
  });
  assert.deepEqual(met, [2, 2, 2, 2]);
});

test('lanes that are apart take more of the memory than lanes that are side by side', () => {
  const near = `${place(4)}\nld.global.f32 %f1, [%d2];\nst.global.f32 [%d3], %f1;\nret;`;
  const far = `${place(4, 32)}\nld.global.f32 %f1, [%d2];\nst.global.f32 [%d3], %f1;\nret;`;
  const size = 2048 * 256 * 4 * 32;
  const sizes = { blocks: 2048, threads: 256 };
  const [one, other] = [near, far].map((body) => timeOf(body, sizes, [size, size]).microseconds);
  assert.ok(other! > 3 * one!, `${one} and ${other}`);
});

test('atomic operations of blocks on the same word have no price', () => {
  const body = `ld.param.u64 %d2, [p0];
mov.u32 %r1, 1;
red.global.add.u32 [%d2], %r1;
ret;`;
  assert.throws(() => timeOf(body, { blocks: 1000, threads: 256 }, [4]), {
    name: 'NotTimedError',
    message: /atomic operations on words that other blocks or lanes change, too/,
  });
});

test('local memory, and accesses of no lane, take little', () => {
  const body = `mov.u32 %r1, %tid.x;
setp.gt.u32 %p1, %r1, 4096;
ld.param.u64 %d2, [p0];
st.local.u32 [spilled], %r1;
ld.local.u32 %r2, [spilled];
@%p1 st.global.u32 [%d2], %r2;
ret;`;
  const text = kernelText(`${REGISTERS} .local .align 4 .b8 spilled[4];`, body, '.param .u64 p0');
  const params = [{ kind: 'pointer', bytes: 4096 }];
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify({ grid: [1], block: [32], params }) },
  });
  const { microseconds } = simulate(kernel, { model: MODELS.h200, maxSpans: 0 }).device;
  assert.ok(microseconds > 0.8 && microseconds < 1.3, `${microseconds}`);
});

test('barriers of some warps let these go on alone', () => {
  // Warps 0 and 1 meet 64 times at their barrier, while the others do other work.
  const meet = 'bar.sync 1, 64;\n'.repeat(64);
  const work = 'fma.rn.f32 %f1, %f1, %f1, %f1;\n'.repeat(2048);
  const body = `mov.u32 %r1, %tid.x;
setp.ge.u32 %p1, %r1, 64;
@%p1 bra WORK;
${meet} ret;
WORK: ${work} ret;`;
  const together = timeOf(body, { blocks: 1, threads: 256 }).microseconds;
  const alone = timeOf(`${work} ret;`, { blocks: 1, threads: 192 }).microseconds;
  assert.ok(together < 1.1 * alone, `${together} and ${alone}`);
  const meeting = timeOf(`${meet} ret;`, { blocks: 1, threads: 64 }).microseconds;
  const none = timeOf('ret;', { blocks: 1, threads: 64 }).microseconds;
  assert.ok(meeting - none > (64 * 20) / 1980, `${meeting} and ${none}`);
});

test('a block that unknown data decides has no time, also in the middle of the grid', () => {
  const body = `mov.u32 %r1, %ctaid.x;
setp.lt.u32 %p1, %r1, 100;
@%p1 bra END;
ld.param.u64 %d2, [p0];
LOOP: ld.global.u32 %r2, [%d2];
add.u64 %d2, %d2, 4;
setp.ne.u32 %p2, %r2, 0;
@%p2 bra LOOP;
END: ret;`;
  assert.throws(() => timeOf(body, { blocks: 1000, threads: 32 }, [4096]), {
    name: 'NotTimedError',
    message: /unknown data decides which instructions its lanes execute/,
  });
});

test('no launch ends before its last block does, however short the others are', () => {
  const rounds = (last: number): string => `mov.u32 %r1, %ctaid.x;
setp.eq.u32 %p1, %r1, 131;
selp.u32 %r2, ${last}, 1, %p1;
LOOP:
${'fma.rn.f32 %f1, %f1, %f1, %f1;\n'.repeat(16)}sub.u32 %r2, %r2, 1;
setp.ne.u32 %p2, %r2, 0;
@%p2 bra LOOP;
ret;`;
  const sizes = { blocks: 132, threads: 32 };
  const alone = timeOf(rounds(500).replace('%ctaid.x', '131'), { ...sizes, blocks: 1 });
  assert.ok(timeOf(rounds(1), sizes).microseconds < alone.microseconds / 2);
  const longest = timeOf(rounds(500), sizes).microseconds;
  assert.ok(longest >= alone.microseconds * 0.99, `${longest} and ${alone.microseconds}`);
});
