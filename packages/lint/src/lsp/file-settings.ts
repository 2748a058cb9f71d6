// The settings of a file that is open in an editor: its configuration and the baseline.
import { dirname } from 'node:path';
import type { Finding } from '@poundlock/core/internal/finding';
import { findConfig, readConfig } from '../config.ts';
import type { LocatedFinding } from '../index.ts';
import type { FileSettings } from './analysis-worker.ts';
import type { ServerSettings } from './worker-protocol.ts';
import { fileName } from '@poundlock/core/internal/host';
import { beyond, readBaseline, type Baseline } from '../command/baseline.ts';

/** Returns a function that reads the settings of a file. */
export function settingsReader(settings: ServerSettings): (path: string) => Promise<FileSettings> {
  const { root, strict, baseline } = settings;
  let cached: Baseline | undefined;
  return async (path) => {
    if (baseline !== undefined) cached ??= readBaseline(baseline, root);
    const file = findConfig(dirname(path));
    const config = readConfig(file);
    const select = (findings: readonly LocatedFinding[]): readonly LocatedFinding[] =>
      withoutBaseline(findings, cached, root);
    return { key: file ?? '', options: { ...config, strict }, select };
  };
}

/** Removes the findings of the baseline, whose paths are relative to the root. */
function withoutBaseline(
  findings: readonly LocatedFinding[],
  baseline: Baseline | undefined,
  root: string,
): readonly LocatedFinding[] {
  if (baseline === undefined) return findings;
  const named = findings.map((reported): Finding & { readonly reported: LocatedFinding } => {
    const { primary } = reported.finding;
    const place = { ...primary, file: fileName(primary.file, root) };
    return { ...reported.finding, primary: place, reported };
  });
  return beyond(named, baseline).map((finding) => finding.reported);
}
