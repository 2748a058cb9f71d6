// `--verify FILE`: repeats the proof of a certificate and compares the result.
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { completedResults, type CheckResult, type Report } from '@poundlock/core/internal/finding';
import { CheckSession } from '../check-files.ts';
import { ExitCode } from '../exit-code.ts';
import {
  inputErrorText,
  asInputError,
  fileName,
  isThere,
  type Host,
} from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { entryHash, programHash } from '../module-graph.ts';
import type { ChosenOptions } from '../options/check-options.ts';
import { version } from '../version.ts';
import { readCertificate, type CertificateDocument } from './document.ts';
import { difference, mustBeRepeatable, mustBeSame } from './verify.ts';
import { mustBeUnchanged, waysToRepeat, whyNotRepeatable, type RepeatOptions } from './verify.ts';
import { conditionsOf } from './write.ts';

export interface Repeated {
  readonly exitCode: ExitCode;
  /** `null` if no proof was possible; the reason is on stderr. */
  readonly report: Report<'check'> | null;
}

/**
 * Verifies the certificate `name` for the kernel file `source` or the one that it names. Throws an
 * InputError if it is unreadable, was changed, or is for another program or version.
 */
export async function repeatProof(
  name: string,
  source: string | undefined,
  bounds: ChosenOptions,
  host: Host,
): Promise<Repeated> {
  const certificate = readCertificate(name, host.cwd);
  mustBeRepeatable(certificate, name, version());
  const path = source ?? resolve(dirname(resolve(host.cwd, name)), certificate.file);
  const file = fileName(resolve(host.cwd, path), host.cwd);
  const real = await mustLoad(file, certificate, name, host);
  mustBeSame(certificate, name, programHash(real));
  const why = whyNotRepeatable({ ...certificate, file });
  if (why !== null) {
    host.stderr.write(`poundlock: ${name} ${why}\n`);
    return { exitCode: ExitCode.inconclusive, report: null };
  }
  return prove(certificate, { name, file }, bounds, host);
}

/**
 * Loads the kernel file and returns its real path. Its text is compared before it is run; its
 * imports are only known afterwards. If it can not be loaded, the error also names the certificate.
 */
async function mustLoad(
  file: string,
  certificate: CertificateDocument,
  name: string,
  host: Host,
): Promise<string> {
  try {
    const path = resolve(host.cwd, file);
    const real = isThere(path) ? realpathSync(path) : path;
    const entry = entryHash(real);
    if (entry !== null) mustBeUnchanged(certificate, name, entry);
    await loadKernel(file, host);
    return real;
  } catch (error) {
    const input = asInputError(error);
    const isExplained = input?.message.startsWith(name) === true || input?.position !== undefined;
    if (input === undefined || isExplained) throw error;
    input.message = `${name} is for ${inputErrorText(input, host.cwd, file)}`;
    throw input;
  }
}

async function prove(
  certificate: CertificateDocument,
  { name, file }: { readonly name: string; readonly file: string },
  bounds: ChosenOptions,
  host: Host,
): Promise<Repeated> {
  let last: Attempt | null = null;
  for (const how of waysToRepeat(certificate)) {
    last = await attempt(certificate, file, { ...bounds, ...how }, host);
    if (last.differs === null) break;
  }
  const { session, report, result, differs } = last!;
  if (result === undefined) return { exitCode: session.exitCode, report };
  if (differs !== null) {
    const isOpen = result.verdict === 'inconclusive';
    host.stderr.write(
      `poundlock: ${name} ${isOpen ? 'is not verified' : 'is not valid'}: ${differs}\n`,
    );
    return { exitCode: isOpen ? ExitCode.inconclusive : ExitCode.findings, report };
  }
  const notes = [
    ...(result.notes ?? []),
    `${name} is valid: the proof was repeated for the same program`,
  ];
  return {
    exitCode: ExitCode.clean,
    report: { ...report, results: report.results.map((one) => ({ ...one, notes })) },
  };
}

interface Attempt {
  readonly session: CheckSession;
  readonly report: Report<'check'>;
  /** `undefined` where the program could not be run. */
  readonly result: CheckResult | undefined;
  readonly differs: string | null;
}

async function attempt(
  certificate: CertificateDocument,
  file: string,
  chosen: RepeatOptions,
  host: Host,
): Promise<Attempt> {
  const request = { sets: new Map(Object.entries(certificate.params)), sweeps: [] };
  const session = new CheckSession(host, { files: [file], request, chosen });
  const report = await session.run();
  const [result] = completedResults(report);
  if (result === undefined) return { session, report, result, differs: null };
  const conditions = await conditionsOf(file, result, host);
  return { session, report, result, differs: difference(certificate, result, { conditions }) };
}
