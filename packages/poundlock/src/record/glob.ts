// Names of kernels against a pattern with `*` and `?`.
import { readableName } from '@poundlock/ptx/internal/text/names';

/** Whether a pattern matches the name of a kernel: mangled, or readable. */
export function matchesKernel(pattern: string, name: string): boolean {
  const source = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 's');
  return expression.test(name) || expression.test(readableName(name));
}
