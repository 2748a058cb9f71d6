// The time of instructions between operations: chains, loads, spins that read a clock, wait loops.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assert as holds, integer, property } from 'fast-check';
import { Program } from '@poundlock/core/internal/program';
import { ptxKernel } from 'poundlock/ptx';
import { costsOf, MODELS, simulate, timedProgram } from '#src/simulate/index';
import { kernelText } from '../../../ptx/test/kernel-text.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const COSTS = costsOf(MODELS.h200);
const REGISTERS = '.reg .f32 %f<9>; .reg .u32 %r<9>; .reg .u64 %d<9>; .reg .pred %p<9>;';

function built(body: string, launch: object = {}, registers = REGISTERS) {
  const file = { grid: [1], block: [32], params: [], ...launch };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(registers, body) },
    launch: { file: 'launch.json', text: JSON.stringify(file) },
  });
}

function cyclesOf(body: string, launch: object = {}): number {
  return simulate(built(body, launch), { model: MODELS.h200, maxSpans: 0 }).totalCycles;
}

const behind = (body: string): string => `${body}\nbar.sync 0;\nret;`;

test('a chain takes the latency of each instruction, and independent ones their issue', () => {
  const none = cyclesOf(behind(''));
  const chain = cyclesOf(behind('fma.rn.f32 %f1, %f1, %f1, %f1;\n'.repeat(65)));
  assert.ok(Math.abs(chain - none - 64 * COSTS.aluCycles) < 3, `${chain - none}`);
  const apart = cyclesOf(behind('fma.rn.f32 %f1, %f2, %f2, %f2;\n'.repeat(64)));
  assert.ok(Math.abs(apart - none - 64) < 3, `${apart - none}`);
});

test('instructions have the latency of their class', () => {
  const chains = {
    'ex2.approx.ftz.f32 %f1, %f1;': COSTS.specialCycles,
    'div.rn.f32 %f1, %f1, %f2;': COSTS.divideCycles,
    'div.u32 %r1, %r1, %r2;': COSTS.integerDivideCycles,
    'shfl.sync.idx.b32 %r1, %r1, 0, 31, -1;': COSTS.shuffleCycles,
    'mov.u32 %r1, %r1;': 0,
  };
  for (const [text, latency] of Object.entries(chains)) {
    const before = cyclesOf(behind(text));
    const after = cyclesOf(behind(`${text}\n`.repeat(33)));
    assert.ok(Math.abs(after - before - 32 * latency) < 3, `${text} ${after - before}`);
  }
});

test('a spin takes the cycles that it waits for, in whole rounds', () => {
  const spin = (cycles: number): string =>
    behind(`mov.u32 %r1, %clock;
SPIN:
mov.u32 %r2, %clock;
sub.u32 %r3, %r2, %r1;
setp.lt.u32 %p1, %r3, ${cycles};
@%p1 bra SPIN;`);
  const none = cyclesOf(spin(0));
  const spins = integer({ min: 100, max: 20_000 });
  holds(
    property(spins, (cycles) => {
      const took = cyclesOf(spin(cycles)) - none;
      assert.ok(took > cycles - 70 && took < cycles + 40, `${cycles} took ${took}`);
    }),
    { numRuns: 30 },
  );
});

test('loads are moved up to the branch before them', () => {
  const text = `ld.shared.u32 %r1, [%r0];
ld.shared.u32 %r2, [%r0+4];
add.u32 %r3, %r1, %r2;`;
  const body = (loads: string): string => behind(`mov.u32 %r0, 1024;\n${loads}`);
  const took = cyclesOf(body(text), { dynamicSharedMemory: 4096 }) - cyclesOf(body(''));
  assert.ok(took > COSTS.sharedLoadCycles && took < COSTS.sharedLoadCycles + 15, `${took}`);
});

test('an arrival in another CTA holds a warp only where it is a release for the cluster', () => {
  const arrive = (release: string): number => {
    const body = `mov.u32 %r1, full;
mov.u32 %r2, %cluster_ctarank;
xor.b32 %r2, %r2, 1;
mapa.shared::cluster.u32 %r3, %r1, %r2;
mov.u32 %r4, %tid.x;
setp.ne.u32 %p1, %r4, 0;
@!%p1 mbarrier.init.shared.b64 [full], 8;
fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
@%p1 bra $end;
${`mbarrier.arrive${release}.shared::cluster.b64 _, [%r3];\n`.repeat(8)}$wait:
mbarrier.try_wait.parity.shared.b64 %p2, [full], 0;
@!%p2 bra $wait;
$end:
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
ret;`;
    const registers = `${REGISTERS} .shared .align 8 .b64 full;`;
    const launch = { grid: [2], cluster: [2] };
    return simulate(built(body, launch, registers), { model: MODELS.h200 }).totalCycles;
  };
  const held = arrive('.release.cluster') - arrive('');
  assert.ok(held >= 7 * COSTS.remoteHoldCycles, `${held}`);
});

test('the CTAs of the grid share the memory that the launch names', () => {
  const program = timedProgram(built(behind(''), { grid: [66, 2], source: 'hbm' }), MODELS.h200);
  const { ctas, source } = program.declarations.launch;
  assert.deepEqual([ctas, source], [132, 'hbm']);
  assert.throws(() => cyclesOf(behind(''), { source: 'disk' }), /'source' has to be "l2" or "hbm"/);
});

