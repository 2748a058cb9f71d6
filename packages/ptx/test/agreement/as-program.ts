// A protocol as a program of poundlock.
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  read,
  role,
  syncNamed,
  UNITS,
} from 'poundlock';
import { waitGroup, waitParity, write, type Kernel } from 'poundlock';
import { BYTES, type Protocol } from './protocol.ts';

/** The kernel whose roles are the warps. */
export function asProgram({ counts, buffers, warps }: Protocol): Kernel {
  return kernel('protocol', {}, () => {
    const barriers = counts.map((count, index) => barrier(`barrier${index}`, { count }));
    const memory = Array.from({ length: buffers }, (_, index) => buffer(`buffer${index}`));
    return warps.map((operations, index) =>
      role(`warp${index}`, { lanes: 32 }, function* () {
        for (const operation of operations) {
          switch (operation.op) {
            case 'wait':
              yield* waitParity(
                barriers[operation.barrier]!,
                operation.parity as 0 | 1,
                orderOf(operation),
              );
              break;
            case 'arrive':
              arrive(barriers[operation.barrier]!, orderOf(operation));
              break;
            case 'expect':
              arrive(barriers[operation.barrier]!, { bytes: operation.bytes });
              break;
            case 'copy':
              asyncCopy(UNITS.tma, {
                into: [memory[operation.buffer]!],
                bar: barriers[operation.barrier]!,
                bytes: BYTES,
              });
              break;
            case 'read':
              read(memory[operation.buffer]!);
              break;
            case 'write':
              write(memory[operation.buffer]!);
              break;
            case 'store':
              asyncCopy(UNITS.bulk, { reads: [memory[operation.buffer]!], group: true });
              break;
            case 'drain':
              yield* waitGroup(UNITS.bulk, 0, { read: true });
              break;
            case 'fence':
              fence('proxy.async');
              break;
            case 'sync':
              yield* syncNamed(operation.id, 32 * operation.warps);
          }
        }
      }),
    );
  });
}

/** As the instructions are: for the own CTA. */
function orderOf({ isRelaxed = false }: { readonly isRelaxed?: boolean }) {
  return isRelaxed ? ({ scope: 'cta', sem: 'relaxed' } as const) : ({ scope: 'cta' } as const);
}
