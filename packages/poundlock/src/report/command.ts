// The command that replays the schedule of a finding.
import type { Parameters } from '@poundlock/core/internal/finding';

/** `word` as one word of a POSIX shell command, quoted only if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * `poundlock check FILE --set …`, with the parameters that differ from the kernel's defaults.
 *
 * @example
 * checkCommand('gemm.ts', { stages: 1 }); // poundlock check gemm.ts --set stages=1
 */
export function checkCommand(
  file: string,
  parameters: Parameters,
  token?: string,
  more: readonly string[] = [],
): string {
  const words = ['poundlock', 'check', file.startsWith('-') ? `./${file}` : file, ...more];
  for (const [name, value] of Object.entries(parameters)) words.push('--set', `${name}=${value}`);
  if (token !== undefined) words.push('--replay', token);
  return words.map(shellWord).join(' ');
}
