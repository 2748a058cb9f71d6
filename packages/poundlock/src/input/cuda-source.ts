// What a CUDA source says of its kernels that PTX does not: names of parameters, and the block that
// they are launched with, where the text leaves no doubt.
import { readableName } from '@poundlock/ptx/internal/text/names';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';
import { constantsOf, partsOf } from './cuda-constants.ts';

/** A block with the line that launches the kernel with it. */
export interface SourceBlock {
  readonly value: Dimensions;
  /** The line, from 1. */
  readonly line: number;
}

const COMMENT_OR_TEXT =
  /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'/g;

/** A source without comments and strings; lines stay. */
function codeOf(source: string): string {
  return source.replace(COMMENT_OR_TEXT, (text) => text.replace(/[^\n]/g, ' '));
}

/** Text up to the bracket that closes the one before `from`. */
function closedAt(text: string, from: number): string | null {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(from, at);
  }
  return null;
}

/** A name that stands in a source as it is. */
const PLAIN = /^\w+$/;

/** A declaration of a parameter, with its name. */
const NAMED = /(?:[\w>]\s+|[*&]\s*)([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:=[^]*)?$/;
const WORDS_OF_TYPES = /^(?:bool|char|const|double|float|int|long|short|unsigned)$/;

/** The names of a kernel's parameters; `null` where one has none, or the kernel is not found. */
function parametersOf(code: string, kernel: string): string[] | null {
  if (!PLAIN.test(kernel)) return null;
  const lists = [...code.matchAll(new RegExp(`\\b${kernel}\\s*\\(`, 'g'))].flatMap((match) => {
    const head = code.slice(0, match.index);
    const isDeclared = /\b__global__\b[^;{}]*$/.test(head);
    return isDeclared ? [closedAt(code, match.index + match[0].length)] : [];
  });
  const [list] = lists.toReversed();
  if (list === undefined || list === null) return null;
  const names = partsOf(list).map((part) => NAMED.exec(part)?.[1] ?? 'int');
  return names.some((name) => WORDS_OF_TYPES.test(name)) ? null : names;
}

/**
 * PTX that a compiler made of a source, in which parameters have the names of the source:
 * `_Z3sumPKfi_tiles` instead of `_Z3sumPKfi_param_1`.
 */
export function withParameterNames(ptx: string, source: string): string {
  const code = codeOf(source);
  const ofEntry = new Map<string, string[] | null>();
  return ptx.replaceAll(/([A-Za-z_$][\w$]*)_param_(\d+)\b/g, (whole, entry: string, at: string) => {
    let names = ofEntry.get(entry);
    if (names === undefined) {
      names = parametersOf(code, readableName(entry));
      ofEntry.set(entry, names);
    }
    const name = names?.[Number(at)];
    return name === undefined ? whole : `${entry}_${name}`;
  });
}

/**
 * The block that a source launches a kernel with; `null` where it does not say, or says several.
 *
 * @param defined Names that flags of the compiler define.
 */
export function blockOfSource(
  source: string,
  entry: string,
  defined: ReadonlySet<string> = new Set(),
): SourceBlock | null {
  const code = codeOf(source);
  const constants = constantsOf(code, defined);
  const kernel = readableName(entry);
  if (!PLAIN.test(kernel)) return null;
  const launch = new RegExp(`\\b${kernel}\\s*(?:<[^;{}]*?>\\s*)?<<<([^;{}]*?)>>>`, 'g');
  const found = [...code.matchAll(launch)].map(({ 1: list = '', index }): SourceBlock | null => {
    const [, block] = partsOf(list.replaceAll('->', '.'));
    const value = block === undefined ? null : constants.extents(block);
    return value === null ? null : { value, line: code.slice(0, index).split('\n').length };
  });
  const [first] = found;
  if (first === undefined || first === null) return null;
  const isOnly = found.every((other) => other?.value.join() === first.value.join());
  return isOnly ? first : null;
}
