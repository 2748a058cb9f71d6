// The rows of a measured table, each with the program that was measured.
import { existsSync, readFileSync } from 'node:fs';
import { Program } from '@poundlock/core/internal/program';

const camel = (title) => title.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The cases of a table, of the program of that name; `null` if it was not measured on this chip. */
export async function casesOf(chip, name, table) {
  const file = new URL(`${chip}/${table}.csv`, import.meta.url);
  if (!existsSync(file)) return null;
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const { default: kernel } = await import(`../examples/h200/${name}.ts`);
  const titles = rows[0].split(',').map(camel);
  return rows.slice(1).map((line, row) => {
    const cells = Object.fromEntries(line.split(',').map((cell, at) => [titles[at], cell]));
    const own = Object.entries(cells).filter(([title]) => title in kernel.defaults);
    const program = Program.together(kernel, Object.fromEntries(own));
    return { kernel: table, row, program, measuredCycles: Number(cells.totalCycles) };
  });
}
