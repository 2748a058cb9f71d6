// The kernels of a PTX text, each as a text of its own: a module of all of them is slow to read.

/** The text of each entry with the directives and variables of its module, by name. */
export function entriesOf(ptx) {
  const lines = ptx.split('\n');
  const head = [];
  const entries = new Map();
  let current = null;
  let name = '';
  let depth = 0;
  for (const line of lines) {
    const start = /^\s*(?:\.visible |\.weak )?\.entry (\w+)/.exec(line);
    if (start !== null) {
      name = start[1];
      current = [];
      depth = 0;
    }
    (current ?? head).push(line);
    if (current === null) continue;
    // Inline assembly has blocks of its own.
    depth += line.split('{').length - line.split('}').length;
    if (depth > 0 || !line.startsWith('}')) continue;
    entries.set(name, current);
    current = null;
  }
  return new Map([...entries].map(([each, body]) => [each, [...head, ...body].join('\n')]));
}
