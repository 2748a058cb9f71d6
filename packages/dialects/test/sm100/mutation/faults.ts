// Which faults an operation can have: it is left out, made twice, moved, or aimed or counted wrongly.
import { OpKind, type Op } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';

/** A fault of one operation. `later` moves it behind the next wait, `earlier` before its neighbor. */
export type Fault =
  | { readonly kind: 'drop'; readonly name: string; readonly ofDrain?: boolean }
  | { readonly kind: 'double' | 'later' | 'earlier'; readonly name: string }
  | { readonly kind: 'change'; readonly name: string; readonly change: (op: Op) => Op };

const DROP: Fault = { kind: 'drop', name: 'drop' };
const DROP_DRAIN: Fault = { kind: 'drop', name: 'drop the drain', ofDrain: true };
const DOUBLE: Fault = { kind: 'double', name: 'double' };
const LATER: Fault = { kind: 'later', name: 'move behind the next wait' };
const EARLIER: Fault = { kind: 'earlier', name: 'move before its neighbor' };

/** What is known of an operation that a role has made. */
export interface OpSite {
  readonly kind: OpKind;
  readonly arrivals: number;
  readonly lanes: number;
  readonly isDraining: boolean;
  readonly bytes: number;
  /** The CTA of its role. */
  readonly cta: number;
  readonly barriers: number;
  readonly ctas: number;
  /** Whether the operation before it was posted with it, and whether any wait comes after it. */
  readonly hasNeighbour: boolean;
  readonly hasWaitAfter: boolean;
}

/** The faults that make sense for an operation; reading and writing signal nothing. */
export function faultsOf(site: OpSite, program: Program): Fault[] {
  const moves = [...(site.hasWaitAfter ? [LATER] : []), ...(site.hasNeighbour ? [EARLIER] : [])];
  switch (site.kind) {
    case OpKind.arrive:
      return [DROP, DOUBLE, ...moves, ...counts(site), ...bytes(site), ...targets(program, site)];
    case OpKind.commit:
      return [DROP, DOUBLE, ...moves, ...targets(program, site)];
    case OpKind.asyncCopy:
      return [DROP, DOUBLE, ...moves, ...bytes(site), ...targets(program, site)];
    case OpKind.asyncUse:
      // Work that is left out orders nothing; work at the wrong time does.
      return moves;
    case OpKind.init:
      return [DROP, DOUBLE, ...counts(site)];
    case OpKind.step:
      return [DROP, DOUBLE];
    case OpKind.waitStage:
      return [site.isDraining ? DROP_DRAIN : DROP];
    case OpKind.syncNamed:
      return [DROP, DOUBLE];
    case OpKind.wait:
    case OpKind.waitGroup:
    case OpKind.syncCluster:
      return [DROP];
    case OpKind.arriveNamed:
    case OpKind.relinquish:
    case OpKind.free:
      return [DROP, DOUBLE, ...moves];
    case OpKind.store:
      return [DROP];
    default:
      return [];
  }
}

/** The arguments that faults change, of operations that have them. */
interface Changeable {
  readonly barrier: number;
  readonly ctas: readonly number[];
  readonly arrivals: number;
  readonly lanes: number;
  readonly bytes: number;
}

function change(name: string, make: (args: Changeable) => Partial<Changeable>): Fault {
  const changed = (op: Op): Op => {
    const args = { ...op.args, ...make(op.args as Changeable) };
    return { ...op, args, resolved: null } as Op;
  };
  return { kind: 'change', name, change: changed };
}

/** One arrival more, and half of them: of the lanes, where every lane arrives. */
function counts({ kind, arrivals, lanes }: OpSite): Fault[] {
  const field = kind === OpKind.arrive && lanes > 1 ? 'lanes' : 'arrivals';
  const now = field === 'lanes' ? lanes : arrivals;
  const half = change('half the arrivals', () => ({ [field]: Math.floor(now / 2) }));
  return [change('one arrival more', () => ({ [field]: now + 1 })), ...(now > 1 ? [half] : [])];
}

function bytes(site: OpSite): Fault[] {
  if (site.bytes === 0) return [];
  return [
    change('half the bytes', (op) => ({ bytes: op.bytes / 2 })),
    change('twice the bytes', (op) => ({ bytes: op.bytes * 2 })),
  ];
}

/** The barrier of the next stage, or the other one of the same stage; and another CTA. */
function targets(program: Program, site: OpSite): Fault[] {
  if (site.barriers === 0) return [];
  const { rings, barriers } = program.declarations;
  const other = (id: number): number => {
    for (const { full, empty, stages } of rings) {
      for (const [mine, yours] of [
        [full, empty],
        [empty, full],
      ] as const) {
        const stage = mine.indexOf(id);
        if (stage < 0) continue;
        return stages > 1 ? mine[(stage + 1) % stages]! : yours[stage]!;
      }
    }
    return (id + 1) % barriers.length;
  };
  const wrong = change('aim at another barrier', ({ barrier }) => ({ barrier: other(barrier) }));
  if (program.ctas === 1) return [wrong];
  const { ctas } = program;
  const elsewhere = change('aim at another CTA', (op) => {
    const from = op.ctas.length === 0 ? [site.cta] : op.ctas;
    return { ctas: from.map((cta) => (cta + 1) % ctas) };
  });
  const fewer = change('aim at one CTA', (op) => ({ ctas: op.ctas.slice(0, 1) }));
  return site.ctas > 1 ? [wrong, fewer] : [wrong, elsewhere];
}
