// Extracts a function of a file into its own file.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const CLASSIC = join(import.meta.dirname, '..', '..', 'tools', 'classic-typescript');
const ts = createRequire(join(CLASSIC, 'package.json'))('typescript');

function functionAt(file, from, to) {
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const search = (node) => {
    const isIt = ts.isFunctionLike(node) && node.body && lineOf(node.getStart(file)) === from;
    if (isIt && lineOf(node.end) === to) return node;
    return ts.forEachChild(node, search);
  };
  return search(file);
}

export function loneText(text, { path, from, to }) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const node = functionAt(file, from, to);
  const code = node.getText(file);
  const extension = path.endsWith('x') ? 'tsx' : path.endsWith('js') ? 'js' : 'ts';
  const isMember = ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node);
  if (ts.isMethodDeclaration(node) && ts.isObjectLiteralExpression(node.parent)) {
    return { code: `const object = { ${code} };`, extension };
  }
  if (isMember || ts.isAccessor(node)) return { code: `class Alone {\n${code}\n}`, extension };
  return ts.isFunctionDeclaration(node)
    ? { code, extension }
    : { code: `const alone = ${code};`, extension };
}
