// Tables in the output of cuda-gdb: rows by the titles of their columns, in any order.

/** Titles that have spaces in them; others are one word. */
const TITLES = [
  'Active Lanes Mask',
  'Divergent Lanes Mask',
  'Valid Lanes Mask',
  'Active Physical PC',
  'Active PC',
  'Virtual PC',
  'Physical PC',
  'First Active ThreadIdx',
  'To BlockIdx',
  'To ThreadIdx',
  'SMs Mask',
].toSorted((a, b) => b.length - a.length);

/** What makes a line the head of a table: it has at least two of these. */
const KNOWN = new Set([
  ...TITLES,
  'Wp',
  'Ln',
  'PC',
  'Kernel',
  'BlockIdx',
  'ThreadIdx',
  'Count',
  'State',
  'Exception',
  'Filename',
  'Line',
  'Grid',
  'Status',
  'GridDim',
  'BlockDim',
  'Invocation',
]);

/** Text by the title of its column. A title that stands twice has a `2` behind its second one. */
export type Cells = ReadonlyMap<string, string>;

/** The titles of a line; `null` where it is no head of a table. */
export function titlesOf(line: string): string[] | null {
  const titles: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const title = TITLES.find((each) => rest.startsWith(each)) ?? /^\S+/.exec(rest)![0];
    titles.push(titles.includes(title) ? `${title} 2` : title);
    rest = rest.slice(title.length).trimStart();
  }
  const known = titles.filter((each) => KNOWN.has(each.replace(/ 2$/, '')));
  return known.length >= 2 && known.length * 2 > titles.length ? titles : null;
}

/** The cells of a row below a head; `null` where it is no row of that table. */
export function cellsOf(line: string, titles: readonly string[]): Cells | null {
  const words = line
    .replace(/^\s*\*/, ' ')
    .trim()
    .split(/\s+/);
  if (words.length !== titles.length) return null;
  return new Map(titles.map((title, at) => [title, words[at]!]));
}

/** Three numbers, as in `(0,1,2)`. */
export function tripleIn(text: string | undefined): [number, number, number] | undefined {
  const match = /^\((\d+),(\d+),(\d+)\)$/.exec(text ?? '');
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** A hexadecimal address. */
export function addressIn(text: string | undefined): bigint | undefined {
  return /^0x[0-9a-f]{1,16}$/i.test(text ?? '') ? BigInt(text!) : undefined;
}
