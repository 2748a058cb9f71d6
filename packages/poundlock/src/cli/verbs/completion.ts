// `poundlock completion`: a script with which a shell completes verbs, options and their words.
import { Argument, Command } from 'commander';
import type { Host } from '@poundlock/core/internal/host';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import { completedVerb, type CompletedVerb } from '../completion/tables.ts';
import { ExitCode } from '../exit-code.ts';
import { VERBS } from './index.ts';
import type { Verb } from './verb.ts';

const HELP = `
Examples:
  eval "$(poundlock completion bash)"        in ~/.bashrc
  eval "$(poundlock completion zsh)"         in ~/.zshrc
  poundlock completion fish | source         in ~/.config/fish/config.fish`;

/** Every verb with its options; those of a package that is not installed have none. */
async function allVerbs(host: Host): Promise<CompletedVerb[]> {
  const verbs = Object.entries(VERBS).map(async ([name, { description, load }]) => {
    const command = new Command(name).description(description);
    try {
      (await load())(command, host, () => undefined);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    }
    return completedVerb(command);
  });
  return Promise.all(verbs);
}

export const completionVerb: Verb = (command, host, done) => {
  command
    .addArgument(new Argument('<SHELL>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      host.stdout.write(SCRIPTS[shell](await allVerbs(host)));
      done(ExitCode.clean);
    });
};
