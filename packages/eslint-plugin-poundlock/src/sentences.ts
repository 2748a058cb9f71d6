// A finding as the one text that ESLint shows: the cause first, then every other party by its line.
import type { LintFinding } from 'poundlock/lint';

/** `The … is not released when …. Line 13: this may be rejected. Release it with …` */
export function sentencesOf({ message, primary, labels, notes, helps }: LintFinding): string {
  const others = labels.map(({ file, line, text }) => {
    const where = file === primary.file ? 'line' : `${file}, line`;
    return `${where} ${line}: ${text}`;
  });
  return [message, ...others, ...notes, ...helps].map(sentence).join(' ');
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