test('a wait is of the style of its loop', () => {
  const init = `mov.u32 %r0, 1024;
mov.u32 %r5, %tid.x;
setp.ne.u32 %p2, %r5, 0;
@%p2 bra WAIT;
mbarrier.init.shared.b64 [%r0], 1;
mbarrier.arrive.shared.b64 %d1, [%r0];
WAIT:
bar.sync 0;`;
  const attempt = 'mbarrier.try_wait.parity.shared.b64 %p1, [%r0], 0;\n';
  const unrolled = `LOOP:\n${`${attempt}@%p1 bra DONE;\n`.repeat(4)}bra LOOP;\nDONE:\nret;`;
  const plain = `LOOP:\n${attempt}@!%p1 bra LOOP;\nret;`;
  const lone = '@%p2 ret;\n';
  const styleOf = (body: string): string => {
    const kernel = built(`${init}\n${body}`, { dynamicSharedMemory: 4096 });
    return timedProgram(kernel, MODELS.h200).roles[0]!.waits;
  };
  assert.equal(styleOf(lone + unrolled), 'diverged');
  assert.equal(styleOf(lone + plain), 'lane');
  assert.equal(styleOf(plain), 'warp');
  assert.equal(styleOf(unrolled), 'warp');
});

test('a prediction says that it is an estimate, and how far off such ones were', () => {
  const text = readFileSync(join(ROOT, 'examples/ptx/tile-sum.sm90a.ptx'), 'utf8');
  const launch = readFileSync(join(ROOT, 'examples/ptx/launch.json'), 'utf8');
  const kernel = ptxKernel({
    ptx: { file: 'tile-sum.ptx', text },
    launch: { file: 'launch.json', text: launch },
  });
  const { device } = simulate(kernel, { model: MODELS.h100, maxSpans: 0 });
  const [error, ...notes] = device.accuracy;
  assert.match(error!, /^error on the nearest measured program read from PTX, \w+: ± [\d.]+ %/);
  assert.ok(notes.some((note) => note.includes('ptxas fuses, moves and deletes')));
  // The kernel that `check` sees has none of it.
  const kinds = Program.together(kernel).kernel.timing;
  assert.equal(kinds, undefined);
});

test('where the timed run is undecided, there is no number', () => {
  const kernel = built(behind('add.f32 %f1, %f1, %f1;'));
  const undecided = { ...kernel, timed: () => ({ ...kernel, timing: () => null }) };
  assert.throws(() => simulate(undecided, { model: MODELS.h200, maxSpans: 0 }), {
    name: 'NotTimedError',
    message: /^not timed: the instructions between the operations of this run have no prices$/,
  });
});

/** Why a kernel is not timed; empty where it is. */
function whyNot(body: string, launch: object = {}): string {
  try {
    cyclesOf(body, launch);
    return '';
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotTimedError') throw error;
    return error.message;
  }
}

test('a wait that would give up after very many tries is timed as one that does not', () => {
  const tries = 'mbarrier.try_wait.parity.shared.b64 %p1, [%r0], 0;\n@%p1 bra DONE;\n';
  const text = `mov.u32 %r0, 1024;
mov.u32 %r5, %tid.x;
setp.ne.u32 %p2, %r5, 0;
@%p2 bra WAIT;
mbarrier.init.shared.b64 [%r0], 1;
WAIT:
bar.sync 0;
setp.lt.u32 %p3, %r5, 32;
@%p3 bra LAST;
mov.u32 %r6, 0;
TRY:
mbarrier.try_wait.parity.shared.b64 %p1, [%r0], 0;
setp.gt.u32 %p4, %r6, 1000000;
or.pred %p5, %p1, %p4;
@%p5 bra DONE;
${tries}add.u32 %r6, %r6, 2;
bra TRY;
DONE:
st.shared.u32 [%r0+64], %r6;
ret;
LAST:
@!%p2 mbarrier.arrive.shared.b64 %d1, [%r0];
ret;`;
  assert.equal(whyNot(text, { block: [64], dynamicSharedMemory: 4096 }), '');
});

test('what a model has no price for has no number', () => {
  const params = [{ kind: 'pointer', bytes: 2 ** 20 }];
  const load = `ld.param.u64 %d1, [p];
ld.global.u32 %r1, [%d1];
mul.wide.u32 %d2, %r1, 4;
add.u64 %d2, %d1, %d2;
ld.global.u32 %r2, [%d2];`;
  const text = kernelText(REGISTERS, behind(load), '.param .u64 p');
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify({ grid: [1], block: [32], params }) },
  });
  assert.throws(() => simulate(kernel, { model: MODELS.h200 }), {
    name: 'NotTimedError',
    message: 'not timed: unknown data decides which places in global memory its threads access',
  });
});

test('kernels that wait for no asynchronous unit are timed by their warps', () => {
  const timed = (body: string, launch: object): string =>
    simulate(built(body, launch), { model: MODELS.h200, maxSpans: 0 }).device.timed;
  assert.equal(timed(behind(''), { grid: [1_000_000] }), 'warps');
  assert.equal(timed(behind('mov.u32 %r1, %clock;'), {}), 'roles');
});

test('roles of blocks that do other work than the first one have no time', () => {
  const rounds = (blocks: string): string => `mov.u32 %r0, 1024;
mov.u32 %r1, ${blocks};
mad.lo.u32 %r1, %r1, 20, 1;
mbarrier.init.shared.b64 [%r0], 32;
LOOP: sub.u32 %r1, %r1, 1;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra LOOP;
mbarrier.arrive.shared.b64 %d1, [%r0];
ret;`;
  const launch = { grid: [64], dynamicSharedMemory: 4096 };
  assert.equal(whyNot(rounds('1'), launch), '');
  const why = /^not timed: the first cluster issues [\d,]+ instructions and another one [\d,]+/;
  assert.match(whyNot(rounds('%ctaid.x'), launch), why);
});
