// Which numbers a text compares a parameter with: on both sides of them a kernel may differ.
import { inlineCalls } from '../flow/inline.ts';
import { ValueFlows, originName } from '../infer/flows.ts';
import { numberFacts } from '../infer/number-facts.ts';
import type { LaunchFile } from '../launch/read-launch.ts';
import { scalarsOf } from '../launch/scalars.ts';
import type { PtxFunction, PtxModule } from '../text/module.ts';

/** The numbers that a parameter of a launch is compared with, or from which on it loses bits. */
export function comparedNumbers(
  module: PtxModule,
  entry: PtxFunction,
  { file, index }: { readonly file: LaunchFile; readonly index: number },
  name: string,
): readonly number[] {
  const scalar = scalarsOf(file, index, entry).find((each) => each.name === name);
  if (scalar === undefined) return [];
  const code = inlineCalls(module, entry);
  const facts = numberFacts(code, new ValueFlows(code)).get(originName.value(scalar.number, 0));
  return [...(facts?.thresholds ?? []), ...(facts?.widths ?? [])].map(({ value }) => value);
}
