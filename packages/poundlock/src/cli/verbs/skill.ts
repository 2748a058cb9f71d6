// `poundlock skill`: the page that an agent reads before it uses poundlock.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '@poundlock/core/internal/base';
import { atFile, type Host } from '@poundlock/core/internal/host';
import { ExitCode } from '../exit-code.ts';
import type { Verb } from './verb.ts';

const HELP = `
Examples:
  poundlock skill                       prints the page
  poundlock skill --to .claude/skills   copies it to where an agent looks for skills

Exit code: 0 done, 2 could not write`;

/** The page in the package, and the one of the repository, where that is not built. */
const PLACES = ['../../../lib/skill/SKILL.md', '../../../../../skills/poundlock/SKILL.md'];
const NAME = 'poundlock';

function page(): string {
  const paths = PLACES.map((each) => fileURLToPath(new URL(each, import.meta.url)));
  const found = paths.find((each) => existsSync(each));
  if (found === undefined) throw new InputError('the package has no skill');
  return readFileSync(found, 'utf8');
}

function run(to: string | undefined, host: Host): void {
  const text = page();
  if (to === undefined) {
    host.stdout.write(text);
    return;
  }
  const folder = resolve(host.cwd, to, NAME);
  const file = join(folder, 'SKILL.md');
  atFile(file, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  });
  host.stdout.write(`${file}\n`);
}

export const skillVerb: Verb = (command, host, done) => {
  command
    .option('--to <DIR>', 'copy it into this folder, as poundlock/SKILL.md')
    .addHelpText('after', HELP)
    .action(({ to }: { readonly to?: string }) => {
      run(to, host);
      done(ExitCode.clean);
    });
};
