// What a recording has, in lines: the kernels, and what was left out by its reason.
import { counted } from '@poundlock/core/internal/base';
import { readableName } from '@poundlock/ptx/internal/text/names';
import { targetOf, type Origin } from './images/compiled-text.ts';
import type { Collected, CollectedKernel } from './collect.ts';

/** Names that a line shows. */
const MAX_NAMES = 3;

const ORIGINS: Readonly<Record<Origin, string>> = {
  ptxas: 'PTX that ptxas compiled',
  NVRTC: 'PTX of NVRTC',
  fatbin: 'PTX of the fatbin',
  'debug section': 'PTX of the debug section, without lines',
  cache: 'PTX of a cache',
  program: 'PTX of the program',
  Triton: 'PTX of Triton',
};

function kernelLine({ launches, text, ran }: CollectedKernel, shown: string): string {
  const target = targetOf(text.text) ?? 'no target';
  const isOther = text.isExact
    ? ''
    : `, not the code that ran${ran === undefined ? '' : ` (${ran})`}`;
  const files = launches === 1 ? '1 launch' : `${launches} launches`;
  return `${shown}: ${files}, ${ORIGINS[text.origin]} for ${target}${isOther}`;
}

function names(list: readonly string[]): string {
  const shown = list.slice(0, MAX_NAMES).map(readableName);
  return `${shown.join(', ')}${list.length > MAX_NAMES ? ', …' : ''}`;
}

/** The lines; `shownFolder` names a folder as the user does. */
export function summaryLines(
  { kernels, leftOut, notes }: Collected,
  shownFolder: (folder: string) => string,
): string[] {
  const lines = kernels.map((kernel) => kernelLine(kernel, shownFolder(kernel.folder)));
  for (const [reason, list] of leftOut)
    lines.push(`left out, ${reason}: ${counted(list.length, 'kernel')} (${names(list)})`);
  for (const note of notes) lines.push(`note: ${note}`);
  if (kernels.length === 0 && leftOut.size === 0) lines.push('no kernel was launched');
  return lines;
}
