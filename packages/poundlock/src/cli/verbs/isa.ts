// `poundlock isa`: what an instruction or a modifier of PTX is, and whether `check` models it.
import { InputError } from '@poundlock/core/internal/base';
import { describeForms, meantBy, mnemonics } from '@poundlock/ptx/internal/isa/describe';
import { ExitCode } from '../exit-code.ts';
import type { Verb } from './verb.ts';

/** The answer for a word, or the names of all instructions without one. */
export function isaText(word: string | undefined): string {
  if (word === undefined) return `${mnemonics().join(' ')}\n`;
  const text = describeForms(word);
  if (text !== null) return text;
  const meant = meantBy(word);
  const help = meant === undefined ? '' : `: did you mean ${meant}?`;
  throw new InputError(`no form of PTX has the word ${word}${help}`);
}

export const isaVerb: Verb = (command, host, done) => {
  command
    .argument('[WORD]', 'an instruction or a modifier of PTX; without it, all names are listed')
    .action((word: string | undefined) => {
      host.stdout.write(isaText(word));
      done(ExitCode.clean);
    });
};
