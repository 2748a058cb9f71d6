// Changes of a kernel as built that change nothing: its verdict has to stay the same.
import { printed, statementsOf, type Statement } from './statements.ts';

/** A launch file, as far as it is changed here. */
export interface LaunchFile {
  readonly kernel?: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly cluster?: readonly number[];
  readonly cooperative?: boolean;
  readonly clusterLaunchControl?: unknown;
  readonly params?: readonly unknown[];
}

/** A PTX text with its launch file. */
export interface KernelFiles {
  readonly ptx: string;
  readonly launch: LaunchFile;
  /** Whether any number of blocks is right; otherwise that has to be plain from the text. */
  readonly isOfAnyGrid?: boolean;
}

/** The same kernel in another form; `null` where it has no such form. */
export type Transformation = (files: KernelFiles) => KernelFiles | null;

/** A change of the statements alone. */
function ofText(
  change: (statements: readonly Statement[]) => readonly Statement[],
): Transformation {
  return ({ ptx, launch }) => ({ ptx: printed(change(statementsOf(ptx))), launch });
}

const isPlace = ({ text }: Statement): boolean => /^\.(?:loc|file)\b/.test(text);
const instruction = (text: string): Statement => ({ kind: 'instruction', text });
const declaration = (text: string): Statement => ({ kind: 'declaration', text });
const line = (text: string): Statement => ({ kind: 'line', text });

/** Statements before the first instruction of each body. */
function beforeBodies(
  statements: readonly Statement[],
  added: readonly Statement[],
): readonly Statement[] {
  let isInBody = false;
  return statements.flatMap((each) => {
    if (each.kind === 'header') isInBody = false;
    if (isInBody || each.kind !== 'instruction') return [each];
    isInBody = true;
    return [...added, each];
  });
}

const PLACE = line('.loc 1 7 3');
const FILE = line('.file 1 "one-place.cu"');

function inOnePlace(statements: readonly Statement[]): readonly Statement[] {
  const others = statements.filter((each) => !isPlace(each));
  const at = others.findIndex(({ kind }) => kind !== 'line');
  return beforeBodies(others.toSpliced(at, 0, FILE), [PLACE]);
}

/** The names that a text declares: registers without their numbers, labels, variables, functions. */
function declaredNames(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>();
  for (const { kind, text } of statements) {
    if (kind === 'label') names.add(text.slice(0, -1));
    if (text.startsWith('.reg'))
      for (const [name] of text.matchAll(/%[A-Za-z_$][\w$]*?(?=\d*[\s,;<])/g)) names.add(name);
    const isVariable = /^\.(?:shared|global|const|local|param|extern|visible|weak)\b/.test(text);
    if (isVariable && kind === 'declaration')
      names.add(/([\w$]+)\s*(?:\[[^\]]*\]\s*)*(?:=[^]*)?;$/.exec(text)![1]!);
    if (kind !== 'header') continue;
    for (const [, name] of text.matchAll(/\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)/g))
      names.add(name!);
    for (const [, name] of text.matchAll(/\.param\s[^,)]*?([\w$]+)(?:\[\d*\])?\s*[,)]/g))
      names.add(name!);
    if (!text.includes('('))
      for (const [, name] of text.matchAll(/([\w$]+)(?:\[\d*\])?;$/g)) names.add(name!);
  }
  return names;
}

/** A text whose names are others; the parts of opcodes keep theirs. */
function withNames(statement: Statement, names: ReadonlySet<string>): Statement {
  const { kind, text } = statement;
  if (kind === 'line') return statement;
  const opcode = kind === 'instruction' ? /^(?:@!?%[\w$]+\s+)?([^\s]+)/.exec(text)! : null;
  const from = opcode === null ? 0 : opcode[0].length - opcode[1]!.length;
  const to = opcode === null ? 0 : opcode[0].length;
  const changed = text.replaceAll(/"[^"]*"|[.:]?%?[A-Za-z_$][\w$]*/g, (word, at: number) => {
    if (at >= from && at < to) return word;
    const [, name = '', number = ''] = /^(%[A-Za-z_$][\w$]*?)(\d*)$/.exec(word) ?? [];
    if (names.has(name)) return `%other_${name.slice(1)}_${number}`;
    return names.has(word) ? `other_${word}` : word;
  });
  return { kind, text: changed };
}

function renamed({ ptx, launch }: KernelFiles): KernelFiles {
  const statements = statementsOf(ptx);
  const names = declaredNames(statements);
  const text = printed(statements.map((each) => withNames(each, names)));
  const { kernel } = launch;
  if (kernel === undefined) return { ptx: text, launch };
  // A launch file names a kernel by a part of its name.
  const name = [...names].find((each) => each.includes(kernel))!;
  return { ptx: text, launch: { ...launch, kernel: `other_${name}` } };
}

/** Declarations of one kind that follow each other, in reverse order. */
function reordered(statements: readonly Statement[]): readonly Statement[] {
  const kindOf = ({ kind, text }: Statement): string =>
    kind === 'declaration' && /^\.(?:reg|shared)\b/.test(text) ? text.slice(0, 4) : '';
  const sorted: Statement[] = [];
  for (let at = 0; at < statements.length;) {
    const kind = kindOf(statements[at]!);
    const other = statements.findIndex((each, index) => index > at && kindOf(each) !== kind);
    const end = kind === '' ? at + 1 : other === -1 ? statements.length : other;
    sorted.push(...statements.slice(at, end).toReversed());
    at = end;
  }
  return sorted;
}

