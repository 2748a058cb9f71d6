// A stopped kernel as the terminal and JSON show it.
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import { fileName, type Host } from '@poundlock/core/internal/host';
import { blockKey, type Agreement, type TableRow } from '../../hang/index.ts';
import {
  counted,
  lanesOfWarp,
  presentFinding,
  type ShownBlocks,
  type ShownHang,
  type ShownWarp,
} from '../../report/index.ts';
import { commandOf } from '../present.ts';
import { version } from '../version.ts';
import type { HangReport } from './hang-report.ts';

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** What a row waits for, in words. */
function whatOf({ state }: TableRow): string {
  switch (state.kind) {
    case 'mbarrier': {
      const name = state.name ?? (state.address === null ? 'an mbarrier' : hex(state.address));
      const where = state.rank === undefined ? '' : ` of block ${state.rank} of the cluster`;
      const parity = state.parity === null ? '' : ` parity ${state.parity}`;
      return `waits for ${name}${where}${parity}`;
    }
    case 'named':
      return `waits at named barrier ${state.id ?? '?'}`;
    case 'word': {
      const holds = state.holds === null ? '' : `, which is ${state.holds}`;
      return `polls ${state.name ?? (state.address || 'a word')}${holds}`;
    }
    case 'exception':
      return `stopped: ${state.name}`;
    case 'cluster':
      return 'waits for the cluster';
    case 'syncwarp':
      return 'waits for lanes of its warp';
    case 'registers':
      return 'waits for registers (setmaxnreg)';
    case 'nanosleep':
      return 'sleeps (nanosleep)';
    case 'running':
      return 'runs';
    case 'ended':
      return 'has ended';
    case 'unknown':
      return 'is at code that is not known';
  }
}

function warpOf(row: TableRow, phases: ReadonlyMap<string, number>): ShownWarp {
  const place = row.at ?? (row.ptxLine === null ? row.pc : `PTX line ${row.ptxLine}`);
  const who = `warp ${row.warp}${lanesOfWarp(row.lanes)}`;
  const { state, word } = row;
  const phase = state.kind === 'mbarrier' ? phases.get(state.name ?? '') : undefined;
  return { who, at: place, what: whatOf(row), word: word && { ...word, phase } };
}

function blockName([x, y, z]: readonly number[]): string {
  return y === 0 && z === 0 ? `block ${x}` : `block (${x}, ${y}, ${z})`;
}

/** Blocks that stand alike are shown once. */
function blocksOf({ table, blocks, explanation: { phases } }: HangReport): ShownBlocks[] {
  const rowsOf = Map.groupBy(table.rows, ({ cta }) => cta.join());
  const barriersOf = Map.groupBy(table.barriers, ({ cta }) => cta.join());
  const alike = Map.groupBy(blocks, ({ block }) => {
    return blockKey(rowsOf.get(block.join()) ?? [], barriersOf.get(block.join()) ?? []);
  });
  return [...alike.values()].map((group): ShownBlocks => {
    const [{ block }] = group as [(typeof group)[number]];
    const rows = rowsOf.get(block.join()) ?? [];
    const waited = new Set(
      rows.map(({ state }) => (state.kind === 'mbarrier' ? state.address : null)),
    );
    const more = group.length === 1 ? '' : ` and ${group.length - 1} more alike`;
    const isOnly = alike.size === 1;
    return {
      title: isOnly ? '' : `${blockName(block)}${more}`,
      warps: rows.map((row) => warpOf(row, phases)),
      others: (barriersOf.get(block.join()) ?? [])
        .filter(({ address }) => !waited.has(address))
        .map(({ name, address, ...word }) => {
          return { name: name ?? hex(address), word: { ...word, phase: phases.get(name ?? '') } };
        }),
    };
  });
}

function volume([x, y, z]: readonly [number, number, number]): number {
  return x * y * z;
}

function titleOf(report: HangReport, shown: readonly ShownBlocks[]): string {
  const { gpu, grid, blocks, text, kernel, table } = report;
  const name = text?.name ?? (kernel === '' ? 'a kernel' : kernel);
  const warps = new Set(table.rows.map(({ cta, warp }) => `${cta.join()} ${warp}`)).size;
  const total = volume(grid.grid);
  const missing = total - blocks.length;
  const gone = missing > 0 ? `, ${counted(missing, 'block')} not begun or ended` : '';
  const first = blockName(blocks[0]!.block);
  const alike =
    blocks.length > 1 && shown.length === 1 ? `: all blocks alike, shown for ${first}` : '';
  const parts = [
    `${counted(total, 'block')} of ${counted(volume(grid.block), 'thread')}`,
    ...(gpu.architecture === '' ? [] : [gpu.architecture]),
    counted(warps, 'warp'),
  ];
  return `stopped  ${name}, ${parts.join(', ')}${gone}${alike}`;
}

/** `the dump and the model agree: 3 of 3 warps and 4 of 4 barriers stand as in the schedule`. */
function agreementText({ warps, barriers, differences }: Agreement): string {
  const words =
    barriers.total === 0 ? '' : ` and ${barriers.agree} of ${counted(barriers.total, 'barrier')}`;
  const verb = differences.length === 0 ? 'agree' : 'differ';
  const count = `${warps.agree} of ${counted(warps.total, 'warp')}${words}`;
  return `the dump and the model ${verb}: ${count} stand as in the schedule`;
}

/** A finding with names as the user writes them; it can be replayed where the PTX is a file. */
function presented(report: HangReport, finding: Finding, result: CheckResult, host: Host) {
  const { ptx } = report;
  const file = ptx?.file ?? report.gpu.file;
  const name = (each: string): string => fileName(each, host.cwd);
  const command = commandOf(file, {}, undefined);
  const { replayCommand, ...shown } = presentFinding(finding, name, command);
  return ptx?.isFile === true && replayCommand !== undefined && result.params !== undefined
    ? { ...shown, replayCommand }
    : shown;
}

/** What the terminal shows. */
export function shownHang(report: HangReport, host: Host): ShownHang {
  const { explanation } = report;
  const blocks = blocksOf(report);
  const { result, agreement } = explanation;
  const finding =
    explanation.finding === null || result === null
      ? null
      : presented(report, explanation.finding, result, host);
  return {
    title: titleOf(report, blocks),
    blocks,
    verdict: explanation.verdict,
    summary: explanation.summary,
    finding,
    agreement: agreement === null ? null : agreementText(agreement),
    notes: explanation.notes,
  };
}

/** The name of the schema: docs/schema/hang.json. */
const HANG_SCHEMA = 'poundlock/hang@1';

/** What programs read. */
export function hangDocument(report: HangReport, host: Host): object {
  const { gpu, grid, kernel, text, table, explanation } = report;
  const { verdict, summary, notes, agreement } = explanation;
  const { finding } = shownHang(report, host);
  return {
    schema: HANG_SCHEMA,
    tool: { name: 'poundlock', version: version(), verb: 'hang' },
    file: gpu.file,
    verdict,
    summary,
    kernel: text?.name ?? kernel,
    architecture: gpu.architecture,
    grid: grid.grid,
    block: grid.block,
    cluster: grid.cluster,
    warps: table.rows,
    barriers: table.barriers.map((each) => {
      const phase = explanation.phases.get(each.name ?? '');
      return phase === undefined ? each : { ...each, phase };
    }),
    finding,
    agreement,
    notes,
  };
}
