// A litmus program as the PTX of a kernel: each agent is a warp, whose first lane acts.
import { ptxKernel } from 'poundlock/ptx';
import type { Kernel } from '@poundlock/core/internal/program';
import type { LitmusAgent, LitmusOp, LitmusProgram } from '@poundlock/fuzz/internal/memory';
import { instructions } from './instructions.ts';
import { Scene, SLOT } from './scene.ts';
import * as tensor from './tensor-memory.ts';

/** Operations that a warp performs as one. */
const OF_WARPS: ReadonlySet<LitmusOp['k']> = new Set(['named', 'narr', 'clarr', 'clwait']);
const MEET_CLUSTER = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';

/** The kernel of a program; `null` for one that such a kernel cannot say. */
export function litmusPtx(program: LitmusProgram): Kernel | null {
  if (!isPlain(program)) return null;
  const scene = new Scene(program);
  if (!tensor.isPlaced(scene)) return null;
  const bodies = bodiesOf(scene);
  if (bodies === null) return null;
  const launch = {
    grid: [scene.ctas, 1, 1],
    cluster: [scene.ctas, 1, 1],
    block: [32 * scene.warps, 1, 1],
    params: [
      { kind: 'pointer', bytes: 4096 },
      { kind: 'pointer', bytes: 128, content: 'tensormap', boxBytes: 64 },
    ],
  };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: textOf(scene, bodies) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

/** Whether each agent is one warp of one grid, and no memory is registers or of tensors. */
function isPlain({ agents, mem = {}, multi, begin }: LitmusProgram): boolean {
  const isOdd = agents.some(({ strands = 1, grid = 0, regs, threads = 32 }) => {
    return strands > 1 || grid > 0 || regs !== undefined || threads !== 32;
  });
  const spaces = Object.values(mem).map(({ space }) => space);
  const isFar = spaces.some((space) => {
    return space !== undefined && space !== 'gl' && space !== 'map' && space !== 'tm';
  });
  return !isOdd && !isFar && multi !== true && begin !== true;
}

/** By agent, from a label to the end of its warp. */
function bodiesOf(scene: Scene): string[] | null {
  const { agents } = scene.program;
  const usesCluster = agents.some(({ ops }) => ops.some(({ k }) => k === 'clarr'));
  // All warps of a cluster meet at its barrier.
  if (usesCluster && agents.length < scene.ctas * scene.warps) return null;
  let id = 0;
  const bodies: string[] = [];
  for (let own = 0; own < scene.ctas; own++) {
    for (const [warp, agent] of scene.agentsOf(own).entries()) {
      const lines = [`${labelOf(own, warp)}:`];
      for (const op of agent.ops) {
        const text = instructions(op, { scene, own, warp, id: ++id });
        if (text === null) return null;
        const isWhole = OF_WARPS.has(op.k) || tensor.isOfWarp(op);
        // What a warp does with tensor memory, all of its lanes have to wait for.
        const isWait = op.k === 'wait' && scene.hasTensors;
        lines.push(isWhole || isWait ? text : `@%p1 bra SKIP${id}; ${text} SKIP${id}:`);
      }
      const name = drainOf(agent, warp);
      if (name !== null) lines.push(`@%p1 bra DRAIN${warp}; ${tensor.commit(name)} DRAIN${warp}:`);
      if (name !== null) lines.push(waitFor(name));
      bodies.push([...lines, ...drains(agent), 'bra END;'].join('\n'));
    }
  }
  return bodies;
}

function labelOf(cta: number, warp: number): string {
  return `AGENT${cta}_${warp}`;
}

/** The barrier that the last products of a warp arrive on; `null` if it makes none. */
function drainOf({ ops }: LitmusAgent, warp: number): string | null {
  return ops.some(({ k }) => k === 'mma') ? `drain_${warp}` : null;
}

function waitFor(barrier: string): string {
  const tried = `mbarrier.try_wait.parity.shared::cta.b64 %p2, [${barrier}], 0;`;
  return `WAIT_${barrier}: ${tried} @!%p2 bra WAIT_${barrier};`;
}

/** Nothing goes on as a CTA ends. */
function drains({ ops }: LitmusAgent): string[] {
  return [
    ...(ops.some(({ g }) => g === true) ? ['cp.async.bulk.wait_group.read 0;'] : []),
    ...(ops.some(({ k }) => k === 'cpa') ? ['cp.async.wait_group 0;'] : []),
  ];
}

/** What asynchronous work reads and no agent writes, a thread of each CTA writes before them. */
function filledBefore(scene: Scene): string[] {
  const lines = Array.from({ length: scene.ctas }, (_, rank) => {
    const stores = scene
      .unwrittenIn(rank)
      .map((offset) => `@%p0 st.shared.u32 [mem+${offset}], 1;`);
    return stores.length === 0 ? [] : [`setp.eq.u32 %p0, %r4, ${rank};`, ...stores];
  }).flat();
  if (scene.hasTensors) lines.push(`st.shared.u32 [mem+${scene.bytes}], 1;`);
  return lines.length === 0 ? [] : [...lines, 'fence.proxy.async;'];
}

function textOf(scene: Scene, bodies: readonly string[]): string {
  const { agents, bars = {} } = scene.program;
  const isLate = (name: string): boolean =>
    agents.some(({ ops }) => ops.some(({ k, b }) => k === 'init' && b === name));
  const inits = Object.entries(bars).flatMap(([name, { n = 1 }]) => {
    return isLate(name) ? [] : [`mbarrier.init.shared::cta.b64 [bar_${name}], ${n};`];
  });
  const drained = agents.flatMap((agent, warp) => drainOf(agent, warp) ?? []);
  inits.push(...drained.map((name) => `mbarrier.init.shared::cta.b64 [${name}], 1;`));
  const filled = filledBefore(scene);
  const branches = Array.from({ length: scene.ctas }, (_, cta) =>
    scene.agentsOf(cta).map((_agent, warp) => {
      const isIt = `setp.eq.u32 %p0, %r4, ${cta}; setp.eq.and.u32 %p0, %r5, ${warp}, %p0;`;
      return `${isIt} @%p0 bra ${labelOf(cta, warp)};`;
    }),
  ).flat();
  return `.version 9.3
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u64 p, .param .u64 map)
{
.reg .b32 %r<8>; .reg .b64 %rd<3>; .reg .pred %p<4>;
.reg .b32 %t<8>; .shared .align 4 .b32 columns;
.shared .align 128 .b8 mem[${scene.bytes + SLOT}];
${[...Object.keys(bars).map((name) => `bar_${name}`), ...drained]
  .map((name) => `.shared .align 8 .b64 ${name};`)
  .join('\n')}
ld.param.u64 %rd0, [p]; ld.param.u64 %rd1, [map]; mov.u32 %r0, %tid.x; mov.u32 %r4, %cluster_ctarank;
shr.u32 %r5, %r0, 5; and.b32 %r6, %r0, 31; setp.ne.u32 %p1, %r6, 0;
setp.ne.u32 %p3, %r0, 0; @%p3 bra READY;
${[...inits, ...filled].join('\n')}
fence.mbarrier_init.release.cluster;
READY: ${scene.hasTensors ? tensor.ALLOCATE : ''}
${scene.ctas > 1 ? MEET_CLUSTER : 'bar.sync 0;'}
${scene.hasTensors ? tensor.ALLOCATED : ''}
${branches.join('\n')}
bra END;
${bodies.join('\n')}
END: ${scene.ctas > 1 ? MEET_CLUSTER : ''} ${scene.hasTensors ? tensor.FREE : ''}
ret;
}
`;
}
