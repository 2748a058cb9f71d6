// `poundlock explain`: what any word of a verdict means, or an address or a word of a debugger.
import { InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { ALL_RULES } from '@poundlock/core/internal/finding';
import { renderRuleList } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { pageOf } from '../explain/page-of.ts';
import { addColorOptions, readColor, type ColorOptions } from '../options/color.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

interface Options extends ColorOptions {
  readonly address?: string;
  readonly word?: string;
  readonly launch?: string;
  readonly entry?: string;
}

/** What is explained: an address or a word of a debugger, a word of a verdict, or all words. */
async function textOf(words: readonly string[], options: Options, host: Host): Promise<string> {
  const { address, word, launch, entry } = options;
  const name = words.length === 0 ? undefined : words.join(' ');
  if (word !== undefined) {
    if (name !== undefined || address !== undefined)
      throw new InputError('--word explains a word alone');
    return (await import('../hang/explain-word.ts')).explainWord(word);
  }
  if (address !== undefined) {
    const { explainAddress } = await import('../hang/explain-address.ts');
    return explainAddress(address, name, { launch, entry }, host);
  }
  if (launch !== undefined || entry !== undefined)
    throw new InputError('--launch and --entry have no effect without --address');
  const paint = paintFor(host.stdout, host.env, readColor(options));
  return name === undefined ? renderRuleList(ALL_RULES, paint) : pageOf(name, paint);
}

export const explainVerb: Verb = (command, host, done) => {
  addColorOptions(command)
    .argument(
      '[WORDS...]',
      'any word that a verdict prints, or a part of its text; with --address the PTX; ' +
        'without it, all words are listed',
    )
    .option('--word <0x…>', 'the 64-bit word of an mbarrier, as a debugger prints it')
    .option('--address <0x…>', 'an address in shared memory of a kernel, as tools print it')
    .option('--launch <FILE.json>', 'with --address: how the kernel is launched')
    .option('--entry <NAME>', 'with --address: which kernel of the PTX')
    .action(async (words: readonly string[], options: Options) => {
      host.stdout.write(await textOf(words, options, host));
      done(ExitCode.clean);
    });
};
