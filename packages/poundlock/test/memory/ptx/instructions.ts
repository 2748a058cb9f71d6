// The instructions of each operation of a litmus program.
import type { LitmusOp } from '@poundlock/fuzz/internal/memory';
import { SLOT, type Scene } from './scene.ts';
import * as tensor from './tensor-memory.ts';

/** Bytes that a copy reads or writes unless it says how many. */
const BYTES = 64;

/** Where an operation is made: by which warp, and which number it has. */
interface Where {
  readonly scene: Scene;
  /** The CTA of its warp, and the warp's number there. */
  readonly own: number;
  readonly warp: number;
  /** A number that no other operation has. */
  readonly id: number;
}

type Words = (op: LitmusOp, where: Where) => string | null;

/** The address of a tensor map: a parameter of the kernel points to it. */
const MAP = '%rd1';
const ACQUIRE = `fence.proxy.tensormap::generic.acquire.gpu [${MAP}], 128;`;

const FENCES: Readonly<Record<string, (scope: string) => string>> = {
  tmrel: () => 'fence.proxy.tensormap::generic.release.gpu;',
  tmacq: () => ACQUIRE,
  async: () => 'fence.proxy.async;',
  rel: (scope) => `fence.acq_rel.${scope};`,
  acq: (scope) => `fence.acq_rel.${scope};`,
  acqrel: (scope) => `fence.acq_rel.${scope};`,
  init: () => 'fence.mbarrier_init.release.cluster;',
  tca: () => 'tcgen05.fence::after_thread_sync;',
  tcb: () => 'tcgen05.fence::before_thread_sync;',
};

/** What such a kernel does not say. */
const none: Words = () => null;

const WORDS: Readonly<Record<LitmusOp['k'], Words>> = {
  R: (op, where) => access(op, where, (space) => `ld.${space}.u32 %r2, [%r1];`),
  // No two stores are of the same value, which would be no race.
  W: (op, where) => access(op, where, (space) => `st.${space}.u32 [%r1], ${1000 + where.id};`),
  fence: ({ f, sc = 'cta' }) => FENCES[f!]?.(sc) ?? null,
  arr: ({ b, tx, sem, sc = 'cta' }, { scene, own }) => {
    const space = spaceOf(scene.ctaOf(b!), own);
    const [expect, bytes] = tx === undefined ? ['', ''] : ['.expect_tx', `, ${tx}`];
    const order = `${sem === 'rlx' ? 'relaxed' : 'release'}.${sc}`;
    return `${scene.barrier('%r1', b!, own)} mbarrier.arrive${expect}.${order}.${space}.b64 _, [%r1]${bytes};`;
  },
  wait: ({ b, ph, sem, sc = 'cta' }, { scene, own, id }) => {
    if (scene.ctaOf(b!) !== own) return null;
    const order = `${sem === 'rlx' ? 'relaxed' : 'acquire'}.${sc}`;
    const tried = `mbarrier.try_wait.parity.${order}.shared::cta.b64 %p2, [bar_${b!}], ${ph! & 1};`;
    return `LOOP${id}: ${tried} @!%p2 bra LOOP${id};`;
  },
  copy: (op, where) => (op.g === true ? store(op, where) : load(op, where)),
  gwait: ({ n = 0, read }) => `cp.async.bulk.wait_group${read === true ? '.read' : ''} ${n};`,
  cpa: ({ w }, { scene, own }) => {
    if (w!.some((name) => scene.homeOf(name) !== own)) return null;
    const each = w!.map((name) => {
      return `${scene.location('%r1', name, own)} cp.async.ca.shared.global [%r1], [%rd0], 16;`;
    });
    return [...each, 'cp.async.commit_group;'].join(' ');
  },
  cpwait: () => 'cp.async.wait_group 0;',
  cparr: ({ b }, { scene, own }) => {
    if (scene.ctaOf(b!) !== own) return null;
    return `cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar_${b!}];`;
  },
  named: (op) => meeting('sync', op),
  narr: (op) => meeting('arrive', op),
  clarr: ({ sem }) => `barrier.cluster.arrive${sem === 'rlx' ? '.relaxed' : ''}.aligned;`,
  clwait: ({ sem }) => (sem === 'rlx' ? null : 'barrier.cluster.wait.aligned;'),
  init: ({ b, n = 1 }) => `mbarrier.init.shared::cta.b64 [bar_${b!}], ${n};`,
  mma: (op, { scene }) => tensor.product(op, scene),
  commit: ({ b }) => tensor.commit(`bar_${b!}`),
  wg: none,
  wgwait: none,
  tld: (op, { scene, warp }) => tensor.load(op, scene, warp),
  tst: (op, { scene, warp }) => tensor.store(op, scene, warp),
  twait: (op) => tensor.wait(op),
  sw: none,
  dec: none,
  inc: none,
  trigger: none,
  gridwait: none,
};

/** The instructions of an operation; `null` if there are none. */
export function instructions(op: LitmusOp, where: Where): string | null {
  return WORDS[op.k](op, where);
}

function spaceOf(to: number, own: number): string {
  return to === own ? 'shared::cta' : 'shared::cluster';
}

function access({ k, l }: LitmusOp, { scene, own }: Where, text: (space: string) => string) {
  if (scene.isMap(l!) && k === 'W')
    return `tensormap.replace.tile.global_address.global.b1024.b64 [${MAP}], %rd0;`;
  if (!scene.isShared(l!)) return null;
  return `${scene.location('%r1', l!, own)} ${text(spaceOf(scene.homeOf(l!), own))}`;
}

function store({ r, w, map }: LitmusOp, { scene, own }: Where): string | null {
  if (r!.some((name) => scene.homeOf(name) !== own)) return null;
  const place = BYTES * Math.max(0, scene.numberOf(w![0]!));
  const copy =
    map === undefined
      ? `cp.async.bulk.global.shared::cta.bulk_group [%rd0+${place}], [%r1], ${BYTES};`
      : `mov.b32 %r2, 0; cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [${MAP}, {%r2}], [%r1];`;
  const each = r!.map((name) => `${scene.location('%r1', name, own)} ${copy}`);
  return [...each, 'cp.async.bulk.commit_group;'].join(' ');
}

/** A copy signals a barrier of the CTA that it writes. */
function load({ w, b, bytes = BYTES, map }: LitmusOp, { scene, own }: Where): string | null {
  const [name] = w!;
  if (b === undefined || w!.length !== 1 || bytes > SLOT) return null;
  if (scene.homeOf(name!) !== scene.ctaOf(b)) return null;
  if (map !== undefined)
    return (
      `${scene.location('%r1', name!, own)} ${scene.barrier('%r3', b, own)} mov.b32 %r2, 0; ` +
      'cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes ' +
      `[%r1], [${MAP}, {%r2}], [%r3];`
    );
  return (
    `${scene.location('%r1', name!, own)} ${scene.barrier('%r3', b, own)} ` +
    'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ' +
    `[%r1], [%rd0], ${bytes}, [%r3];`
  );
}

function meeting(kind: 'sync' | 'arrive', { bid = 0, n, threads, by }: LitmusOp): string | null {
  if (threads !== undefined || by !== undefined) return null;
  return `barrier.cta.${kind} ${1 + bid}, ${32 * n!};`;
}
