// Parts of what a module exports that its text says word for word: it need not be executed.
import type { Position } from '@poundlock/core/internal/base';
import { child, list, positionAt, readModule, type Module, type Node } from './syntax.ts';

/** A value that a text can say: of strings, numbers, booleans, lists and objects. */
export type Literal =
  | string
  | number
  | boolean
  | readonly Literal[]
  | { readonly [key: string]: Literal };

/** What the text of a module says of a part of its default export. */
export type Part =
  | { readonly value: Literal }
  /** The text does not say it word for word. */
  | { readonly what: string; readonly at: Position };

/** Thrown inside of this file at what is no literal. */
class OpenPart extends Error {
  readonly what: string;
  readonly node: Node;

  constructor(what: string, node: Node) {
    super(what);
    this.what = what;
    this.node = node;
  }
}

/** Reads a part as it stands: `export default { check: { accept: ['poll'] } }`; `null`: none. */
export function partOf(file: string, text: string, part: string): Part | null {
  const module = readModule(file, text);
  if (module === null) return { what: 'the module', at: { file, line: 1, column: 1 } };
  const exported = list(module.program, 'body').find(
    ({ type }) => type === 'ExportDefaultDeclaration',
  );
  if (exported === undefined) return null;
  const whole = constantOf(module, child(exported, 'declaration')!);
  if (whole.type !== 'ObjectExpression')
    return text.includes(part) ? openAt(module, exported, 'the export') : null;
  for (const property of list(whole, 'properties')) {
    if (property.type !== 'Property') return openAt(module, property, 'the export');
    if (keyOf(property) !== part) continue;
    try {
      return { value: literalOf(module, child(property, 'value')!, part, property) };
    } catch (error) {
      if (!(error instanceof OpenPart)) throw error;
      return openAt(module, error.node, error.what);
    }
  }
  return null;
}

function openAt(module: Module, node: Node, what: string): Part {
  return { what, at: positionAt(module, node.start) };
}

/** The value of an expression; what is none is reported at `place`, under the key `what`. */
function literalOf(module: Module, node: Node, what: string, place: Node): Literal {
  const expression = constantOf(module, node);
  if (expression.type === 'ObjectExpression') {
    const entries = list(expression, 'properties').map((property) => {
      const key = property.type === 'Property' ? keyOf(property) : null;
      if (key === null) throw new OpenPart(what, property);
      const value = child(property, 'value')!;
      return [key, literalOf(module, value, key, value)] as const;
    });
    return Object.fromEntries(entries);
  }
  if (expression.type === 'ArrayExpression')
    return list(expression, 'elements').map((each) => literalOf(module, each, what, each));
  const { value } = expression;
  if (expression.type === 'Literal' && isScalar(value)) return value;
  const isNegative = expression.type === 'UnaryExpression' && expression['operator'] === '-';
  const operand = isNegative ? child(expression, 'argument')!['value'] : undefined;
  if (typeof operand === 'number') return -operand;
  throw new OpenPart(what, place);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** An expression, or that of the constant which it names. */
function constantOf(module: Module, node: Node): Node {
  const variable = node.type === 'Identifier' ? module.variables.get(node) : undefined;
  return variable?.kind === 'const' && variable.init !== null ? variable.init! : node;
}

function keyOf(property: Node): string | null {
  const key = child(property, 'key')!;
  if (property['computed'] === true) return null;
  return String(key.type === 'Literal' ? key['value'] : key['name']);
}
