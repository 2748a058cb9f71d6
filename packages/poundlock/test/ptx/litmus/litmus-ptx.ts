// A litmus program as the PTX of a kernel: each agent is a warp, whose first lane acts.
import { ptxKernel } from '#src/ptx/kernel';
import type { Kernel } from '@poundlock/core/internal/program';
import type { LitmusAgent, LitmusOp, LitmusProgram } from '@poundlock/fuzz/internal/memory';
import { instructions } from './instructions.ts';
import { Scene } from './scene.ts';

/** Operations that a warp performs as one. */
const OF_WARPS: ReadonlySet<LitmusOp['k']> = new Set(['named', 'narr', 'clarr', 'clwait']);
const MEET_CLUSTER = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';

/** The kernel of a program; `null` for one that such a kernel cannot say. */
export function litmusPtx(program: LitmusProgram): Kernel | null {
  if (!isPlain(program)) return null;
  const scene = new Scene(program);
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
    return space !== undefined && space !== 'gl' && space !== 'map';
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
        const text = instructions(op, { scene, own, id: ++id });
        if (text === null) return null;
        lines.push(OF_WARPS.has(op.k) ? text : `@%p1 bra SKIP${id}; ${text} SKIP${id}:`);
      }
      bodies.push([...lines, ...drains(agent), 'bra END;'].join('\n'));
    }
  }
  return bodies;
}

function labelOf(cta: number, warp: number): string {
  return `AGENT${cta}_${warp}`;
}

/** Nothing goes on as a CTA ends. */
function drains({ ops }: LitmusAgent): string[] {
  return [
    ...(ops.some(({ g }) => g === true) ? ['cp.async.bulk.wait_group.read 0;'] : []),
    ...(ops.some(({ k }) => k === 'cpa') ? ['cp.async.wait_group 0;'] : []),
  ];
}

function textOf(scene: Scene, bodies: readonly string[]): string {
  const { agents, bars = {} } = scene.program;
  const isLate = (name: string): boolean =>
    agents.some(({ ops }) => ops.some(({ k, b }) => k === 'init' && b === name));
  const inits = Object.entries(bars).flatMap(([name, { n = 1 }]) => {
    return isLate(name) ? [] : [`mbarrier.init.shared::cta.b64 [bar_${name}], ${n};`];
  });
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
.shared .align 128 .b8 mem[${scene.bytes}];
${Object.keys(bars)
  .map((name) => `.shared .align 8 .b64 bar_${name};`)
  .join('\n')}
ld.param.u64 %rd0, [p]; ld.param.u64 %rd1, [map]; mov.u32 %r0, %tid.x; mov.u32 %r4, %cluster_ctarank;
shr.u32 %r5, %r0, 5; and.b32 %r6, %r0, 31; setp.ne.u32 %p1, %r6, 0;
setp.ne.u32 %p3, %r0, 0; @%p3 bra READY;
${inits.join('\n')}
fence.mbarrier_init.release.cluster;
READY: ${scene.ctas > 1 ? MEET_CLUSTER : 'bar.sync 0;'}
${branches.join('\n')}
bra END;
${bodies.join('\n')}
END: ${scene.ctas > 1 ? MEET_CLUSTER : ''}
ret;
}
`;
}
