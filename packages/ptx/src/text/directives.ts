// The directives of PTX by the place where they stand; a word that is none is refused.
import { nearest } from '@poundlock/core/internal/base';
import type { Reader } from './reader.ts';

/** Directives of a module, and words in front of a variable or a function. */
export const MODULE_DIRECTIVES = [
  '.version',
  '.target',
  '.address_size',
  '.entry',
  '.func',
  '.alias',
  '.global',
  '.const',
  '.shared',
  '.file',
  '.section',
  '.pragma',
  '.visible',
  '.extern',
  '.weak',
  '.common',
] as const;
/** Directives of a body. */
export const BODY_DIRECTIVES = [
  '.reg',
  '.shared',
  '.local',
  '.global',
  '.const',
  '.param',
  '.loc',
  '.pragma',
  '.branchtargets',
  '.calltargets',
  '.callprototype',
] as const;
/** What has parameters and a body. */
export type Owner = 'kernel' | 'function';

/** Directives between the parameters and the body, with how many numbers they have. */
const HEAD_DIRECTIVES: Readonly<
  Record<Owner, Readonly<Record<string, readonly [least: number, most: number]>>>
> = {
  kernel: {
    '.maxntid': [1, 3],
    '.reqntid': [1, 3],
    '.reqnctapercluster': [1, 3],
    '.minnctapersm': [1, 1],
    '.maxnctapersm': [1, 1],
    '.maxnreg': [1, 1],
    '.local_maxnreg': [1, 1],
    '.maxclusterrank': [1, 1],
    '.explicitcluster': [0, 0],
    '.blocksareclusters': [0, 0],
  },
  function: { '.noreturn': [0, 0], '.abi_preserve': [1, 1], '.abi_preserve_control': [1, 1] },
};

/** Reads one directive in front of a body: its name without the dot, and its numbers. */
export function headDirective(reader: Reader, owner: Owner): readonly [string, number[]] {
  const known = HEAD_DIRECTIVES[owner];
  const word = reader.peek();
  const [least, most] =
    (word.startsWith('.') ? known[word] : undefined) ??
    refuseDirective(reader, [...Object.keys(known), '.pragma'], `a ${owner}`);
  reader.take();
  const numbers: number[] = [];
  if (most > 0)
    do numbers.push(reader.integer());
    while (numbers.length < most && reader.skip(','));
  if (numbers.length < least) reader.fail(`${word} has too few numbers`);
  return [word.slice(1), numbers];
}

/** Refuses the next word, which is no directive of its place. */
export function refuseDirective(reader: Reader, known: readonly string[], place: string): never {
  const word = reader.peek();
  const meant = nearest(word, known);
  const guess = meant === undefined || meant === word ? '' : `: did you mean '${meant}'?`;
  return reader.fail(`${word} is no directive of ${place}${guess}`);
}

/** Reads `"nounroll", "other";` behind `.pragma`. */
export function pragma(reader: Reader): void {
  do
    if (!reader.isString()) reader.fail('expected a string');
    else reader.take();
  while (reader.skip(','));
  reader.expect(';');
}
