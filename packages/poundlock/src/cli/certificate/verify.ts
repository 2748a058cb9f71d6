// Checks a certificate: the same program, proved again, with the same statements.
import { InputError } from '@poundlock/core/internal/base';
import { assumptionNames, type CheckResult } from '@poundlock/core/internal/finding';
import type { CheckOptions } from '../../check/index.ts';
import { counted } from '../../report/index.ts';
import type { ModuleHash, ProgramHash } from '../module-graph.ts';
import type { ChosenOptions, PerProof } from '../options/check-options.ts';
import { certificateOf, type CertificateDocument } from './document.ts';

/** Throws unless this version of poundlock can repeat the proof. */
export function mustBeRepeatable(
  certificate: CertificateDocument,
  name: string,
  version: string,
): void {
  const { poundlock } = certificate;
  if (poundlock === version) return;
  throw new InputError(
    `${name} was written by poundlock ${poundlock}, but this is poundlock ${version}`,
  );
}

/** Throws if the kernel file itself differs from the proved one. */
export function mustBeUnchanged(
  { program }: CertificateDocument,
  name: string,
  entry: ModuleHash,
): void {
  const known = program.modules.find(({ file }) => file === entry.file);
  if (known === undefined || known.sha256 === entry.sha256) return;
  throw anotherProgram(name, `${entry.file} has changed`);
}

function anotherProgram(name: string, what: string): InputError {
  return new InputError(`${name} is for a different program: ${what} since it was written`);
}

/** Throws, with the module that differs, unless the program is the proved one. */
export function mustBeSame({ program }: CertificateDocument, name: string, now: ProgramHash): void {
  if (now.sha256 === program.sha256) return;
  const hashes = new Map(now.modules.map(({ file, sha256 }) => [file, sha256]));
  const changed = program.modules.find(({ file, sha256 }) => hashes.get(file) !== sha256);
  const known = new Set(program.modules.map(({ file }) => file));
  const added = now.modules.find(({ file }) => !known.has(file));
  const what =
    changed === undefined
      ? `${added?.file ?? 'a module'} is new`
      : hashes.has(changed.file)
        ? `${changed.file} has changed`
        : `${changed.file} is no longer part of the program`;
  throw anotherProgram(name, what);
}

/** Why only a search can repeat a proof, or `null`. */
export function whyNotRepeatable({ engine, stats, file }: CertificateDocument): string | null {
  if (engine === 'certify' || engine === 'hybrid') return null;
  return (
    `is based on a search of ${counted(stats.states, 'state')}, which --verify cannot repeat: ` +
    `run poundlock check ${file}`
  );
}

/** How a check repeats a proof, without a search. */
export type RepeatOptions = ChosenOptions & Pick<CheckOptions, PerProof>;

/**
 * How a certificate can have been made: one of several runs by an order of choices, or by a proof
 * for any number of items, which only `auto` tries on its own. Its sizes are those around the
 * requested one, or those of a proof for every value.
 */
export function waysToRepeat(certificate: CertificateDocument): RepeatOptions[] {
  const { engine, every, sizes } = certificate;
  const memory = certificate.memory?.profile ?? 'none';
  const accept = assumptionNames(certificate.accepted);
  const method = { engine: 'certify', memory, accept } as const;
  const ways: RepeatOptions[] =
    every.length > 0
      ? every.map((name) => ({ ...method, every: name }))
      : [{ ...method, sizes: sizes.length > 0 ? 'around' : 'requested' }];
  if (engine !== 'hybrid') return ways;
  return ways.flatMap((how) => [{ ...how, takesManyForAny: true }, how]);
}

/** How a repeated proof differs from the certificate; `null` if it does not. */
export function difference(
  certificate: CertificateDocument,
  again: CheckResult,
  description: Pick<CertificateDocument, 'conditions'>,
): string | null {
  if (again.verdict !== 'certified') {
    return again.verdict === 'counterexample'
      ? `the program has a counterexample: ${again.findings[0]?.message ?? 'a schedule fails'}`
      : `the proof could not be repeated: ${again.reason ?? 'inconclusive'}`;
  }
  const { poundlock, file, program } = certificate;
  const { conditions } = description;
  const now = certificateOf(again, { poundlock, file, program, conditions });
  for (const { parameter, certified } of certificate.sizes) {
    const repeated = now.sizes.find((one) => one.parameter === parameter)?.certified ?? [];
    const missing = certified.find((size) => !repeated.includes(size));
    if (missing !== undefined)
      return `it states ${parameter}=${missing}, which was not proved again`;
  }
  for (const name of Object.keys(now) as (keyof CertificateDocument)[]) {
    if (name === 'sizes') continue;
    const [stated, found] = [JSON.stringify(certificate[name]), JSON.stringify(now[name])];
    if (stated !== found) return `it states ${name} ${stated}, but the proof has ${found}`;
  }
  return null;
}
