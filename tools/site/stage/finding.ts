// What check prints of a program, and the diagram of its first schedule.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { printed, withoutTimes } from './command.ts';
import { ROOT } from './repository.ts';

export interface Shown {
  /** With ANSI styles. */
  readonly output: string;
  /** The space-time diagram and the table of its steps, as HTML; empty without a schedule. */
  readonly schedule: string;
}

const ESCAPE = String.fromCharCode(27);
/** A text in gray, with the style that ends faint text. */
const FAINT = new RegExp(`${ESCAPE}\\[90m[^${ESCAPE}]*${ESCAPE}\\[22m`, 'g');

/** The diagram, drawn for wide and for narrow screens, and the table below it. */
const SCHEDULE = /<div class="diagram"[\s\S]*?<\/div>\s*<details[\s\S]*?<\/details>/;

/** Checks a file with some options; `name` is what the output calls it. */
export async function shownBy(
  file: string,
  options: readonly string[],
  name = file,
): Promise<Shown> {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-site-'));
  const page = join(folder, 'page.html');
  const reporters = ['--reporter', 'terminal', '--reporter', `html=${page}`];
  try {
    const output = withoutTimes(await printed(['check', file, ...options, ...reporters]));
    const [schedule = ''] = SCHEDULE.exec(readFileSync(page, 'utf8')) ?? [];
    // A blank line would end the HTML in Markdown.
    return {
      output: output.trim().replaceAll(file, name),
      schedule: schedule.replaceAll(/\n\s*\n/g, '\n'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Works with a program as a file of the repository, where it finds `poundlock`. */
export async function withProgram<T>(
  name: string,
  program: string,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const below = join(ROOT, 'tools', 'site', 'dist');
  mkdirSync(below, { recursive: true });
  const folder = mkdtempSync(join(below, 'program-'));
  try {
    writeFileSync(join(folder, name), program);
    return await work(relative(ROOT, join(folder, name)).split(sep).join('/'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Output with its colors, as a block of Markdown. */
export function terminalBlock(command: string, output: string): string {
  // Faint text is gray: half of the color would be too little contrast.
  const gray = output.replaceAll(`${ESCAPE}[2m`, `${ESCAPE}[90m`);
  const shown = gray.replaceAll(FAINT, (text) => text.replace('[22m', '[39m'));
  return `\`\`\`ansi wrap title="$ ${command}"\n${shown}\n\`\`\``;
}
