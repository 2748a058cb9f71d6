// Makes a program that shows a disagreement as small as it gets.
import { blocks, everyStatement, withBlocks } from './dull-program.ts';
import type { Body, DullProgram, Statement } from './dull-program.ts';

/** The most candidates that are tried; each is checked twice. */
const MAX_TRIES = 2_000;

/** Greedily removes and simplifies while `isBad` holds. */
export async function minimize(
  program: DullProgram,
  isBad: (candidate: DullProgram) => Promise<boolean>,
): Promise<DullProgram> {
  let best = program;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < MAX_TRIES;) {
    isSmaller = false;
    for (const candidate of smaller(best)) {
      if (tries++ >= MAX_TRIES) break;
      if (!(await isBad(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smaller(program: DullProgram): Generator<DullProgram> {
  const { roles } = program;
  for (const at of roles.keys()) {
    const left = roles.toSpliced(at, 1);
    // Without its last role, a CTA is not there to be reached.
    if (left.some((role) => role.cta === roles[at]!.cta)) yield { ...program, roles: left };
  }
  for (const [at, role] of roles.entries()) {
    const set = (changed: Partial<typeof role>) => ({
      ...program,
      roles: roles.with(at, { ...role, ...changed }),
    });
    if (role.lanes > 1) yield set({ lanes: 1 });
    for (const chosen of everyStatement(role.body)) {
      for (const replacement of [[], ...blocks(chosen), ...simpler(chosen).map((one) => [one])]) {
        yield set({ body: replaced(role.body, chosen, replacement) });
      }
    }
  }
  yield* withoutLast(program);
  for (const [at, total] of program.counts.entries()) {
    if (total > 0) yield { ...program, counts: program.counts.with(at, total - 1) };
  }
  for (const [at, ring] of program.rings.entries()) {
    const set = (changed: Partial<typeof ring>) => ({
      ...program,
      rings: program.rings.with(at, { ...ring, ...changed }),
    });
    if (ring.producers > 1) yield set({ producers: 1 });
    if (ring.consumers > 1) yield set({ consumers: 1 });
  }
}

/** Without the last of what is declared: what still names it is no program. */
function* withoutLast(program: DullProgram): Generator<DullProgram> {
  const { barriers, buffers, cells, pools, rings, counts } = program;
  if (rings.length > 0) yield { ...program, rings: rings.slice(0, -1) };
  // The barriers of rings have the numbers behind these.
  else if (barriers.length > 0) yield { ...program, barriers: barriers.slice(0, -1) };
  if (buffers > 0) yield { ...program, buffers: buffers - 1 };
  if (cells.length > 0) yield { ...program, cells: cells.slice(0, -1) };
  if (pools.length > 0) yield { ...program, pools: pools.slice(0, -1) };
  if (counts.length > 0) yield { ...program, counts: counts.slice(0, -1) };
  for (const [at, { stages }] of rings.entries()) {
    const fewer = { ...rings[at]!, stages: stages - 1 };
    if (stages > 1) yield { ...program, rings: rings.with(at, fewer) };
  }
}

function replaced(body: Body, chosen: Statement, replacement: Body): Body {
  return body.flatMap((one) =>
    one === chosen
      ? replacement
      : [
          withBlocks(
            one,
            blocks(one).map((b) => replaced(b, chosen, replacement)),
          ),
        ],
  );
}

/** The statement with one field nearer to nothing. */
function simpler(statement: Statement): Statement[] {
  return Object.entries(statement).flatMap(([name, value]: [string, unknown]) => {
    const set = (next: unknown) => ({ ...statement, [name]: next }) as Statement;
    if (name === 'times' && (value as number) > 1) return [set((value as number) - 1)];
    if (name === 'bytes' && value !== 0) return [set(0)];
    if (name === 'count' && statement.do === 'arrive' && value !== 1) return [set(1)];
    if (name === 'everyLane' && value === true) return [set(false)];
    if ((name === 'ctas' || name === 'carry') && value !== undefined) return [set(undefined)];
    const isList = name === 'into' || name === 'reads' || name === 'writes';
    return isList && (value as []).length > 0 ? [set([])] : [];
  });
}
