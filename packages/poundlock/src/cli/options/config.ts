// The part `check` of the nearest `poundlock.config.ts`: what a project always takes for granted.
import { readFileSync } from 'node:fs';
import { InputError, unknownName } from '@poundlock/core/internal/base';
import { atFile, configFileOf, fileName, type Host } from '@poundlock/core/internal/host';
import { withoutTypes } from '../program-source.ts';

const KEYS = ['accept', 'deny'] as const;

/** The words of `--accept` and `--deny` that a project always has. */
export type CheckConfig = Readonly<Record<(typeof KEYS)[number], readonly string[]>>;

const NONE: CheckConfig = { accept: [], deny: [] };

/**
 * Reads the configuration at or above the current folder. Its text is read and not executed: PTX is
 * data, and checking it runs no code of a project.
 *
 * @throws InputError where the text does not say the words.
 */
export async function readCheckConfig({ cwd }: Host): Promise<CheckConfig> {
  const path = configFileOf(cwd);
  if (path === undefined) return NONE;
  const { wordsOf } = await import('../../text/literals.ts');
  const text = atFile(fileName(path, cwd), () => readFileSync(path, 'utf8'));
  const part = wordsOf(path, /\.m?ts$/.test(path) ? withoutTypes(text) : text, 'check');
  if (part === null) return NONE;
  if ('what' in part)
    throw new InputError(`${part.what}: write the part \`check\` as lists of strings`, part.at);
  const unknown = unknownName([...part.words.keys()], KEYS);
  if (unknown !== null) throw new InputError(`${fileName(path, cwd)}: check has ${unknown}`);
  const wordsUnder = (key: (typeof KEYS)[number]): string[] =>
    (part.words.get(key) ?? []).map(([word]) => word);
  return { accept: wordsUnder('accept'), deny: wordsUnder('deny') };
}

/** Words of the command line behind those of the configuration. */
export function withConfig<Words extends Partial<CheckConfig>>(
  words: Words,
  config: CheckConfig,
): Words {
  const joined = KEYS.flatMap((key) => {
    const all = [...config[key], ...(words[key] ?? [])];
    return all.length === 0 ? [] : [[key, all] as const];
  });
  return { ...words, ...Object.fromEntries(joined) };
}