function inPairs({ ptx, launch }: KernelFiles): KernelFiles {
  const lines: string[] = [];
  let isOpen = false;
  for (const { kind, text } of statementsOf(ptx)) {
    isOpen = isOpen && kind === 'instruction';
    if (isOpen) lines.push(`${lines.pop()!} ${text}`);
    else lines.push(text);
    isOpen = kind === 'instruction' && !isOpen;
  }
  return { ptx: `${lines.join('\n')}\n`, launch };
}

/** One instruction of three has others before it whose results are not used. */
function withUnused(statements: readonly Statement[]): readonly Statement[] {
  const moves = ['mov.u32 %unused1, %tid.x;', 'add.s32 %unused2, %unused1, 7;'].map(instruction);
  let count = 0;
  const longer = statements.flatMap((each) =>
    each.kind === 'instruction' && count++ % 3 === 0 ? [...moves, each] : [each],
  );
  return beforeBodies(longer, [declaration('.reg .b32 %unused<3>;')]);
}

const OF_POSITION = /tcgen05|%warpid|%tid\.[yz]|%laneid|elect\.sync/;

/** Each warp does what its neighbor did, by a table. */
function withWarpsByTable({ ptx, launch }: KernelFiles): KernelFiles | null {
  const [x = 1, ...others] = launch.block;
  const isRow = others.every((size) => size === 1) && x % 64 === 0;
  const statements = statementsOf(ptx);
  const reads = /^mov\.u32\s+(%\w+),\s*%tid\.x;$/;
  const isRead = ({ text }: Statement): boolean => text.includes('%tid.x') && !reads.test(text);
  if (!isRow || OF_POSITION.test(ptx) || statements.some(isRead)) return null;
  const order = Array.from({ length: x / 32 }, (_, warp) => warp ^ 1);
  const table = `.const .align 4 .b32 warp_order[${order.length}] = {${order.join(', ')}};`;
  const permuted = statements.flatMap((each) => {
    const register = reads.exec(each.text)?.[1];
    if (register === undefined) return [each];
    return [
      'mov.u32 %permuted0, %tid.x;',
      'shr.u32 %permuted1, %permuted0, 5;',
      'and.b32 %permuted0, %permuted0, 31;',
      'shl.b32 %permuted1, %permuted1, 2;',
      'mov.u32 %permuted2, warp_order;',
      'add.s32 %permuted2, %permuted2, %permuted1;',
      'ld.const.u32 %permuted1, [%permuted2];',
      `mad.lo.s32 ${register}, %permuted1, 32, %permuted0;`,
    ].map(instruction);
  });
  const at = permuted.findIndex(({ kind }) => kind !== 'line');
  const text = beforeBodies(permuted.toSpliced(at, 0, declaration(table)), [
    declaration('.reg .b32 %permuted<3>;'),
  ]);
  return { ptx: printed(text), launch };
}

const swapped = <T>([x, y, ...rest]: readonly T[], one: T): T[] => [y ?? one, x ?? one, ...rest];

/** The most blocks of a grid in y. */
const MOST_IN_Y = 65_535;

/** The axes x and y of the grid change places; ranks in a cluster stay if it is a row. */
function withAxesSwapped({ ptx, launch }: KernelFiles): KernelFiles | null {
  const { grid, cluster } = launch;
  const isWide = (cluster ?? []).filter((size) => size > 1).length > 1;
  const isSized = /reqnctapercluster|explicitcluster|clusterlaunchcontrol/.test(ptx);
  if (isWide || isSized || launch.clusterLaunchControl !== undefined) return null;
  if (grid[0] > MOST_IN_Y) return null;
  const text = ptx.replaceAll(
    /(%(?:n?ctaid|n?clusterid|cluster_n?ctaid))\.([xy])\b/g,
    (_, name: string, axis: string) => `${name}.${axis === 'x' ? 'y' : 'x'}`,
  );
  const turned = { ...launch, grid: swapped(grid, 1) };
  if (cluster === undefined) return { ptx: text, launch: turned };
  return { ptx: text, launch: { ...turned, cluster: swapped(cluster, 1) } };
}

const OF_BLOCKS = /%n?(?:ctaid|clusterid)|%gridid|clusterlaunchcontrol|griddepcontrol/;
const WRITES_GLOBAL =
  /\b(?:st|red|atom|multimem)\b[^;]*\.global|\bst\.(?:volatile\.)?[bufs]\d|\.global[^;]*shared::cta|reduce/;

/** Whether a statement reads a number into a register that nothing uses. */
function isUnused({ text }: Statement, ptx: string): boolean {
  const register = /^mov\.u32\s+(%\w+),\s*%/.exec(text)?.[1];
  return register !== undefined && ptx.split(new RegExp(`${register}\\b`)).length === 2;
}

/** Twice as many blocks that all do the same, and store nothing for all. */
function withTwiceTheBlocks({ ptx, launch, isOfAnyGrid = false }: KernelFiles): KernelFiles | null {
  const used = printed(statementsOf(ptx).filter((each) => !isUnused(each, ptx)));
  const isPlain = !OF_BLOCKS.test(used) && !WRITES_GLOBAL.test(used) && launch.cooperative !== true;
  if (!isPlain && !isOfAnyGrid) return null;
  const [x = 1, ...rest] = launch.grid;
  return { ptx, launch: { ...launch, grid: [2 * x, ...rest] } };
}

/** By name. */
export const TRANSFORMATIONS: Readonly<Record<string, Transformation>> = {
  'printed again': ofText((statements) => statements),
  'no places': ofText((statements) => statements.filter((each) => !isPlace(each))),
  'one place': ofText(inOnePlace),
  'other names': renamed,
  'declarations reordered': ofText(reordered),
  'two instructions a line': inPairs,
  'unused moves': ofText(withUnused),
  'warps by a table': withWarpsByTable,
  'axes swapped': withAxesSwapped,
  'twice the blocks': withTwiceTheBlocks,
};
