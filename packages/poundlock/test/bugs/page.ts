// examples/bugs/README.md: what `check` says of each public bug, and of its fix.

/** One row of the table. */
export interface Row {
  /** The name of the program's file, without its ending; it begins with the number of the bug. */
  readonly name: string;
  readonly thread: string;
  readonly url: string;
  readonly cause: string;
  /** What `check` says of the program as it is. */
  readonly rule: string;
  readonly steps: number;
  /** What it says of the program with the fix. */
  readonly fix: string;
}

const HEAD = `# Public bugs

Bugs of warp-specialized and asynchronous GPU kernels, from public threads. Each program is a small
kernel with the mechanism of one of them, in our own words; its first lines say what is known from
the thread, and what is only modeled. As it is, \`check\` finds the bug; with \`--set fixed=true\`
the kernel has a fix, that of the thread where it can be written, and is certified:

\`\`\`sh
poundlock check examples/bugs/019-mailbox-without-free.ts
poundlock check examples/bugs/019-mailbox-without-free.ts --set fixed=true
\`\`\`

Steps are those of the shortest schedule that was found. The table is written by a test
(\`UPDATE_DOCS=1 npm test -- bugs\`), which checks each program and its fix.

| bug | thread | class | rule | fix | steps |
|--:|---|---|---|---|--:|
`;

/** The page, sorted by number. */
export function pageOf(rows: readonly Row[]): string {
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return HEAD + sorted.map(lineOf).join('');
}

function lineOf({ name, thread, url, cause, rule, steps, fix }: Row): string {
  const bug = `[${Number(name.slice(0, 3))}](${name}.ts)`;
  return `| ${bug} | [${thread}](${url}) | ${cause} | \`${rule}\` | ${fix} | ${steps} |\n`;
}
