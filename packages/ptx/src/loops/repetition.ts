// Lists that differ in how often a part of them is repeated, as the lists of a warp do whose loop
// runs more often.

/** A list with a part that may be repeated: `[at, at + length)` of the list that has it once. */
export interface Repetition {
  readonly at: number;
  readonly length: number;
}

/** Whether a list is one that has the part once, with the part so many times instead. */
export function isRepeated(
  list: readonly string[],
  once: readonly string[],
  { at, length }: Repetition,
  times: number,
): boolean {
  const more = (times - 1) * length;
  if (list.length !== once.length + more) return false;
  return list.every((entry, index) => {
    if (index < at) return entry === once[index];
    if (index >= at + times * length) return entry === once[index - more];
    return entry === once[at + ((index - at) % length)];
  });
}

/**
 * How lists of ever more rounds repeat a part: each has it once more than the one before. The part
 * has no entries where all lists are equal.
 *
 * @returns `null` where they differ otherwise.
 */
export function repetitionOf(lists: readonly (readonly string[])[]): Repetition | null {
  const [first, second] = lists;
  if (first === undefined || second === undefined) return null;
  const length = second.length - first.length;
  if (length < 0) return null;
  let at = 0;
  while (at < first.length && first[at] === second[at]) at++;
  const part = { at, length };
  return lists.every((list, times) => isRepeated(list, second, part, times)) ? part : null;
}
