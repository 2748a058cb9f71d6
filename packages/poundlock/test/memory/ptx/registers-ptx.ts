// A litmus program about the register pool as the PTX of a kernel: each agent is a warpgroup.
import { ptxKernel } from 'poundlock/ptx';
import type { Kernel } from '@poundlock/core/internal/program';
import type { LitmusOp, LitmusProgram } from '@poundlock/fuzz/internal/memory';

const WARPGROUP = 128;

/** What a warpgroup does; its first thread arrives. */
function instructionOf({ k, n, b, ph }: LitmusOp, id: number): string {
  if (k === 'dec' || k === 'inc') return `setmaxnreg.${k}.sync.aligned.u32 ${n!};`;
  if (k === 'arr') return `@%p1 mbarrier.arrive.shared::cta.b64 _, [bar_${b!}];`;
  return `LOOP${id}: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar_${b!}], ${ph! & 1}; @!%p2 bra LOOP${id};`;
}

/** The kernel of a program about registers; `null` for other programs. */
export function registersPtx({ agents, bars = {} }: LitmusProgram): Kernel | null {
  const [registers] = agents.map(({ regs }) => regs);
  if (registers === undefined) return null;
  let id = 0;
  const bodies = agents.map(({ ops }, group) => {
    const lines = ops.map((op) => instructionOf(op, id++));
    return [`GROUP${group}:`, ...lines, 'bra END;'].join('\n');
  });
  const branches = agents.map((_, group) => {
    return `setp.eq.u32 %p2, %r1, ${group}; @%p2 bra GROUP${group};`;
  });
  const declared = Object.keys(bars).map((name) => `.shared .align 8 .b64 bar_${name};`);
  const inits = Object.entries(bars).map(([name, { n = 1 }]) => {
    return `@%p3 mbarrier.init.shared::cta.b64 [bar_${name}], ${n};`;
  });
  const text = `.version 9.0
.target sm_90a
.address_size 64
.visible .entry kernel()
{
.reg .b32 %r<4>; .reg .pred %p<4>;
${declared.join('\n')}
mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 7; and.b32 %r2, %r0, 127;
setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p3, %r0, 0;
${inits.join('\n')}
bar.sync 0;
${branches.join('\n')}
${bodies.join('\n')}
END: ret;
}
`;
  const launch = {
    grid: [1, 1, 1],
    block: [WARPGROUP * agents.length, 1, 1],
    registers,
    params: [],
  };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}
