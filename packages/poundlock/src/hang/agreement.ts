// Whether a state of the model is the state that a GPU was stopped in: warp by warp, word by word.
import type { BarrierState } from '@poundlock/core/internal/finding';
import type { ModelState, ModelWait, RoleState } from './model-state.ts';
import type { HangTable, TableBarrier, TableRow } from './rows.ts';
import type { StoppedBlock, Triple } from './stopped.ts';

/** How many of what a dump has stand as in a state of the model. */
export interface Agreement {
  readonly warps: { readonly agree: number; readonly total: number };
  readonly barriers: { readonly agree: number; readonly total: number };
  /** What differs, a sentence each. */
  readonly differences: readonly string[];
}

/** Whether all that is known agrees. */
export function isFull({ differences, warps }: Agreement): boolean {
  return differences.length === 0 && warps.total > 0;
}

/** How much agrees. */
export function agreeing({ warps, barriers }: Agreement): number {
  return warps.agree + barriers.agree;
}

/** Collects what agrees and what does not. */
class Comparison {
  readonly differences: string[] = [];
  readonly warps = { agree: 0, total: 0 };
  readonly barriers = { agree: 0, total: 0 };

  count(of: 'warps' | 'barriers', difference: string | null): void {
    this[of].total++;
    if (difference === null) this[of].agree++;
    else this.differences.push(difference);
  }
}

/** What is compared: the blocks of the dump that differ from one another, and those that ended. */
export interface ComparedBlocks {
  readonly table: HangTable;
  /** Whether two lines of the PTX are of one loop that polls a word. */
  readonly areOfOnePoll: (one: number, other: number) => boolean;
  readonly blocks: readonly StoppedBlock[];
}

