// Text that cannot act on what shows it: control characters are escaped, also invisible ones.

/**
 * Control characters of C0 and C1, line separators, marks that change the direction of text, and
 * characters without width.
 */
const CONTROLS =
  // The point of this expression.
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const LAST_BYTE = 0xff;

function escapeOf(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16);
  return (
    SHORT[character] ?? (code > LAST_BYTE ? unicode(character) : `\\x${digits.padStart(2, '0')}`)
  );
}

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text for one line of output: `\n`, `\x1b`, `\u202e` instead of what they stand for. */
export function displayText(text: string): string {
  return text.replaceAll(CONTROLS, escapeOf);
}

/** The same for a line of source, where tabs are usual. */
export function displaySource(text: string): string {
  return text.replaceAll(CONTROLS, (one) => (one === '\t' ? one : escapeOf(one)));
}

/** The same for a name: different names stay different. */
export function displayName(name: string): string {
  return displayText(name.replaceAll(/\\(?=[nrtxu\\])/g, '\\\\'));
}

/** A JSON document that shows nothing else than it says: its strings keep their values. */
export function displayJson(json: string): string {
  return json.replaceAll(CONTROLS, (one) => (one < ' ' ? one : unicode(one)));
}
