// Several PTX modules in one text, such as what `cuobjdump -ptx` prints, with headers between them.

/** A module, behind as many empty lines as there are before it in the text. */
export type ModuleText = string;

const VERSION = /^[ \t]*\.version\s/gm;

/** What ends a module: a body, or a directive behind it. */
const OF_PTX = /^\s*(?:\.|\}|\*\/)/;

/** Whether a text has a PTX module. */
export function hasModule(text: string): boolean {
  return /^[ \t]*\.version\s/m.test(text);
}

/** Lines with those of a tool left empty, from an end on up to the first of PTX. */
function withoutHeaders(lines: string[], from: 'start' | 'end'): void {
  const order = from === 'start' ? lines.keys() : [...lines.keys()].toReversed();
  for (const index of order) {
    const line = lines[index]!;
    if (line.trim() === '') continue;
    if (from === 'end' && OF_PTX.test(line)) return;
    if (!/^\s*(?:\.|\/\/)/.test(line)) lines[index] = '';
  }
}

/** The modules of a text. */
export function modulesOf(text: string): ModuleText[] {
  const starts = [...text.matchAll(VERSION)].map(({ index }) => index);
  return starts.map((start, at) => {
    const isFirst = at === 0;
    const before = text.slice(0, start).split('\n');
    if (isFirst) withoutHeaders(before, 'start');
    const above = isFirst ? before.join('\n') : '\n'.repeat(before.length - 1);
    const lines = text.slice(start, starts[at + 1]).split('\n');
    withoutHeaders(lines, 'end');
    return above + lines.join('\n');
  });
}
