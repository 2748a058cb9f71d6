// Kernels of two warps in which the first one decides something that its launch does not say.
import { check, type CheckOptions } from 'poundlock/check';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .pred %p<16>;
  .local .align 8 .b8 own[16];
  .shared .align 8 .b64 bar; .shared .align 16 .b8 tile[256]; .shared .align 4 .b32 word;`;

const BEGIN = `ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31; mov.u32 %r4, tile; mov.u32 %r5, bar;
  setp.ge.u32 %p1, %r1, 32; setp.ne.u32 %p2, %r3, 0; setp.ne.u32 %p3, %r1, 0;`;

/** What warp 1 does: it waits for the phase that warp 0 completes. */
const WAIT = 'WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [%r5], 0; @!%p4 bra WAIT;';
/** An arrival of all lanes: the phase has 32. */
export const ARRIVE = 'mbarrier.arrive.shared.b64 _, [%r5];';

/** A pointer of the launch file. */
export type Pointer = Readonly<Record<string, unknown>>;

/** The text of a kernel: warp 0 executes one part, warp 1 the other one. */
export function twoWarps(first: string, second = WAIT): string {
  const body = `${BEGIN} @!%p3 mbarrier.init.shared.b64 [%r5], 32; bar.sync 0; @%p1 bra SECOND;
    ${first} bra.uni END; SECOND: ${second} END: ret;`;
  return kernelText(DECLARATIONS, body, '.param .u64 in, .param .u64 out');
}

/** Checks a text with a launch of one block. */
export function checkText(
  text: string,
  pointers: readonly [Pointer, Pointer] = [{}, {}],
  options: CheckOptions = {},
): Promise<CheckResult> {
  const params = pointers.map((pointer, index) => {
    const name = ['in', 'out'][index];
    const bytes = typeof pointer['alias'] === 'string' ? {} : { bytes: 65_536 };
    return { kind: 'pointer', name, ...bytes, ...pointer };
  });
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return check(kernel, options);
}

/** Its verdict, the rule of its first error, or why there is none. */
export async function verdictOf(
  first: string,
  pointers: readonly [Pointer, Pointer] = [{}, {}],
  options: CheckOptions = {},
): Promise<string> {
  const result = await checkText(twoWarps(first), pointers, options);
  const { verdict, findings, reason, scope } = result;
  const names = scope.assumptions.map(({ name }) => name).filter((name) => !name.startsWith('H'));
  return [verdict, findings[0]?.rule ?? reason ?? names.join()].join(' ').trim();
}
