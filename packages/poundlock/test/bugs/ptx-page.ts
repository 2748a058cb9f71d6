// examples/ptx/bugs/README.md: what `check` says of each public bug as CUDA compiled to PTX.
import { existsSync, readFileSync } from 'node:fs';

/** One row of the table. */
export interface Row {
  /** The name of the kernel's folder; it begins with the number of the bug. */
  readonly name: string;
  readonly thread: string;
  readonly url: string;
  readonly cause: string;
  readonly arch: string;
  /** What `check` says of the kernel with the bug. */
  readonly rule: string;
  /** Why that is not what it says of the program in examples/bugs. */
  readonly why: string;
  /** What it says of the kernel with the fix. */
  readonly fix: string;
  /** A size at which the kernel with the bug is certified. */
  readonly hidden: string;
  /** Bytes of the PTX with the bug. */
  readonly bytes: number;
  /** Milliseconds of both checks, PTX included. */
  readonly ms: number;
}

const headOf = (found: number, awaiting: number): string => `# Public bugs as CUDA, compiled to PTX

${found} bugs of [examples/bugs](../../bugs/README.md) once more, as kernels: each folder has a small
CUDA text of our own with the mechanism of a public thread, the PTX that nvcc 13.0 makes of it
without and with the fix (\`-DFIXED=true\`), and its launch. No GPU is needed:

\`\`\`sh
poundlock check examples/ptx/bugs/019-mailbox-without-free/bug.ptx
poundlock check examples/ptx/bugs/019-mailbox-without-free/fix.ptx
\`\`\`

\`node examples/ptx/bugs/compile.ts\` compiles all of them again. The table is written by a test
(\`UPDATE_DOCS=1 npm test -- bugs\`), which checks each kernel and its fix in one process; ms is what
both took together when it was last written. A kernel that needs \`--memory isa\` says so in its
first lines. *Hidden at* is a size at which the kernel with the bug is certified.

The ${awaiting} other folders have bugs that \`check\` does not find in PTX yet: [about.ts](about.ts)
says what each awaits, and a test fails once one is found.

| bug | thread | class | PTX | bytes | bug | fix | hidden at | ms |
|--:|---|---|---|--:|---|---|---|--:|
`;

/**
 * The page, sorted by number, with the notes on rules that differ; and how many kernels are not on
 * it, because their bugs are not found yet.
 */
export function pageOf(rows: readonly Row[], awaiting: number): string {
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const reasons = [...new Set(sorted.map(({ why }) => why).filter((why) => why !== ''))];
  const marks = new Map(reasons.map((why, index) => [why, SIGNS[index]!]));
  const notes = reasons.map((why) => `${marks.get(why)} ${why}`).join('; ');
  const foot = `\nWhere the rule is not the program's: ${notes}.\n`;
  return headOf(rows.length, awaiting) + sorted.map((row) => lineOf(row, marks)).join('') + foot;
}

const SIGNS = ['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

function lineOf(row: Row, marks: ReadonlyMap<string, string>): string {
  const { name, thread, url, cause, arch, bytes, rule, why, fix, hidden, ms } = row;
  const bug = `[${Number(name.slice(0, 3))}](${name}/kernel.cu)`;
  const found = `\`${rule}\`${marks.get(why) ?? ''}`;
  return `| ${bug} | [${thread}](${url}) | ${cause} | ${arch} | ${bytes} | ${found} | ${fix} | ${hidden} | ${ms} |\n`;
}

/** The times on a page as it is, by the number of the bug: they are not compared. */
export function timesOn(file: string): ReadonlyMap<number, number> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').matchAll(/^\| \[(\d+)\].* (\d+) \|$/gm);
  return new Map([...lines].map(([, bug, ms]) => [Number(bug), Number(ms)]));
}
