// What applies to a file that is open in an editor: its configuration, and the baseline.
import { dirname } from 'node:path';
import type { Finding } from '@poundlock/core/internal/finding';
import { findConfig, readConfig } from '../config.ts';
import type { Told } from '../lint.ts';
import type { FileSettings } from './analysis-worker.ts';
import type { ServerSettings } from './worker-protocol.ts';
import { fileName } from '@poundlock/core/internal/host';
import { beyond, readBaseline, type Baseline } from '../command/baseline.ts';

/** Reads what applies to a file. */
export function settingsReader(settings: ServerSettings): (path: string) => Promise<FileSettings> {
  const { root, strict, baseline } = settings;
  let known: Baseline | undefined;
  return async (path) => {
    if (baseline !== undefined) known ??= readBaseline(baseline, root);
    const file = findConfig(dirname(path));
    const config = readConfig(file);
    const select = (told: readonly Told[]): readonly Told[] => beyondOf(told, known, root);
    return { key: file ?? '', options: { ...config, strict }, select };
  };
}

/** As the command line names files, when it is run in the root. */
function beyondOf(
  told: readonly Told[],
  baseline: Baseline | undefined,
  root: string,
): readonly Told[] {
  if (baseline === undefined) return told;
  const named = told.map((each): Finding & { readonly told: Told } => {
    const { primary } = each.finding;
    const place = { ...primary, file: fileName(primary.file, root) };
    return { ...each.finding, primary: place, told: each };
  });
  return beyond(named, baseline).map((each) => each.told);
}
