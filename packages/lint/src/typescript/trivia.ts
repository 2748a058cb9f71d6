// White space and comments around a node: its first token, and its documentation comment.

/** The offset of the first token at or after `from`. */
export function tokenStart(text: string, from: number): number {
  let position = from;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code === 0x2f && text[position + 1] === '/') position = endOfLine(text, position);
    else if (code === 0x2f && text[position + 1] === '*') position = endOfBlock(text, position);
    else if (code === 0x23 && position === 0 && text[1] === '!')
      position = endOfLine(text, position);
    else if (code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x2028) position++;
    else return position;
    if (position >= text.length) return text.length;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function endOfBlock(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2);
  return end === -1 ? text.length : end + 2;
}

/** The last documentation comment between a node's full start and its first token. */
export function docBefore(text: string, from: number, start: number): string {
  if (start - from < 5) return '';
  const docStart = text.lastIndexOf('/**', start);
  if (docStart < from) return '';
  return text.slice(docStart + 3, text.indexOf('*/', docStart + 3));
}

/** A comment with tags that follows a declaration on its line: `f(): H; // @returnsOwned`. */
export function tagsAfter(text: string, end: number): string {
  const line = text.slice(end, endOfLine(text, end));
  const comment = /^\s*;?\s*\/\/(.*@.*)$/.exec(line);
  return comment?.[1] ?? '';
}
