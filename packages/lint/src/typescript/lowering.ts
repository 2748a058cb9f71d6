// The context of lowering one file: collected declarations, and access to nodes.
import type {
  ClassNode,
  Expression,
  FunctionNode,
  ImportBinding,
  Name,
  OpaqueNode,
  SourceFile,
  TypeAlias,
} from '../syntax/node.ts';
import type { Dialect, TsNode } from './tree.ts';
import { docBefore, tokenStart } from './trivia.ts';

/** Deeper nesting than this is generated code: it is lowered as an opaque node. */
export const MAX_DEPTH = 400;

export class Lowering {
  readonly text: string;
  readonly dialect: Dialect;
  readonly functions: FunctionNode[] = [];
  readonly classes: ClassNode[] = [];
  readonly imports: ImportBinding[] = [];
  readonly typeAliases = new Map<string, TypeAlias>();
  readonly declared = new Map<string, FunctionNode | ClassNode>();
  readonly casts = new Map<Expression, unknown>();
  /** The file itself, which functions point to: completed at the end. */
  readonly file = {} as SourceFile;
  depth = 0;

  constructor(text: string, dialect: Dialect) {
    this.text = text;
    this.dialect = dialect;
  }

  kind(node: TsNode): string {
    return this.dialect.nameOf[node.kind] ?? 'Unknown';
  }

  is(node: TsNode | undefined, kind: string): boolean {
    return node !== undefined && this.kind(node) === kind;
  }

  span(node: TsNode): { start: number; end: number } {
    return { start: tokenStart(this.text, node.pos), end: node.end };
  }

  doc(node: TsNode): string {
    return docBefore(this.text, node.pos, tokenStart(this.text, node.pos));
  }

  modifier(node: TsNode, kind: string): boolean {
    return node.modifiers?.some((modifier) => this.kind(modifier) === kind) ?? false;
  }

  declare(node: TsNode, declaration: FunctionNode | ClassNode): void {
    this.declared.set(this.dialect.keyOf(node), declaration);
  }

  name(node: TsNode): Name {
    const text = node.text ?? '';
    return { kind: 'name', ...this.span(node), text, variable: undefined, origin: node };
  }

  parts(node: TsNode, parts: readonly Expression[], sequence = false): OpaqueNode {
    return { kind: 'parts', ...this.span(node), parts, sequence };
  }

  /** The name of a property where it is known: `x`, `'x'`, `0`, `#x`, `[Symbol.dispose]`. */
  propertyName(node: TsNode | undefined): string | undefined {
    if (node === undefined) return undefined;
    switch (this.kind(node)) {
      case 'Identifier':
      case 'PrivateIdentifier':
      case 'StringLiteral':
      case 'NoSubstitutionTemplateLiteral':
      case 'NumericLiteral':
        return node.text;
      case 'ComputedPropertyName':
        return this.literalKey(node.expression!);
      default:
        return undefined;
    }
  }

  /** The name of a key that is an expression: a literal, or a well-known symbol. */
  literalKey(node: TsNode): string | undefined {
    const { expression, name } = node;
    if (this.is(node, 'PropertyAccessExpression')) {
      const isSymbol = this.is(expression, 'Identifier') && expression?.text === 'Symbol';
      return isSymbol ? `[Symbol.${name?.text}]` : undefined;
    }
    return this.kind(node).endsWith('Literal') ? this.propertyName(node) : undefined;
  }
}
