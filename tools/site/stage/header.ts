// The comment at the top of a program: what it shows, in paragraphs.

export interface Headed {
  /** The first paragraph, as one line. */
  readonly summary: string;
  /** All of the comment, as Markdown. */
  readonly about: string;
  /** The program without the comment. */
  readonly program: string;
}

/** Splits a program from the comment that it begins with. */
export function headedOf(text: string): Headed {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  const comment = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
  const parts = comment.join('\n').split(/\n\s*\n/);
  const blocks = parts.filter((part) => part.trim() !== '').map(blockOf);
  const summary = (parts[0] ?? '').replaceAll(/\s+/g, ' ').trim();
  return { summary, about: blocks.join('\n\n'), program: lines.slice(end).join('\n').trim() };
}

/** A paragraph; a table of columns stays as it is. */
function blockOf(part: string): string {
  const isTable = part.split('\n').some((line) => /\S {2,}\S/.test(line));
  if (isTable) return `\`\`\`text\n${part}\n\`\`\``;
  return part.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}
