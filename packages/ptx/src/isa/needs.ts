// Which version of PTX and which architecture an instruction needs, and which a text names.
import type { Form } from './form.ts';

/** What an instruction needs: such as `8.6` and `sm_100a`. */
export interface Needs {
  readonly version: string;
  readonly target: string;
}

/** The first architecture with independent lanes: the table has no older one. */
export const FIRST_ARCHITECTURE = 70;

/** The number of a version, for comparisons: 806 of `8.6`. */
export function versionNumber(version: string): number {
  const [major = '0', minor = '0'] = version.split('.');
  return Number(major) * 100 + Number(minor);
}

/** The number of an architecture: 90 of `sm_90a`. */
export function architectureNumber(target: string): number {
  return Number(/\d+/.exec(target)?.[0] ?? 0);
}

const hasOwnFeatures = (target: string): boolean => /[af]$/.test(target);

/** Whether code for a target may use what another one has. */
export function includesTarget(target: string, needed: string): boolean {
  const isNewer = architectureNumber(target) >= architectureNumber(needed);
  return isNewer && (hasOwnFeatures(target) || !hasOwnFeatures(needed));
}

/** What an opcode of a form needs: the most of the form and of its modifiers. */
export function needsOf(form: Form, words: readonly string[]): Needs {
  let { version, target } = form;
  for (const word of words) {
    const slot = form.slots?.find(({ modifiers }) => modifiers.has(word));
    const modifier = slot?.modifiers.get(word);
    if (modifier === undefined) continue;
    if (versionNumber(modifier.version) > versionNumber(version)) version = modifier.version;
    if (modifier.target !== '' && !includesTarget(target, modifier.target))
      target = modifier.target;
  }
  return { version, target };
}
