// Parts of what a module exports that its text says word for word: it need not be executed.
import type { Position } from '@poundlock/core/internal/base';
import { child, list, positionAt, readModule, type Module, type Node } from './syntax.ts';

/** Words under a key of a part, and where they are. */
export type Words = ReadonlyMap<string, readonly (readonly [word: string, at: Position])[]>;

/** What the text of a module says of a part of its default export. */
export type Part =
  | { readonly words: Words }
  /** The text does not say it word for word. */
  | { readonly what: string; readonly at: Position };

/** Reads lists of words: `export default { check: { accept: ['poll'] } }`; `null`: no such part. */
export function wordsOf(file: string, text: string, part: string): Part | null {
  const module = readModule(file, text);
  if (module === null) return { what: 'the module', at: { file, line: 1, column: 1 } };
  const exported = list(module.program, 'body').find(
    ({ type }) => type === 'ExportDefaultDeclaration',
  );
  if (exported === undefined) return null;
  const whole = valueOf(module, child(exported, 'declaration')!);
  if (whole === null) return text.includes(part) ? openAt(module, exported, 'the export') : null;
  for (const property of list(whole, 'properties')) {
    if (property.type !== 'Property') return openAt(module, property, 'the export');
    if (keyOf(property) !== part) continue;
    const value = valueOf(module, child(property, 'value')!);
    return value === null ? openAt(module, property, part) : listsIn(module, value);
  }
  return null;
}

function openAt(module: Module, node: Node, what: string): Part {
  return { what, at: positionAt(module, node.start) };
}

function listsIn(module: Module, part: Node): Part {
  const words = new Map<string, (readonly [string, Position])[]>();
  for (const property of list(part, 'properties')) {
    const key = property.type === 'Property' ? keyOf(property) : null;
    const value = property.type === 'Property' ? child(property, 'value')! : property;
    const elements = value.type === 'ArrayExpression' ? list(value, 'elements') : null;
    if (key === null || elements === null) return openAt(module, property, key ?? 'a part');
    const open = elements.find((one) => typeof one['value'] !== 'string');
    if (open !== undefined) return openAt(module, open, key);
    const found = elements.map(
      (one) => [String(one['value']), positionAt(module, one.start)] as const,
    );
    words.set(key, found);
  }
  return { words };
}

/** The object that an expression is: itself, or the value of a constant. */
function valueOf(module: Module, node: Node): Node | null {
  if (node.type === 'ObjectExpression') return node;
  const variable = node.type === 'Identifier' ? module.variables.get(node) : undefined;
  const isConstant = variable?.kind === 'const' && variable.init !== null;
  return isConstant && variable.init!.type === 'ObjectExpression' ? variable.init : null;
}

function keyOf(property: Node): string | null {
  const key = child(property, 'key')!;
  if (property['computed'] === true) return null;
  return String(key.type === 'Literal' ? key['value'] : key['name']);
}
