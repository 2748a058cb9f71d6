// A protocol as the PTX of a kernel: the first lane of each warp performs its operations.
import { ptxKernel } from '#src/kernel/kernel';
import type { Kernel } from '@poundlock/core/internal/program';
import { kernelText } from '../kernel-text.ts';
import { BYTES, type Operation, type Protocol } from './protocol.ts';

/** More than the operations of a warp. */
const OPERATIONS = 1_000;
const REGISTERS = '.reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p<3>;';

/** The kernel with its launch. */
export function asPtx(protocol: Protocol): Kernel {
  const launch = {
    grid: [1, 1, 1],
    block: [32 * protocol.warps.length, 1, 1],
    params: [{ kind: 'pointer', bytes: BYTES * (1 + OPERATIONS * protocol.warps.length) }],
  };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: textOf(protocol) },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

function textOf({ counts, buffers, warps }: Protocol): string {
  const memory = [
    ...counts.map((_, index) => `.shared .align 8 .b64 barrier${index};`),
    ...Array.from(
      { length: buffers },
      (_, index) => `.shared .align 128 .b8 buffer${index}[${BYTES}];`,
    ),
  ];
  const inits = counts.map(
    (count, index) => `mbarrier.init.shared::cta.b64 [barrier${index}], ${count};`,
  );
  const branches = warps.map((_, index) => {
    return `setp.eq.u32 %p0, %r0, ${32 * index}; @%p0 bra WARP${index};`;
  });
  const bodies = warps.map((operations, index) => {
    const lines = operations.map((operation, at) =>
      instructions(operation, index * OPERATIONS + at),
    );
    return [`WARP${index}:`, ...lines, 'ret;'].join('\n');
  });
  return kernelText(
    [REGISTERS, ...memory].join('\n'),
    [
      'ld.param.u64 %rd0, [p]; mov.u32 %r0, %tid.x; setp.ne.u32 %p1, %r0, 0; @%p1 bra READY;',
      ...inits,
      'READY: bar.sync 0;',
      ...branches,
      'ret;',
      ...bodies,
    ].join('\n'),
    '.param .u64 p',
  );
}

/** `id` is a number that no other operation has. */
function instructions(operation: Operation, id: number): string {
  switch (operation.op) {
    case 'wait':
      return (
        `LOOP${id}: mbarrier.try_wait.parity${orderOf(operation)}.shared::cta.b64 %p2, ` +
        `[barrier${operation.barrier}], ` +
        `${operation.parity}; @!%p2 bra LOOP${id};`
      );
    case 'arrive':
      return `mbarrier.arrive${orderOf(operation)}.shared::cta.b64 _, [barrier${operation.barrier}];`;
    case 'expect':
      return (
        `mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier${operation.barrier}], ` +
        `${operation.bytes};`
      );
    case 'copy':
      return (
        'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ' +
        `[buffer${operation.buffer}], [%rd0], ${BYTES}, [barrier${operation.barrier}];`
      );
    case 'read':
      return `ld.shared.u32 %r1, [buffer${operation.buffer}];`;
    case 'write':
      // No two stores are of the same value, which would be no race.
      return `st.shared.u32 [buffer${operation.buffer}], ${id + 1};`;
    case 'store':
      // Each has a place of its own behind what is copied in.
      return (
        'cp.async.bulk.global.shared::cta.bulk_group ' +
        `[%rd0+${BYTES * (1 + id)}], [buffer${operation.buffer}], ${BYTES}; cp.async.bulk.commit_group;`
      );
    case 'drain':
      return 'cp.async.bulk.wait_group.read 0;';
    case 'fence':
      return 'fence.proxy.async.shared::cta;';
    case 'sync':
      return `bar.sync ${operation.id}, ${32 * operation.warps};`;
  }
}

function orderOf({ isRelaxed = false }: { readonly isRelaxed?: boolean }): string {
  return isRelaxed ? '.relaxed.cta' : '';
}
