// A PTX text as a list of statements, which transformations change and which is printed again.

/** What a part of a text is; a line is a directive that ends with its line, as `.loc` does. */
export type StatementKind =
  | ('line' | 'header' | 'open' | 'close' | 'section')
  | ('declaration' | 'label' | 'instruction');

export interface Statement {
  readonly kind: StatementKind;
  readonly text: string;
}

/** What each kind begins with, in the order in which they are tried. */
const BEGINS: readonly (readonly [kind: StatementKind, begin: RegExp])[] = [
  ['line', /^\.(?:version|target|address_size|loc|file)\b/],
  ['section', /^\.section\b/],
  ['header', /^\.(?:visible|weak|extern|entry|func)\b/],
  ['declaration', /^\./],
  ['open', /^\{/],
  ['close', /^\}/],
  ['label', /^[\w$]+:(?!:)/],
  ['instruction', /^/],
];

/** Where a statement of each kind ends. */
const ENDS: Readonly<Record<StatementKind, RegExp>> = {
  line: /\n|$/,
  section: /\}/,
  header: /(?=\{)|;/,
  declaration: /;/,
  open: /\{/,
  close: /\}/,
  label: /:/,
  instruction: /;/,
};

/** Reads a text; comments are left out. */
export function statementsOf(text: string): Statement[] {
  let rest = text.replaceAll(/"[^"\n]*"|\/\/.*|\/\*[^]*?\*\//g, (part) =>
    part.startsWith('"') ? part : '',
  );
  const statements: Statement[] = [];
  for (rest = rest.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const [kind] = BEGINS.find(([, begin]) => begin.test(rest))!;
    const end = ENDS[kind].exec(rest);
    if (end === null) throw new Error(`no end: ${rest.slice(0, 80)}`);
    const length = end.index + end[0].length;
    statements.push({ kind, text: rest.slice(0, length).trim() });
    rest = rest.slice(length);
  }
  return statements;
}

/** The text of statements, one in each line. */
export function printed(statements: readonly Statement[]): string {
  return `${statements.map(({ text }) => text).join('\n')}\n`;
}

/** The statements of a kind that a text has. */
export const hasDirective = (statements: readonly Statement[], name: string): boolean =>
  statements.some(({ text }) => text.startsWith(name));
