// Lists of whole numbers as text: consecutive ones become a range.

/** `0–4, 6 and 15`: the numbers must be in order. */
export function rangesOf(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < numbers.length;) {
    let last = at;
    while (numbers[last + 1] === numbers[last]! + 1) last++;
    if (last > at + 1) parts.push(`${numbers[at]}–${numbers[last]}`);
    else parts.push(...numbers.slice(at, last + 1).map(String));
    at = last + 1;
  }
  const end = parts.pop() ?? '';
  return parts.length === 0 ? end : `${parts.join(', ')} and ${end}`;
}
