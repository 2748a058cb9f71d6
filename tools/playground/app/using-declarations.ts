// The `using` declarations of a JavaScript text, with the ends of their blocks.
import { parse, type AnyNode, type VariableDeclaration } from 'acorn';

/** A declaration `using name = …;`. */
export interface UsingDeclaration {
  readonly at: number;
  readonly name: string;
  /** Behind its last character. */
  readonly end: number;
  /** Where the brace is that closes its block. */
  readonly blockEnd: number;
}

/**
 * The declarations in the order of the text; `null` where one has no block of its own or several
 * names. Of a text with a syntax error there are none: the browser names it.
 */
export function usingDeclarations(text: string): UsingDeclaration[] | null {
  const found: UsingDeclaration[] = [];
  let isWritable = true;
  const visit = (node: AnyNode, parent: AnyNode | null): void => {
    if (node.type === 'VariableDeclaration' && node.kind.endsWith('using')) {
      const declaration = declarationIn(node, parent);
      if (declaration === null) isWritable = false;
      else found.push(declaration);
    }
    for (const child of childrenOf(node)) visit(child, node);
  };
  const program = programOf(text);
  if (program === null) return [];
  visit(program, null);
  return isWritable ? found.toSorted((one, other) => one.at - other.at) : null;
}

function programOf(text: string): AnyNode | null {
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function declarationIn(
  { kind, declarations, start: at, end }: VariableDeclaration,
  parent: AnyNode | null,
): UsingDeclaration | null {
  const [first, ...others] = declarations;
  const isBlock = parent?.type === 'BlockStatement' || parent?.type === 'StaticBlock';
  if (kind !== 'using' || !isBlock || first?.id.type !== 'Identifier' || others.length > 0)
    return null;
  return { at, name: first.id.name, end, blockEnd: parent.end - 1 };
}

/** The nodes directly below a node. */
function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter((each: unknown): each is AnyNode => isNode(each));
}

function isNode(each: unknown): boolean {
  return typeof each === 'object' && each !== null && 'type' in each && 'start' in each;
}
