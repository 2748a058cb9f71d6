// Mutates programs: removes, repeats, swaps and inserts tokens.
import * as fc from 'fast-check';

/** Words, punctuation, and white space. */
function tokensOf(text: string): string[] {
  return text.match(/\s+|[\w$]+|[^\w\s$]/g) ?? [];
}

export type Mutation = readonly [kind: number, at: number, other: number];

export function mutated(text: string, mutations: readonly Mutation[]): string {
  const tokens = tokensOf(text);
  for (const [kind, at, other] of mutations) {
    const one = at % tokens.length;
    const two = other % tokens.length;
    if (kind === 0) tokens.splice(one, 1);
    else if (kind === 1) tokens.splice(one, 0, tokens[two]!);
    else if (kind === 2) [tokens[one], tokens[two]] = [tokens[two]!, tokens[one]!];
    else tokens.splice(one, Math.min(40, tokens.length - one), ...tokens.slice(two, two + 40));
  }
  return tokens.join('');
}

export const someMutations = fc.array(fc.tuple(fc.nat(3), fc.nat(5000), fc.nat(5000)), {
  minLength: 1,
  maxLength: 6,
});
