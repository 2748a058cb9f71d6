// A litmus program as a kernel: the same operations in the words of poundlock.
import {
  arrive,
  arriveCluster,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  grid,
  init,
  kernel,
  launch,
  launchDependents,
  read,
  registers,
  role,
  setMaxRegisters,
  signalWhenDone,
  syncCluster,
  syncNamed,
  syncWarp,
  UNITS,
  wait,
  waitCluster,
  waitGrids,
  waitGroup,
  write,
  type Barrier,
  type Buffer,
  type By,
  type FenceKind,
  type Grid,
  type Kernel,
  type Op,
  type Role,
  type Unit,
} from '@poundlock/core';
import type { LitmusOp, LitmusProgram } from './litmus-program.ts';

/** Threads of an agent that is one warp. */
const WARP = 32;
/** Groups of single warps, which wgmma has not: what a rule about teams is compared with. */
const WARP_GROUPS = { name: 'wgmma of a warp', order: 'in-order' } as const;

/** What a thread waits for before its end, by the operations that begin it. */
const DRAINS: Readonly<Partial<Record<LitmusOp['k'], { unit: Unit; read?: boolean }>>> = {
  copy: { unit: UNITS.bulk, read: true },
  cpa: { unit: UNITS.cpAsync },
  tld: { unit: UNITS.tcgen05Ld },
  tst: { unit: UNITS.tcgen05St },
};

const SPACES = { tm: 'tmem', gl: 'global', reg: 'registers', map: 'tensormap' } as const;

const FENCES: Readonly<Record<string, FenceKind>> = {
  async: 'proxy.async',
  rel: 'release',
  acq: 'acquire',
  acqrel: 'acq_rel',
  init: 'mbarrier.init',
  tcb: 'tcgen05.before',
  tca: 'tcgen05.after',
  wgf: 'wgmma',
};

/** The kernel that performs what a litmus program says. */
export function litmusKernel(program: LitmusProgram): Kernel {
  return kernel(program.id, {}, () => new Scene(program).roles());
}

/** A litmus program that no kernel says. */
class NotExpressible extends Error {}

class Scene {
  readonly #program: LitmusProgram;
  readonly #buffers = new Map<string, Buffer>();
  readonly #barriers = new Map<string, Barrier>();
  readonly #grids: Grid[] = [];

  constructor(program: LitmusProgram) {
    this.#program = program;
    const { mem = {}, bars = {}, agents } = program;
    if (program.begin === true) launch({ begin: 'apart' });
    for (const [name, { space, at, bytes }] of Object.entries(mem)) {
      const place = {
        ...(space === undefined ? {} : { space: SPACES[space] }),
        ...(at === undefined ? {} : { at }),
        ...(bytes === undefined ? {} : { bytes }),
      };
      this.#buffers.set(name, buffer(name, place));
    }
    for (const [name, { n = 1 }] of Object.entries(bars)) {
      const isLate = agents.some(({ ops }) => ops.some(({ k, b }) => k === 'init' && b === name));
      this.#barriers.set(name, barrier(`bar ${name}`, { count: isLate ? 0 : n }));
    }
    const pools = agents.filter(({ regs }) => regs !== undefined);
    if (pools.length > 0) {
      const threads = pools.reduce((sum, agent) => sum + (agent.threads ?? 1), 0);
      registers({ perThread: pools[0]!.regs!, threads });
    }
    if (agents.some((agent) => agent.grid === 1)) {
      const primary = grid('primary');
      this.#grids.push(primary, grid('dependent', { after: primary }));
    }
  }

  roles(): Role[] {
    const { agents, multi = false } = this.#program;
    const ctas = this.#grids.length > 0 || multi ? 1 : this.#ctas();
    const meets = ctas > 1;
    const perform = (op: LitmusOp): Iterable<Op, void, number> => this.#perform(op);
    const drains = new Map(
      agents.map(({ n, ops }) => {
        const count = Math.max(1, lastOfEach(ops, (op) => op.k === 'mma').length);
        return [n, barrier(`drain of ${n}`, { count })];
      }),
    );
    const roles = agents.map(
      ({ n, ops, cta = 0, strands = 1, threads = WARP, grid: number = 0 }) => {
        const warps = strands > 1 ? strands : threads / WARP;
        // A grid has one CTA.
        const here = this.#grids.length > 0 ? 0 : cta;
        const ofGrid = this.#grids.length > 0 ? { grid: this.#grids[number]! } : { cta };
        // An aligned barrier is about the lanes of a warp.
        const hasLanes = ops.some(({ aligned }) => aligned === true);
        const size = hasLanes ? { strands: 'lanes' as const } : { warps };
        return role(`${n}`, { ...size, ...ofGrid }, function* () {
          // Strands are agents of their own, whatever they do (W01).
          if (strands > 1) {
            fence('tcgen05.before', { by: hasLanes ? { lane: 0 } : { warp: 0 } });
          }
          for (const op of ops) yield* perform({ ...op, strands, here } as LitmusOp);
          // Nothing goes on as a CTA ends, unless that is what the program is about.
          if (!multi) {
            for (const one of lastOfEach(ops, isOpen)) {
              const { unit, ...options } = DRAINS[one.k]!;
              yield* waitGroup(unit, 0, { ...options, ...byOf({ ...one, strands }) });
            }
          }
          // What another CTA reaches is there until all have ended.
          if (meets) {
            const issued = lastOfEach(ops, (op) => op.k === 'mma');
            for (const mma of issued) {
              commit(UNITS.tcgen05, drains.get(n)!, byOf({ ...mma, strands }));
            }
            if (issued.length > 0) yield* wait(drains.get(n)!, 0);
            yield* syncCluster();
          }
        });
      },
    );
    // Memory of a CTA that no agent is in: it is there for as long as the others are.
    for (let cta = 0; cta < (meets ? ctas : 0); cta++) {
      if (agents.some((agent) => (agent.cta ?? 0) === cta)) continue;
      const idle = role(`idle ${cta}`, { cta }, function* () {
        yield* syncCluster();
      });
      roles.push(idle);
    }
    return roles;
  }

