// Extracts the ESLint configuration from a documentation page.
import { readFileSync } from 'node:fs';

export function configurationIn(page: string): string {
  const found = /```js\n\/\/ eslint\.config\.js\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'));
  if (found === null) throw new Error(`${page} shows no configuration`);
  return found[1]!;
}
