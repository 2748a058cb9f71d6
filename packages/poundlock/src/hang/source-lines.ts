// Writes the lines of the user's source into a PTX text that was saved without them.
import { callsOf, originAt, type Code, type Cubin } from './dump/cubin.ts';

/**
 * The PTX of a cubin with `.loc` lines for one of its functions. A cubin keeps the text with empty
 * lines in their place, so that no line gets another number.
 */
export function withSourceLines(cubin: Cubin, code: Code, text: string): string {
  const places = placesOf(cubin, code);
  if (places.size === 0 || /^\s*\.loc\s/m.test(text)) return text;
  const files = new Map<string, number>();
  const lines = text.split('\n');
  const [first, end] = bodyOf(lines, code.name);
  let current = '';
  for (let at = first; at < end; at++) {
    const place = places.get(at + 1);
    const gap = place === undefined ? -1 : gapBefore(lines, at, first, places);
    if (place === undefined || gap < 0) continue;
    const number = files.get(place.file) ?? files.size + 1;
    files.set(place.file, number);
    const loc = `.loc ${number} ${place.line} 1`;
    if (loc !== current) lines[gap] = loc;
    current = loc;
  }
  for (const [file, number] of files)
    lines.push(`.file ${number} "${file.replaceAll(/["\\]/g, '\\$&')}"`);
  return lines.join('\n');
}

/** The empty line before an instruction, past what has no place of its own; −1: there is none. */
function gapBefore(
  lines: readonly string[],
  from: number,
  first: number,
  places: ReadonlyMap<number, SourcePlace>,
): number {
  for (let at = from - 1; at >= first; at--) {
    if (lines[at]!.trim() === '') return at;
    if (places.has(at + 1)) return -1;
  }
  return -1;
}

interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** By line of the PTX: the place in the kernel itself that it comes from. */
function placesOf(cubin: Cubin, code: Code): ReadonlyMap<number, SourcePlace> {
  const source = cubin.sourceOf(code);
  const places = new Map<number, SourcePlace>();
  for (const { offset, row } of cubin.ptxLinesOf(code)) {
    const origin = originAt(source, offset);
    const outermost = origin && callsOf(origin.row)[0];
    if (outermost !== undefined && !places.has(row.line)) places.set(row.line, outermost);
  }
  return places;
}

/** The lines of a kernel, as indices: from its head to that of the next one. */
function bodyOf(lines: readonly string[], name: string): readonly [number, number] {
  const isHead = (line: string): boolean => /\.(?:entry|func)\b/.test(line);
  const isNamed = (line: string): boolean => {
    const at = line.indexOf(name);
    return at >= 0 && isHead(line) && !/[\w$]/.test(line.charAt(at + name.length));
  };
  const first = lines.findIndex(isNamed);
  if (first < 0) return [0, 0];
  const next = lines.findIndex((line, at) => at > first && isHead(line));
  return [first + 1, next < 0 ? lines.length : next];
}
