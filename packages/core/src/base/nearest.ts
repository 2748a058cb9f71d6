// The known name that a word stands for, and the nearest one to a mistyped word.

/** How many insertions, deletions, replacements and swaps of neighbors turn `a` into `b`. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/** The fewest characters that say which longer name is meant. */
const MIN_START = 3;

function isStart(start: string, name: string): boolean {
  return start.length >= MIN_START && name.toLowerCase().startsWith(start);
}

/** The nearest of `names`, if one is near enough to be meant; in messages "did you mean …?". */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const edits = distance(lower, name.toLowerCase());
    if (edits < least) [best, least] = [name, edits];
  }
  return best ?? names.find((name) => isStart(lower, name) || isStart(name.toLowerCase(), word));
}

/** The name that a word stands for, in lower or upper case; `undefined` where there is none. */
export function findName<Name extends string>(
  word: string,
  names: readonly Name[],
): Name | undefined {
  const lower = word.toLowerCase();
  return names.find((name) => name === word) ?? names.find((name) => name.toLowerCase() === lower);
}

/** `no 'gird': did you mean 'grid'?`, of the first name that is not known; else `null`. */
export function unknownName(names: readonly string[], known: readonly string[]): string | null {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const meant = nearest(unknown, known);
  return `no '${unknown}'${meant === undefined ? '' : `: did you mean '${meant}'?`}`;
}
