// Constants of a C++ source: names that have one declaration and are never changed.
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';

/** Values of expressions; `null` where a text does not say one. */
export interface Constants {
  number(expression: string): number | null;
  /** The extents of a `dim3`, or of a number. */
  extents(expression: string): Dimensions | null;
}

/** The parts of a list, at commas outside of brackets. */
export function partsOf(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of list) {
    if ('([{<'.includes(character)) depth++;
    if (')]}>'.includes(character)) depth--;
    if (character === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...parts, part.trim()].filter((text) => text !== '');
}

/** Names that declare nothing, before a name. */
const NO_TYPE = /\b(?:return|else|case|goto|throw|delete|sizeof|co_return)$/;
const TOKEN = /\s*(?:(0[xX][\da-fA-F]+|\d[\d']*)[uUlL]*|([A-Za-z_]\w*)|(<<|>>|[-+*/%()]))/y;

/** The value of a name: the text behind `=`, or in the brackets of `dim3 name(…)`. */
function definitionOf(code: string, name: string): string | null {
  const macros = [...code.matchAll(new RegExp(`^[ \\t]*#[ \\t]*define\\s+${name}\\b(.*)$`, 'gm'))];
  const pointer = '\\b(?:int|float|char|void|unsigned)\\s*[*&]+\\s*';
  const before = `(?:[\\w>]\\s+|,\\s*(?=\\w+\\s*=[^=])|${pointer})`;
  const declared = new RegExp(`${before}${name}\\s*(?=[,)>=;{(\\[:])`, 'g');
  const declarations = [...code.matchAll(declared)].filter(({ index }) => {
    const line = code.slice(code.lastIndexOf('\n', index) + 1, index + 1);
    return !NO_TYPE.test(line) && !/#\s*(?:define|undef|ifn?def)$/.test(line);
  });
  const change = new RegExp(
    `\\b${name}\\s*(?:\\.\\w+\\s*)?(?:[-+*/%&|^]=|<<=|>>=|\\+\\+|--|=(?!=))|` +
      `(?:\\+\\+|--|[^&\\w\\s)]\\s*&)\\s*${name}\\b`,
    'g',
  );
  const changes = [...code.matchAll(change)].length;
  if (macros.length + declarations.length !== 1) return null;
  if (macros.length === 1) return changes === 0 ? macros[0]![1]! : null;
  const { index } = declarations[0]!;
  const at = index + declarations[0]![0].length;
  const isAssigned = code[at] === '=';
  if (changes !== (isAssigned ? 1 : 0)) return null;
  const start = Math.max(...[';', '{', '}'].map((end) => code.lastIndexOf(end, index)));
  if (!NUMBERS.test(code.slice(start + 1, at).replace(/^[ \t]*#.*$/gm, ''))) return null;
  const [value = ''] = code.slice(at).split(';', 1);
  if (isAssigned) return partsOf(value.slice(1))[0] ?? null;
  return /^[({][^]*[)}]\s*$/.test(value) ? value.trim() : null;
}

const QUALIFIERS = String.raw`(?:(?:static|inline|constexpr|const|unsigned|signed)\s+)*`;
/** What begins a declaration of whole numbers, or of extents. */
const NUMBERS = new RegExp(
  String.raw`^\s*${QUALIFIERS}(?:int|unsigned|short|long|size_t|u?int\d+_t|auto|dim3)\b`,
);

/** An expression of whole numbers as it is evaluated, token by token. */
class Expression {
  readonly #text: string;
  readonly #valueOf: (name: string) => number | null;
  #at = 0;
  #token: string | number | null = null;

  constructor(text: string, valueOf: (name: string) => number | null) {
    this.#text = text.trim();
    this.#valueOf = valueOf;
    this.#next();
  }

  /** The value of all of it. @throws RangeError where it has none. */
  value(): number {
    const value = this.#binary(0);
    if (this.#token !== null || !Number.isSafeInteger(value)) throw new RangeError('no number');
    return value;
  }

  #next(): void {
    if (this.#at === this.#text.length) {
      this.#token = null;
      return;
    }
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match === null) throw new RangeError('no number');
    this.#at = TOKEN.lastIndex;
    const [, digits, name, sign] = match;
    if (digits !== undefined) this.#token = Number(digits.replaceAll("'", ''));
    else this.#token = name === undefined ? sign! : this.#valueOf(name);
    // Octal, or a name without a value.
    if (this.#token === null || /^0\d/.test(digits ?? '')) throw new RangeError('no number');
  }

  #binary(level: number): number {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let value = this.#binary(level + 1);
    for (;;) {
      const apply = typeof this.#token === 'string' ? operators[this.#token] : undefined;
      if (apply === undefined) return value;
      this.#next();
      value = apply(value, this.#binary(level + 1));
    }
  }

  #unary(): number {
    const token = this.#token;
    this.#next();
    if (typeof token === 'number') return token;
    if (token === '-') return -this.#unary();
    if (token !== '(') throw new RangeError('no number');
    const value = this.#binary(0);
    if (this.#token !== ')') throw new RangeError('no number');
    this.#next();
    return value;
  }
}

type Operator = (one: number, other: number) => number;

/** Operators by how strongly they bind, the weakest first. */
const LEVELS: readonly Readonly<Record<string, Operator>>[] = [
  { '<<': (one, other) => one * 2 ** other, '>>': (one, other) => Math.floor(one / 2 ** other) },
  { '+': (one, other) => one + other, '-': (one, other) => one - other },
  {
    '*': (one, other) => one * other,
    '/': (one, other) => Math.trunc(one / other),
    '%': (one, other) => one % other,
  },
];

/** Names that are looked up within one another. */
const MAX_DEPTH = 16;

/**
 * The constants of a source without comments.
 *
 * @param defined Names whose values are elsewhere.
 */
export function constantsOf(code: string, defined: ReadonlySet<string>): Constants {
  const textOf = (name: string): string | null => {
    return defined.has(name) ? null : definitionOf(code, name);
  };
  const evaluate = (text: string, depth: number): number | null => {
    const valueOf = (name: string): number | null => {
      const own = depth < MAX_DEPTH ? textOf(name) : null;
      return own === null ? null : evaluate(own, depth + 1);
    };
    try {
      return new Expression(text, valueOf).value();
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  };
  const number = (text: string): number | null => evaluate(text, 0);
  const extents = (text: string): Dimensions | null => {
    const named = /^[A-Za-z_]\w*$/.test(text) ? textOf(text) : null;
    const list = /^(?:dim3\s*)?[({]([^]*)[)}]$/.exec(named ?? text)?.[1];
    const parts = list === undefined ? [text] : partsOf(list);
    const [x, y = 1, z = 1] = parts.map(number);
    const isKnown = parts.length > 0 && parts.length <= 3;
    if (!isKnown || x === undefined || x === null || y === null || z === null) return null;
    return Math.min(x, y, z) < 1 ? null : [x, y, z];
  };
  return { number, extents };
}