  /** A barrier is in the CTA of those that wait for it: no other can. */
  #ctaOf(name: string): number {
    if (this.#grids.length > 0) return 0;
    const { agents, bars } = this.#program;
    const waiter = agents.find(({ ops }) => ops.some(({ k, b }) => k === 'wait' && b === name));
    return waiter === undefined ? (bars![name]!.cta ?? 0) : (waiter.cta ?? 0);
  }

  /** The CTAs that agents are in, or that memory and barriers are of. */
  #ctas(): number {
    const { agents, mem = {}, bars = {} } = this.#program;
    const all = [...agents, ...Object.values(mem), ...Object.values(bars)];
    return 1 + Math.max(...all.map(({ cta = 0 }) => cta));
  }

  *#perform(op: LitmusOp): Generator<Op, void, number> {
    const by = byOf(op);
    const order = {
      ...(op.sem === 'rlx' ? { sem: 'relaxed' as const } : {}),
      scope: op.sc ?? 'cta',
    } as const;
    switch (op.k) {
      case 'R':
        return read(this.#buffer(op.l!), { ...this.#place(op.l!, op), ...by });
      case 'W':
        return write(this.#buffer(op.l!), { ...this.#place(op.l!, op), ...by });
      case 'fence':
        return this.#fence(op, by);
      case 'arr': {
        const cta = this.#ctaOf(op.b!);
        const reach = cta === op.here ? {} : { cta };
        const bytes = op.tx ?? 0;
        const each = op.by === undefined && op.strands! > 1;
        if (!each) return arrive(this.#barrier(op.b!), { ...order, ...reach, ...by, bytes });
        for (let warp = 0; warp < op.strands!; warp++) {
          arrive(this.#barrier(op.b!), { ...order, ...reach, by: { warp }, bytes });
        }
        return;
      }
      case 'wait':
        return yield* wait(this.#barrier(op.b!), op.ph!, { ...order, ...by });
      case 'copy':
        return this.#copy(op, by);
      case 'mma':
        return this.#use(op, UNITS.tcgen05);
      case 'commit':
        return commit(UNITS.tcgen05, this.#barrier(op.b!), {
          ...this.#reach(op.b!, op.here!),
          ...by,
        });
      case 'wg':
        for (const each of this.#strandsOf(op)) {
          asyncUse(this.#groups(op), { ...this.#operands(op), group: true, ...each });
        }
        return;
      case 'wgwait':
        for (const each of this.#strandsOf(op)) yield* waitGroup(this.#groups(op), 0, each);
        return;
      case 'tld':
        return this.#use({ ...op, r: [op.l!] }, UNITS.tcgen05Ld);
      case 'tst':
        return this.#use({ ...op, w: [op.l!] }, UNITS.tcgen05St);
      case 'twait':
        return yield* waitGroup(op.w0 === 'ld' ? UNITS.tcgen05Ld : UNITS.tcgen05St, 0, by);
      case 'gwait':
        return yield* waitGroup(UNITS.bulk, op.n ?? 0, { read: op.read === true, ...by });
      case 'cpa':
        this.#requireHere(op.w!, op.here!);
        return asyncCopy(UNITS.cpAsync, {
          into: op.w!.map((name) => this.#buffer(name)),
          group: true,
          ...by,
        });
      case 'cpwait':
        return yield* waitGroup(UNITS.cpAsync, 0, by);
      case 'cparr':
        return signalWhenDone(UNITS.cpAsync, this.#barrier(op.b!), { noInc: true, ...by });
      case 'named':
        return yield* syncNamed(op.bid ?? 0, this.#threads(op), {
          ...by,
          ...(op.aligned === true ? { aligned: true } : {}),
        });
      case 'narr':
        return arriveNamed(op.bid ?? 0, this.#threads(op), by);
      case 'sw':
        return yield* syncWarp();
      case 'clarr':
        return arriveCluster(op.sem === 'rlx' ? { sem: 'relaxed' } : {});
      case 'clwait':
        return yield* waitCluster(op.sem === 'rlx' ? { sem: 'relaxed' } : {});
      case 'init':
        return init(this.#barrier(op.b!), op.n ?? 1);
      case 'dec':
      case 'inc':
        return yield* setMaxRegisters(op.k, op.n!);
      case 'trigger':
        return launchDependents();
      case 'gridwait':
        return yield* waitGrids();
    }
  }

  #fence(op: LitmusOp, by: { by?: By }): void {
    if (op.f === 'tmrel' || op.f === 'tmacq') {
      const direction = op.f === 'tmrel' ? 'release' : 'acquire';
      const map = op.l === undefined ? {} : { map: this.#buffer(op.l) };
      return fence('proxy.tensormap', { direction, ...map, ...by });
    }
    const isScoped = op.sc !== undefined && ['rel', 'acq', 'acqrel'].includes(op.f!);
    fence(FENCES[op.f!]!, { ...by, ...(isScoped ? { scope: op.sc } : {}) });
  }

  #copy(op: LitmusOp, by: { by?: By }): void {
    const into = (op.w ?? []).map((name) => this.#buffer(name));
    const reads = (op.r ?? []).map((name) => this.#buffer(name));
    const mapped = op.map === undefined ? {} : { map: this.#buffer(op.map) };
    if (op.g === true) {
      this.#requireHere(op.r!, op.here!);
      return asyncCopy(UNITS.bulk, { reads, into, group: true, ...mapped, ...by });
    }
    const cta = this.#home(op.w![0]!);
    if (op.b !== undefined) this.#requireHere(op.w!, this.#ctaOf(op.b));
    asyncCopy(UNITS.tma, {
      into,
      ...(op.b === undefined ? {} : { bar: this.#barrier(op.b) }),
      bytes: op.bytes ?? 0,
      ...mapped,
      ...(cta === op.here ? {} : { cta }),
      ...by,
    });
  }

  /** Copies read the memory of their own CTA, and signal where they write. */
  #requireHere(names: readonly string[], here: number): void {
    const far = names.find((name) => this.#home(name) !== here);
    if (far !== undefined) throw new NotExpressible(`${far} is in another CTA`);
  }

  /** The CTA of a barrier, where it is another one. */
  #reach(name: string, here: number): { cta?: number } {
    const cta = this.#ctaOf(name);
    return cta === here ? {} : { cta };
  }

  /** Work with operands in two CTAs is two pieces of work in order. */
  #use(op: LitmusOp, unit: Unit): void {
    const [r, w] = [op.r ?? [], op.w ?? []];
    const ctas = [...new Set([...r, ...w].map((name) => this.#home(name)))];
    for (const cta of ctas) {
      const isThere = (name: string): boolean => this.#home(name) === cta;
      const operands = this.#operands({ ...op, r: r.filter(isThere), w: w.filter(isThere) });
      asyncUse(unit, { ...operands, ...(cta === op.here ? {} : { cta }), ...byOf(op) });
    }
    if (ctas.length === 0) asyncUse(unit, byOf(op));
  }

  /** The CTA of a location. */
  #home(name: string): number {
    return this.#program.mem![name]!.cta ?? 0;
  }

  #operands({ r = [], w = [] }: LitmusOp) {
    return {
      reads: r.map((name) => this.#buffer(name)),
      writes: w.map((name) => this.#buffer(name)),
    };
  }

  /** A team's groups, unless the program says that they are those of a warp. */
  #groups(op: LitmusOp) {
    const isTeam = this.#program.agents.some(({ ops }) => ops.some(({ team }) => team === true));
    return op.strands! > 1 && !isTeam ? WARP_GROUPS : UNITS.wgmma;
  }

  /** Each strand by itself, where groups are those of warps. */
  #strandsOf(op: LitmusOp): { by?: By }[] {
    if (this.#groups(op) !== WARP_GROUPS) return [byOf(op)];
    return Array.from({ length: op.strands! }, (_, warp) => ({ by: { warp } }));
  }

  #threads({ threads, n }: LitmusOp): number {
    return threads ?? n! * WARP;
  }

  #place(name: string, { here }: LitmusOp): { cta?: number } {
    const { cta = 0, space } = this.#program.mem![name]!;
    return space !== undefined || cta === here || this.#grids.length > 0 ? {} : { cta };
  }

  #buffer(name: string): Buffer {
    return this.#buffers.get(name)!;
  }

  #barrier(name: string): Barrier {
    return this.#barriers.get(name)!;
  }
}

function byOf({ by, strands = 1, aligned }: LitmusOp): { by?: By } {
  if (by === undefined || by.length === strands) return {};
  return { by: aligned === true ? { lanes: by } : { warps: by } };
}

/** The last operations of each kind, and of each strand. */
function lastOfEach(
  ops: readonly LitmusOp[],
  isChosen: (op: LitmusOp) => boolean,
): readonly LitmusOp[] {
  return [...new Map(ops.filter(isChosen).map((op) => [`${op.k} ${op.by?.join()}`, op])).values()];
}

/** Whether an operation leaves something to wait for. */
function isOpen({ k, g }: LitmusOp): boolean {
  return k in DRAINS && (k !== 'copy' || g === true);
}
