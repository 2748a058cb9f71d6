// Speed and memory of runs of PTX kernels, on fixed work: a process for each.
//
//   node --conditions=poundlock-source bench/ptx-speed.mjs    writes a table of
//                                         bench/results/performance.md, medians of 3
//   ... bench/ptx-speed.mjs --run NAME    one of its kernels, or PTX,LAUNCH, once: for --cpu-prof
//
// Times are processor time of the process (user), which other load on the machine affects less than
// elapsed time. The run executes the kernel and turns it into roles; the check also proves them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';
import { writeSection } from './section.mjs';

/** A kernel of 256 threads with a loop: lines before it, and of a round. */
function textOf({ rounds, before, round }) {
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry loop(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<32>;
  .shared .align 16 .b8 tile[16384];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 4;
  mov.u32 %r3, tile;
  add.s32 %r4, %r3, %r2;
  mov.u32 %r5, 0;
${[1, 20, 21, 22, 23].map((each) => `  mov.f32 %f${each}, 0f00000000;`).join('\n')}
${before}
$again:
${round}
  add.s32 %r5, %r5, 1;
  setp.lt.s32 %p1, %r5, ${rounds};
  @%p1 bra $again;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.f32 [%rd4], %f20;
  ret;
}
`;
}

const LAUNCH = JSON.stringify({
  grid: [1, 1, 1],
  block: [256, 1, 1],
  params: [{ kind: 'pointer', bytes: 4096 }],
});

const ZERO = '  st.shared.v4.f32 [%r4], {0f00000000, 0f00000000, 0f00000000, 0f00000000};';
const SYNC = '  bar.sync 0;';
/** 16 bytes of the row of a round, and a multiplication with each of four floats. */
const LOADS = `  shl.b32 %r6, %r5, 4;
  and.b32 %r7, %r6, 4095;
  add.s32 %r8, %r3, %r7;
  ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r8];
  ld.shared.v4.f32 {%f5, %f6, %f7, %f8}, [%r4];
${[1, 2, 3, 4].map((each) => `  fma.rn.f32 %f${19 + each}, %f${each}, %f${each + 4}, %f${19 + each};`).join('\n')}`;
/** A number that the last round loaded, one more, in the other half of the tile. */
const STORES = `  and.b32 %r6, %r5, 1;
  shl.b32 %r7, %r6, 13;
  add.s32 %r8, %r4, %r7;
  st.shared.v4.f32 [%r8], {%f20, %f1, %f1, %f1};
  bar.sync 0;
  xor.b32 %r9, %r8, 16;
  ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r9];
  add.f32 %f20, %f20, %f1;
  bar.sync 0;`;

/** The kernels, with the instructions that a warp executes in a round. */
const LOOPS = {
  'loads, 4 floats at a time': {
    rounds: 15_600,
    before: `${ZERO}\n${SYNC}`,
    round: LOADS,
    size: 12,
  },
  'the same, longer': {
    rounds: 100_000,
    before: `${ZERO}\n${SYNC}`,
    round: LOADS,
    size: 12,
  },
  'stores between barriers': { rounds: 2000, before: ZERO, round: STORES, size: 12 },
};
const WARPS = 8;
const EXAMPLE = 'examples/ptx/pingpong';

function kernelOf(name) {
  const loop = LOOPS[name];
  if (loop !== undefined) return kernel(textOf(loop), LAUNCH);
  const [ptx, launch, params = {}] =
    name === EXAMPLE
      ? ['examples/ptx/ring.sm90a.ptx', `${EXAMPLE}.launch.json`, { tiles: 400, ks: 8 }]
      : name.split(',');
  return { ...kernel(readFileSync(ptx, 'utf8'), readFileSync(launch, 'utf8')), params };
}

function kernel(text, launch) {
  return {
    kernel: ptxKernel({ ptx: { file: 'k.ptx', text }, launch: { file: 'k.json', text: launch } }),
    params: {},
  };
}

/** Executes and checks one kernel. */
async function once(name) {
  const before = process.cpuUsage();
  const seconds = () => process.cpuUsage(before).user / 1e6;
  const { kernel, params } = kernelOf(name);
  kernel.reference({ ...kernel.defaults, ...params });
  const run = seconds();
  const { verdict } = await check(kernel, { params, sizes: 'requested' });
  const mb = process.resourceUsage().maxRSS / 1024;
  return { verdict, run, all: seconds(), mb };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The row of a kernel: medians of three processes. */
function row(name) {
  const runs = [1, 2, 3].map(() => {
    const argv = ['--conditions=poundlock-source', import.meta.filename, '--run', name];
    return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
  });
  const [run, all, mb] = ['run', 'all', 'mb'].map((key) => median(runs.map((one) => one[key])));
  const loop = LOOPS[name];
  const speed = loop === undefined ? '–' : (loop.rounds * loop.size * WARPS) / run / 1e6;
  const cells = [run, all, speed].map((each) => (each === '–' ? each : each.toFixed(2)));
  return `| ${[name, ...cells, Math.round(mb), runs[0].verdict].join(' | ')} |`;
}

const [flag, name] = process.argv.slice(2);
if (flag === '--run') console.log(JSON.stringify(await once(name)));
else {
  const head =
    '| kernel | run, s | with its check, s | million warp instructions/s | MB | verdict |';
  const rows = [...Object.keys(LOOPS), EXAMPLE].map(row);
  const table = [head, '|---|---|---|---|---|---|', ...rows].join('\n');
  console.log(table);
  writeSection('performance.md', 'bench/ptx-speed.mjs', table);
}
