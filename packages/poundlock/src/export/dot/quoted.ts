// Strings of the language of Graphviz.

/** A Graphviz string; line breaks become centered lines. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
