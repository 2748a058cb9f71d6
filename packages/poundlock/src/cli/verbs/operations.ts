// `poundlock operations`: what a function of the program text does, and what others call it.
import { InputError } from '@poundlock/core/internal/base';
import { ExitCode } from '../exit-code.ts';
import { findFunctions, functionMeantBy, listFunctions } from '../operations.ts';
import type { Verb } from './verb.ts';

function operationsText(word: string, columns: number | undefined): string {
  if (word === '') return listFunctions(columns);
  const text = findFunctions(word, columns);
  if (text !== null) return text;
  const meant = functionMeantBy(word);
  const help = meant === undefined ? '' : `: did you mean ${meant}?`;
  throw new InputError(`no function of programs has the word ${word}${help}`);
}

export const operationsVerb: Verb = (command, host, done) => {
  command
    .argument(
      '[WORD...]',
      'a function of programs, or its name in PTX, CUTLASS, CuTe DSL or Mojo; without it, all ' +
        'functions are listed',
    )
    .action((words: readonly string[]) => {
      const { isTerminal, columns } = host.stdout;
      host.stdout.write(operationsText(words.join(' '), isTerminal ? columns : undefined));
      done(ExitCode.clean);
    });
};
