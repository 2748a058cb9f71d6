// What an expression of a program text does beside its value, as far as its tokens show.
import type { Range } from './statements.ts';
import type { Token, Tokens } from './tokens.ts';

const ASSIGNS = /^(?:\+\+|--|(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=)$/;
/** Words that call something, or that make a function. */
const ACTS = new Set('new delete await yield function class async import'.split(' '));
/** Words that an opening parenthesis may follow without being called. */
const NOT_CALLED = new Set('if while for return throw typeof void in of do else case'.split(' '));
/** What makes an access to a property, or a conversion, run code. */
const ACCESSORS = new RegExp(
  String.raw`\b(?:get|set)\s+[\w$#['"]|` +
    String.raw`\b(?:definePropert\w+|__define\w+|Proxy|Reflect|valueOf|toString|toPrimitive)\b`,
);

/** Whether properties of objects in a text may run code when they are read. */
export function mayHaveAccessors(text: string): boolean {
  return ACCESSORS.test(text);
}

/** Whether tokens call, assign, or make a function; `isExempt` are those that do not count. */
export function hasEffects(
  { list }: Tokens,
  { from, to }: Range,
  isExempt: (index: number) => boolean = () => false,
): boolean {
  for (let index = from; index < to; index++) {
    if (isAction(list, index) && !isExempt(index)) return true;
  }
  return false;
}

function isAction(list: readonly Token[], index: number): boolean {
  const { kind, text } = list[index]!;
  if (kind === 'word') return ACTS.has(text);
  if (kind === 'template') return text.includes('${') || endsOperand(list, index - 1);
  if (kind !== 'sign') return false;
  if (text === '(') return endsOperand(list, index - 1);
  return text === '=>' || text === '@' || ASSIGNS.test(text);
}

/** Whether a value ends with a token, so that a parenthesis behind it calls that. */
function endsOperand(list: readonly Token[], index: number): boolean {
  const token = list[index];
  if (token === undefined) return false;
  if (token.kind === 'word') return !NOT_CALLED.has(token.text);
  // Behind a value it says that this is not null, before one it is `not`.
  if (token.text === '!') return endsOperand(list, index - 1);
  return token.kind !== 'sign' || /^(?:[)\]}>]|\?\.)$/.test(token.text);
}
