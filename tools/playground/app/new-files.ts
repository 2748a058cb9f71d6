// What a new program and new PTX begin with.
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';

/** A producer and a consumer over a ring. */
export const NEW_PROGRAM: readonly SharedFile[] = [
  {
    name: 'kernel.ts',
    text: `import { count, kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('mine', { stages: 2, tiles: 8 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });
  const items = count(tiles);

  const load = role('load', function* () {
    while (yield* items.more()) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
  });

  const compute = role('compute', function* () {
    while (yield* items.more()) {
      using tile = yield* ab.consume();
      mma.issue(tile, [], { cycles: 128 });
      yield* mma.waitGroup(0);
    }
  });

  return [load, compute];
});
`,
  },
];

/** Two warps: one arrives at a barrier in shared memory, one waits for it. */
export const NEW_PTX: readonly SharedFile[] = [
  {
    name: 'kernel.ptx',
    text: `.version 8.0
.target sm_90a
.address_size 64

// Paste the PTX of your kernel here: nvcc -ptx -lineinfo -arch=sm_90a kernel.cu
.visible .entry mine()
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  .shared .align 8 .b64 full;

  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  mov.u32 %r2, full;
  @%p1 bra READY;
  mbarrier.init.shared.b64 [%r2], 32;
READY:
  bar.sync 0;
  setp.lt.u32 %p2, %r1, 32;
  @%p2 bra WAIT;
  mbarrier.arrive.shared.b64 %rd1, [%r2];
  bra DONE;
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
  @!%p1 bra WAIT;
DONE:
  ret;
}
`,
  },
  {
    name: 'launch.json',
    text: `{ "kernel": "mine", "grid": [1], "block": [64], "params": [] }\n`,
  },
];
