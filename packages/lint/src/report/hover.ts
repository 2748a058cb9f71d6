// What a variable with a handle shows in an editor: what it is, who owns it, and where it ends.
import { excerpt } from '../flow/report.ts';
import type { SourceRange } from '../flow/state.ts';
import { positionOf, remedy } from '../messages.ts';
import { walk } from '../syntax/children.ts';
import type { SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { HandleEnd } from './handle-ends.ts';

/** The text for each place where a name is. */
export interface Hover {
  readonly start: number;
  readonly end: number;
  /** Markdown. */
  readonly text: string;
}

/** The hovers of the variables of a file. */
export function hoversOf(
  file: SourceFile,
  ends: ReadonlyMap<Variable, readonly HandleEnd[]>,
): Hover[] {
  const texts = new Map<Variable, string>();
  const hovers: Hover[] = [];
  walk(file.body, (node) => {
    if (node.kind !== 'name' || node.variable === undefined) return;
    const found = ends.get(node.variable);
    if (found === undefined) return;
    const text = texts.get(node.variable) ?? textOf(node.variable, found, file);
    texts.set(node.variable, text);
    hovers.push({ start: node.start, end: node.end, text });
  });
  return hovers;
}

function textOf({ form }: Variable, ends: readonly HandleEnd[], file: SourceFile): string {
  const isPassed = form === 'parameter';
  const paragraphs = Map.groupBy(ends, ({ instance: { site, contract } }) => {
    const from = site.isOwn && !isPassed ? ` of \`${excerpt(site)}\`` : '';
    return `\`${contract.typeName}\`${from}: ${remedy(contract, file.allowsUsing())}.`;
  });
  return [...paragraphs]
    .map(([what, of]) => `${what}\n\n${sentence([ownerOf(of, isPassed), ...endingsOf(of, file)])}`)
    .join('\n\n');
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

const OF_ANOTHER: ReadonlySet<HandleEnd['ending']> = new Set(['borrowed', 'param']);

function ownerOf(ends: readonly HandleEnd[], isPassed: boolean): string {
  if (ends.some(({ ending }) => ending === 'field')) return 'owned by a field of `this`';
  if (ends.every(({ ending }) => OF_ANOTHER.has(ending))) return 'owned by the caller';
  if (ends.some(({ instance }) => instance.needsProof || instance.isShared)) {
    return 'nothing states who owns it';
  }
  return isPassed ? 'owned here, given by the caller' : 'owned here';
}

const ENDINGS: Partial<Record<HandleEnd['ending'], string>> = {
  released: 'released',
  returned: 'returned',
  moved: 'handed over',
  escaped: 'kept by other code',
};

function endingsOf(ends: readonly HandleEnd[], file: SourceFile): string[] {
  const places = Map.groupBy(ends, ({ ending }) => ENDINGS[ending] ?? '');
  places.delete('');
  const texts = [...places].map(([what, of]) => {
    const lines = [...new Set(of.flatMap(({ at }) => lineOf(at, file) ?? []))];
    lines.sort((a, b) => a - b);
    if (lines.length === 0) return what;
    return `${what} on line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`;
  });
  if (ends.some(({ ending }) => ending === 'scoped'))
    texts.push('released at the end of its scope');
  const isOpen = ({ needsProof, isShared }: HandleEnd['instance']): boolean =>
    needsProof || isShared;
  const lost = ends.filter(({ ending, instance }) => ending === 'lost' && !isOpen(instance));
  return [...texts, ...new Set(lost.map((end) => `**not released** ${pathOf(end, file)}`))];
}

/** `if line 4 throws`, `where line 4 leaves`. */
function pathOf({ at, failure }: HandleEnd, file: SourceFile): string {
  const line = lineOf(at, file);
  if (line === undefined) return failure === undefined ? 'at the end' : 'if a call fails';
  if (failure === undefined) return `where line ${line} leaves`;
  if (failure.includes('rejected')) return `if line ${line} is rejected`;
  return `if line ${line} ${failure.includes('abandoned') ? 'is abandoned' : 'throws'}`;
}

function lineOf(at: SourceRange | undefined, file: SourceFile): number | undefined {
  return at?.file === file ? positionOf(file, at.start).line : undefined;
}
