// Renders a finding as one ESLint message: the cause first, then the labels with their lines.
import { relative } from 'node:path';
import type { LintFinding } from '@poundlock/lint';

/** `The … is not released when …. Line 13: this may be rejected. Release it with …` */
export function sentencesOf(finding: LintFinding, cwd: string): string {
  const { message, primary, labels, notes, helps } = finding;
  const others = labels.map(({ file, line, text }) => {
    const where = file === primary.file ? '' : `${relative(cwd, file)}, `;
    return `${where}line ${line}: ${text}`;
  });
  return [message, ...others, ...notes, ...helps].map(sentence).join(' ');
}

function sentence(text: string): string {
  const start = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
