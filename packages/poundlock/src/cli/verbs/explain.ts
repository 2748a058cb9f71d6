// `poundlock explain`: the page of a rule or an assumption, or what an address or a word means.
import { findName, InputError, nearest } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { ALL_RULES, ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import { renderAssumption, renderPage, renderRuleList, type Paint } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { addColorOptions, readColor, type ColorOptions } from '../options/color.ts';
import { readRulePage } from '../rule-pages.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

function unknownRule(word: string): InputError {
  const guess = nearest(word, [...ALL_RULES, ...ASSUMPTION_NAMES]);
  const help = guess === undefined ? '' : `did you mean ${guess}? `;
  return new InputError(
    `there is no rule or assumption ${word}: ${help}\`poundlock explain\` lists them`,
  );
}

/** A finding shows `error[deadlock]`, which can be copied whole. */
function nameIn(word: string): string {
  return /^(?:error|warning|assumption)?\[(.*)\]$/i.exec(word)?.[1] ?? word;
}

/** The page of a rule or an assumption, whose name may be in lower or upper case. */
function pageOf(word: string, paint: Paint): string {
  const name = nameIn(word);
  const rule = findName(name, ALL_RULES);
  if (rule !== undefined) return renderPage(readRulePage(rule), paint);
  const assumption = findName(name, ASSUMPTION_NAMES);
  if (assumption !== undefined) return renderAssumption(assumption, paint);
  throw unknownRule(word);
}

interface Options extends ColorOptions {
  readonly address?: string;
  readonly word?: string;
  readonly launch?: string;
  readonly entry?: string;
}

/** What is explained: an address or a word of a debugger, a rule, or the list of rules. */
async function textOf(name: string | undefined, options: Options, host: Host): Promise<string> {
  const { address, word, launch, entry } = options;
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
      '[NAME]',
      'what a finding or a verdict has in brackets, or with --address the PTX; ' +
        'without it, all rules are listed',
    )
    .option('--word <0x…>', 'the 64-bit word of an mbarrier, as a debugger prints it')
    .option('--address <0x…>', 'an address in shared memory of a kernel, as tools print it')
    .option('--launch <FILE.json>', 'with --address: how the kernel is launched')
    .option('--entry <NAME>', 'with --address: which kernel of the PTX')
    .action(async (name: string | undefined, options: Options) => {
      host.stdout.write(await textOf(name, options, host));
      done(ExitCode.clean);
    });
};
