// Smaller programs that still show the same: without operations, barriers, fields and agents.
import type { LitmusOp, LitmusProgram } from '../litmus-program.ts';

type Shows = (program: LitmusProgram) => Promise<boolean>;

/** A smallest program that shows the same, as far as one step leads to another. */
export async function minimized(program: LitmusProgram, shows: Shows): Promise<LitmusProgram> {
  let best = program;
  for (let smaller: LitmusProgram | null = best; smaller !== null;) {
    best = smaller;
    smaller = await firstThat(smallerOnes(best), shows);
  }
  return best;
}

async function firstThat(
  programs: Iterable<LitmusProgram>,
  shows: Shows,
): Promise<LitmusProgram | null> {
  for (const one of programs) {
    const isSame = await shows(one).catch(() => false);
    if (isSame) return one;
  }
  return null;
}

/** Fields that an operation can be without. */
const OPTIONAL = ['sem', 'sc', 'read', 'map'] as const;

function* smallerOnes(program: LitmusProgram): Generator<LitmusProgram> {
  const { agents } = program;
  for (const [index, { ops }] of agents.entries()) {
    if (ops.length === 0 && agents.length > 1) {
      yield { ...program, agents: agents.toSpliced(index, 1) };
    }
    for (const [at, op] of ops.entries()) {
      yield withOps(program, (one, i) => (i === index ? one.toSpliced(at, 1) : one));
      const isOfSame = sameMeeting(op);
      if (isOfSame !== null)
        yield withOps(program, (one) => one.filter((other) => !isOfSame(other)));
      for (const field of OPTIONAL) {
        if (op[field] === undefined) continue;
        const without = { ...op, [field]: undefined };
        yield withOps(program, (one, i) => (i === index ? one.with(at, without) : one));
      }
    }
  }
}

type Change = (ops: readonly LitmusOp[], agent: number) => readonly LitmusOp[];

function withOps(program: LitmusProgram, change: Change): LitmusProgram {
  const agents = program.agents.map((agent, i) => ({ ...agent, ops: change(agent.ops, i) }));
  return { ...program, agents };
}

/** The operations that only make sense together: those of one barrier. */
function sameMeeting({ k, b, bid }: LitmusOp): ((op: LitmusOp) => boolean) | null {
  if (b !== undefined) return (op) => op.b === b;
  if (k === 'named' || k === 'narr') {
    return (op) => (op.k === 'named' || op.k === 'narr') && op.bid === bid;
  }
  if (k === 'clarr' || k === 'clwait') return (op) => op.k === 'clarr' || op.k === 'clwait';
  return null;
}
