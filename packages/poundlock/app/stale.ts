// Whether what is shown is still the text that was checked.
import type { TextHash } from '@poundlock/core/internal/finding';

/** What is said where it is not. */
export const TEXT_HAS_CHANGED = 'text has changed';

/** Whether one of the texts that are shown is another than the one of its file that was checked. */
export function hasChanged(checked: readonly TextHash[], shown: readonly TextHash[]): boolean {
  const known = new Map(checked.map(({ file, sha256 }) => [file, sha256]));
  return shown.some(({ file, sha256 }) => known.has(file) && known.get(file) !== sha256);
}