/** Compares what was stopped with a state of the model. */
export function compareState(compared: ComparedBlocks, model: ModelState): Agreement {
  const { table, blocks } = compared;
  const comparison = new Comparison();
  const seen = new Set<string>();
  const present = new Set<number>();
  for (const block of blocks) {
    const cta = modelBlock(block, model.ctas);
    present.add(cta);
    const rows = table.rows.filter(({ cta: at }) => isSame(at, block.block));
    const barriers = table.barriers.filter(({ cta: at }) => isSame(at, block.block));
    const key = `${cta} ${blockKey(rows, barriers)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    compareWarps(comparison, rows, model, cta, compared);
    compareBarriers(comparison, barriers, model, cta);
  }
  for (let cta = 0; cta < model.ctas; cta++)
    if (!present.has(cta) && isOfWholeGrid(blocks, model.ctas))
      compareWarps(comparison, [], model, cta, compared);
  const { warps, barriers, differences } = comparison;
  return { warps, barriers, differences };
}

function isSame(a: Triple, b: Triple): boolean {
  return a.every((each, axis) => each === b[axis]);
}

function volume([x, y, z]: Triple): number {
  return x * y * z;
}

/** Whether the model has all blocks of the grid, and not those of a cluster alone. */
function isOfWholeGrid(blocks: readonly StoppedBlock[], ctas: number): boolean {
  return blocks.some(({ grid }) => volume(grid.grid) === ctas);
}

/** The block of the model that a block stands for. */
function modelBlock({ block, rank, grid }: StoppedBlock, ctas: number): number {
  const size = volume(grid.cluster);
  if (ctas <= size) return rank;
  const across = grid.grid.map((each, axis) => Math.ceil(each / grid.cluster[axis]!)) as number[];
  const [x, y, z] = block.map((each, axis) => Math.floor(each / grid.cluster[axis]!)) as number[];
  return (x! + across[0]! * (y! + across[1]! * z!)) * size + rank;
}

/** What two blocks that stand alike have in common. */
export function blockKey(rows: readonly TableRow[], barriers: readonly TableBarrier[]): string {
  const own = rows.map(({ cta: _cta, ...rest }) => rest);
  return JSON.stringify([own, barriers.map(({ cta: _cta, ...rest }) => rest)]);
}

function compareWarps(
  comparison: Comparison,
  rows: readonly TableRow[],
  { roles }: ModelState,
  cta: number,
  { blocks, areOfOnePoll }: ComparedBlocks,
): void {
  const own = roles.filter((role) => role.cta === cta && role.warp >= 0);
  const polls = own.flatMap((role) => (isPoll(role, areOfOnePoll) ? [role.ptxLine!] : []));
  const numbers = new Set([...own.map(({ warp }) => warp), ...rows.map(({ warp }) => warp)]);
  for (const warp of [...numbers].toSorted((a, b) => a - b)) {
    const ofDump = rows.filter((row) => row.warp === warp);
    const ofModel = own.filter((role) => role.warp === warp);
    // What the model leaves open says nothing.
    if (ofModel.length > 0 && ofModel.every(({ state }) => state === 'open')) continue;
    const isInPoll = (role: RoleState, row: TableRow): boolean => {
      const lines = [role.ptxLine, row.ptxLine];
      return polls.some((poll) => lines.every((line) => line !== null && areOfOnePoll(poll, line)));
    };
    const wrong = ofModel.find((role) => !agrees(role, ofDump, isInPoll));
    const name = blocks.length > 1 ? `warp ${warp} of block ${cta}` : `warp ${warp}`;
    const isExtra = ofModel.length === 0;
    const difference = isExtra
      ? `${name} is not in the model`
      : wrong === undefined
        ? null
        : `${name}: the model ${modelText(wrong)}, the dump ${dumpText(ofDump)}`;
    comparison.count('warps', difference);
  }
}

/**
 * Whether a role waits for a word in a loop. Warps of a block that poll together through shared
 * memory go on in that loop, and may be stopped anywhere in it.
 */
function isPoll(
  { wait, ptxLine }: RoleState,
  areOfOnePoll: ComparedBlocks['areOfOnePoll'],
): boolean {
  const isMeeting = wait?.kind === 'named' || wait?.kind === 'cluster';
  return wait !== null && !isMeeting && ptxLine !== null && areOfOnePoll(ptxLine, ptxLine);
}

function maskOf({ lanes }: TableRow): number {
  return lanes.reduce((mask, lane) => mask | (1 << lane), 0) >>> 0;
}

function agrees(
  role: RoleState,
  rows: readonly TableRow[],
  isInPoll: (role: RoleState, row: TableRow) => boolean,
): boolean {
  const own = rows.filter((row) => (maskOf(row) & role.lanes) !== 0);
  if (role.state === 'open') return true;
  if (role.state === 'ended') return own.every(({ state }) => state.kind === 'ended');
  return own.some((row) => isAt(role, row) || isInPoll(role, row));
}

/** Whether a role waits for what a row of the table waits for. */
function isAt(role: RoleState, row: TableRow): boolean {
  const { wait } = role;
  const { state } = row;
  if (role.state === 'continues') return state.kind === 'running' || state.kind === 'nanosleep';
  if (wait === null || isOtherLine(role, row)) return false;
  if (state.kind === 'mbarrier') return wait.kind === 'mbarrier' && isSamePhase(state, wait);
  if (state.kind === 'named')
    return wait.kind === 'named' && (state.id === null || state.id === wait.id);
  if (state.kind === 'cluster') return wait.kind === 'cluster';
  // Other waits of the model have names of their own: the line has to be known.
  const isNamedByLine = ['word', 'syncwarp', 'registers'].includes(state.kind);
  return isNamedByLine && row.ptxLine !== null;
}

function isOtherLine({ ptxLine }: RoleState, row: TableRow): boolean {
  return row.ptxLine !== null && ptxLine !== null && row.ptxLine !== ptxLine;
}

function isSamePhase(
  { name, parity }: Extract<TableRow['state'], { kind: 'mbarrier' }>,
  wait: Extract<ModelWait, { kind: 'mbarrier' }>,
): boolean {
  const isNamed = name === null || name === nameInBlock(wait.name);
  return isNamed && (parity === null || parity === wait.parity);
}

/** The name of a barrier without the block that it is of. */
export function nameInBlock(name: string): string {
  return name.replace(/ of (?:CTA \d+|grid \S+)$/, '');
}

function compareBarriers(
  comparison: Comparison,
  barriers: readonly TableBarrier[],
  model: ModelState,
  cta: number,
): void {
  for (const barrier of barriers) {
    const { name } = barrier;
    const same = name === null ? undefined : barrierOf(model, name, cta);
    if (same === undefined) continue;
    comparison.count('barriers', barrierDifference(barrier, same));
  }
}

function barrierOf({ barriers, ctas }: ModelState, name: string, cta: number) {
  return barriers.find((each) => each.name === (ctas > 1 ? `${name} of CTA ${cta}` : name));
}

function barrierDifference(word: TableBarrier, model: BarrierState): string | null {
  const isEqual =
    word.phaseParity === model.parity &&
    word.pending === model.pending &&
    word.bytes === model.txBytes &&
    word.count === model.expected;
  if (isEqual) return null;
  const text = (parity: number, pending: number, count: number, bytes: number): string =>
    `parity ${parity}, ${pending} of ${count} arrivals and ${bytes} B to come`;
  const { parity, pending, expected, txBytes } = model;
  const inDump = text(word.phaseParity, word.pending, word.count, word.bytes);
  const inModel = text(parity, pending, expected, txBytes);
  return `${model.name}: the model has ${inModel}, the dump ${inDump}`;
}

function lineText(line: number | null): string {
  return line === null ? '' : ` at PTX line ${line}`;
}

function modelText({ state, wait, ptxLine }: RoleState): string {
  if (state === 'ended') return 'has ended';
  const line = lineText(ptxLine);
  if (state === 'continues') return `goes on${line}`;
  if (wait?.kind === 'mbarrier') return `waits for ${wait.name} parity ${wait.parity}${line}`;
  if (wait?.kind === 'named') return `waits at named barrier ${wait.id}${line}`;
  return wait?.kind === 'cluster' ? `waits for the cluster${line}` : `waits${line}`;
}

function dumpText(rows: readonly TableRow[]): string {
  const [row] = rows;
  if (row === undefined) return 'has ended';
  const { state } = row;
  const line = lineText(row.ptxLine);
  if (state.kind === 'named') return `waits at named barrier ${state.id ?? '?'}${line}`;
  if (state.kind !== 'mbarrier') return `is in ${state.kind}${line}`;
  const name = state.name ?? `0x${(state.address ?? 0).toString(16)}`;
  return `waits for ${name} parity ${state.parity}${line}`;
}
