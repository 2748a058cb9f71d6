// White space and comments around a node: its first token, and its documentation comment.

/** The offset of the first token at or after `from`. */
export function tokenStart(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x2f && text[at + 1] === '/') at = endOfLine(text, at);
    else if (code === 0x2f && text[at + 1] === '*') at = endOfBlock(text, at);
    else if (code === 0x23 && at === 0 && text[1] === '!') at = endOfLine(text, at);
    else if (code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x2028) at++;
    else return at;
    if (at >= text.length) return text.length;
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function endOfBlock(text: string, at: number): number {
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + 2;
}

/** The last documentation comment between a node's full start and its first token. */
export function docBefore(text: string, from: number, start: number): string {
  if (start - from < 5) return '';
  const open = text.lastIndexOf('/**', start);
  if (open < from) return '';
  return text.slice(open + 3, text.indexOf('*/', open + 3));
}

/** A comment with tags that follows a declaration on its line: `f(): H; // @returnsOwned`. */
export function tagsAfter(text: string, end: number): string {
  const line = text.slice(end, endOfLine(text, end));
  const found = /^\s*;?\s*\/\/(.*@.*)$/.exec(line);
  return found?.[1] ?? '';
}
