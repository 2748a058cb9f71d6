// `--certificate FILE`: writes the certificate of a proved result.
import { dirname, relative, resolve, sep } from 'node:path';
import { realpathSync } from 'node:fs';
import { countConditions, type Conditions } from '../../check/index.ts';
import { completedResults, type CheckResult, type Report } from '@poundlock/core/internal/finding';
import { type Host, writeAtomically } from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { programHash } from '../module-graph.ts';
import { version } from '../version.ts';
import { certificateOf, certificateText } from './document.ts';

/** Writes the certificate of the only result of a report, or reports why there is none. */
export async function writeCertificate(
  report: Report<'check'>,
  out: string,
  host: Host,
): Promise<void> {
  const [result] = completedResults(report);
  if (result === undefined) return;
  const { file } = result;
  if (result.verdict !== 'certified') {
    host.stderr.write(`poundlock: ${out} was not written: the verdict is ${result.verdict}\n`);
    return;
  }
  const path = resolve(host.cwd, file);
  const description = {
    poundlock: version(),
    file: relative(dirname(resolve(host.cwd, out)), path)
      .split(sep)
      .join('/'),
    program: programHash(realpathSync(path)),
    conditions: await conditionsOf(file, result, host),
  };
  writeAtomically(out, host.cwd, certificateText(certificateOf(result, description)));
}

/** The conditions that one run checks; none if several runs were needed. */
export async function conditionsOf(
  file: string,
  { stats, params, scope }: CheckResult,
  host: Host,
): Promise<Conditions | null> {
  if (stats.engine !== 'certify' || scope.every.length > 0) return null;
  const kernel = await loadKernel(file, host);
  return await host.guarded(file, () => Promise.resolve(countConditions(kernel, params)));
}
