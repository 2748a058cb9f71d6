// The instructions of operations on tensor memory.
import type { LitmusOp } from '@poundlock/fuzz/internal/memory';
import type { Scene } from './scene.ts';

/** Columns from one location to the next, and those that no location has. */
const COLUMNS = 32;
const SCRATCH = 480;
/** Where the address of what was allocated is held. */
const BASE = '%r7';
/** A product of 128 × 8 × 16, of which A is in tensor memory and B has 256 bytes. */
const SHAPE = (1 << 4) | ((8 / 8) << 17) | ((128 / 16) << 24);
const DESCRIPTOR = (8n << 16n) | (16n << 32n) | (1n << 46n);
const VALUES = '{%t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7}';

/** Whether the lanes of a warp make an operation together. */
export function isOfWarp({ k, f }: LitmusOp): boolean {
  return k === 'tld' || k === 'tst' || k === 'twait' || f === 'tca' || f === 'tcb';
}

/** Whether PTX can say what a program does with tensor memory. */
export function isPlaced({ program, ctas }: Scene): boolean {
  const all = Object.values(program.mem ?? {});
  if (!all.some(({ space }) => space === 'tm')) return true;
  return ctas === 1 && all.every(({ at }) => at === undefined);
}

export const ALLOCATE = `setp.ne.u32 %p3, %r5, 0; @%p3 bra ALLOCATED;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [columns], 512;
tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
ALLOCATED: tcgen05.fence::before_thread_sync;`;
export const ALLOCATED = `tcgen05.fence::after_thread_sync; ld.shared.u32 ${BASE}, [columns];`;
export const FREE = `tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
setp.ne.u32 %p3, %r5, 0; @%p3 bra FREED; ld.shared.u32 ${BASE}, [columns];
tcgen05.dealloc.cta_group::1.sync.aligned.b32 ${BASE}, 512; FREED:`;

/** The columns of a location, and the lanes that a warp may access there. */
function column(scene: Scene, name: string, warp = 0): number {
  return COLUMNS * scene.numberOf(name) + ((32 * (warp % 4)) << 16);
}

function at(register: string, offset: number): string {
  return `add.u32 ${register}, ${BASE}, ${offset};`;
}

export function load({ l }: LitmusOp, scene: Scene, warp: number): string {
  const where = at('%r1', column(scene, l!, warp));
  return `${where} tcgen05.ld.sync.aligned.32x32b.x8.b32 ${VALUES}, [%r1];`;
}

export function store({ l }: LitmusOp, scene: Scene, warp: number): string {
  const where = at('%r1', column(scene, l!, warp));
  return `${where} tcgen05.st.sync.aligned.32x32b.x8.b32 [%r1], ${VALUES};`;
}

export function wait({ w0 }: LitmusOp): string {
  return `tcgen05.wait::${w0!}.sync.aligned;`;
}

export function commit(barrier: string): string {
  return `mov.u32 %r1, ${barrier}; tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1];`;
}

/** A product: of what it reads B is in shared memory, and A in tensor memory unless it is D. */
export function product({ r, w }: LitmusOp, scene: Scene): string | null {
  const shared = r!.filter((name) => scene.isShared(name));
  const columns = r!.filter((name) => scene.isTensor(name) && name !== w![0]);
  if (w!.length !== 1 || shared.length > 1 || columns.length > 1) return null;
  const [b] = shared;
  const [a] = columns;
  const address =
    b === undefined
      ? `mov.u32 %r1, mem; add.u32 %r1, %r1, ${scene.bytes};`
      : scene.location('%r1', b, 0);
  return `${address} shr.u32 %r1, %r1, 4; cvt.u64.u32 %rd2, %r1; or.b64 %rd2, %rd2, ${DESCRIPTOR};
    ${at('%r1', column(scene, w![0]!))} ${at('%r2', a === undefined ? SCRATCH : column(scene, a))}
    mov.u32 %r3, ${SHAPE}; setp.${r!.includes(w![0]!) ? 'eq' : 'ne'}.u32 %p2, %r3, ${SHAPE};
    tcgen05.mma.cta_group::1.kind::f16 [%r1], [%r2], %rd2, %r3, %p2;`;
}
