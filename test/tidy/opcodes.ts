// What an opcode means is known to the table of instructions alone: others ask the typed effect.
import { faultAt, type Fault, type Source } from './source.ts';

/** A file that sees instructions of PTX: its `parts` are words of an opcode. */
const SEES_INSTRUCTIONS = /from '[^']*text\/module(?:\.ts)?'/;
const PARTS = /\bparts(?:\[|\.(?:includes|some|find|every|filter|map|at|slice|join)\b)/g;
const WORDS = /\bparts: readonly string\[\]/g;
const OPCODE =
  /\bopcode\.(?:startsWith|endsWith|includes|match|split|slice)\b|\.(?:test|exec)\((?:\w+\.)*opcode\b/g;
/** A word with two colons in a string or a regular expression: messages have spaces. */
const WORD = /'([^'\s]*\w::\w[^'\s]*)'|\/[^/\s]*\w::\w[^/\s]*\//g;

/** Words with two colons that are values of effects. */
export function effectWords(effects: string): ReadonlySet<string> {
  return new Set([...effects.matchAll(/'(\w+::\w[\w:]*)'/g)].map((match) => match[1]!));
}

export function opcodeFaults(file: Source, known: ReadonlySet<string>): Fault[] {
  const patterns = SEES_INSTRUCTIONS.test(file.text) ? [PARTS, WORDS, OPCODE] : [WORDS, OPCODE];
  const tests = patterns.flatMap((pattern) => [...file.code.matchAll(pattern)]);
  const words = [...file.text.matchAll(WORD)].filter(({ index, 1: word = '' }) => {
    return file.code[index] !== ' ' && !known.has(word);
  });
  return [...tests, ...words]
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, 0: what }) => faultAt(file, index, `${what} reads an opcode`));
}
