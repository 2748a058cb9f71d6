// Two programs one after the other: each role does its part of the first, then of the second.
import { blocks, withBlocks } from './dull-program.ts';
import type { Body, DullProgram, Statement } from './dull-program.ts';

/** How far the numbers of the second program's declarations move. */
interface Offsets {
  readonly own: number;
  readonly buffers: number;
  readonly cells: number;
  readonly pools: number;
  readonly rings: number;
  readonly counts: number;
}

/** The programs in sequence. Only for programs that name rings' barriers by their handles alone. */
export function sequence(first: DullProgram, second: DullProgram): DullProgram {
  const offsets: Offsets = {
    own: first.barriers.length,
    buffers: first.buffers,
    cells: first.cells.length,
    pools: first.pools.length,
    rings: first.rings.length,
    counts: first.counts.length,
  };
  const moved = second.roles.map((role) => ({ ...role, body: shiftAll(role.body, offsets) }));
  const roles = Array.from({ length: Math.max(first.roles.length, moved.length) }, (_, at) => {
    const [a, b] = [first.roles[at], moved[at]];
    const { cta, lanes, spawned } = (a ?? b)!;
    return { cta, lanes, spawned, body: [...(a?.body ?? []), ...(b?.body ?? [])] };
  });
  const rings = second.rings.map((ring) => {
    return ring.copyOf === undefined ? ring : { ...ring, copyOf: ring.copyOf + offsets.rings };
  });
  return {
    barriers: [...first.barriers, ...second.barriers],
    buffers: first.buffers + second.buffers,
    cells: [...first.cells, ...second.cells],
    pools: [...first.pools, ...second.pools],
    rings: [...first.rings, ...rings],
    counts: [...first.counts, ...second.counts],
    roles,
  };
}

function shiftAll(body: Body, offsets: Offsets): Statement[] {
  return body.map((one) => {
    const moved = shift(one, offsets);
    return withBlocks(
      moved,
      blocks(one).map((block) => shiftAll(block, offsets)),
    );
  });
}

function shift(one: Statement, { own, buffers, cells, pools, rings, counts }: Offsets): Statement {
  const changed: Record<string, unknown> = { ...one };
  const add = (name: string, by: number) => {
    const value = changed[name];
    if (typeof value === 'number' && value >= 0) changed[name] = value + by;
    if (Array.isArray(value)) changed[name] = value.map((each: number) => each + by);
  };
  add('bar', own);
  for (const name of ['buffer', 'reads', 'writes']) add(name, buffers);
  if (one.do === 'asyncCopy' || one.do === 'issue') add('into', buffers);
  add('cell', cells);
  add('pool', pools);
  add('ring', rings);
  if (one.do === 'loop') add('count', counts);
  return changed as unknown as Statement;
}
