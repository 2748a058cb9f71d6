// Certificates as JSON files: what was proved of which program, with a checksum.
import { resolve } from 'node:path';
import { InputError, unknownName } from '@poundlock/core/internal/base';
import type { Conditions } from '../../check/index.ts';
import type {
  Assumption,
  AssumptionName,
  CheckResult,
  MemoryScope,
  Parameters,
} from '@poundlock/core/internal/finding';
import type { RuleId, TriedSizes } from '@poundlock/core/internal/finding';
import { sha256, type ProgramHash } from '../module-graph.ts';
import { readText } from '@poundlock/core/internal/host';

const CERTIFICATE_SCHEMA = 'poundlock/certificate@1';

/** What `--certificate` writes and `--verify` reads: docs/how-to/certificates.md. */
export interface CertificateDocument {
  readonly schema: typeof CERTIFICATE_SCHEMA;
  /** The version of poundlock that wrote it. */
  readonly poundlock: string;
  /** The kernel file, relative to the certificate's folder. */
  readonly file: string;
  readonly program: ProgramHash;
  readonly kernel: string;
  readonly params: Parameters;
  readonly every: readonly string[];
  readonly assumptions: readonly Assumption[];
  /** Those of their names that were accepted. */
  readonly accepted: readonly AssumptionName[];
  /** The other sizes that were tried one by one, by parameter. */
  readonly sizes: readonly TriedSizes[];
  /** The memory profile, and the practices that the proof relies on; absent for `none`. */
  readonly memory?: MemoryScope;
  /** How it was proved: a search can only be repeated in the same time. */
  readonly engine: string;
  readonly stats: {
    readonly events: number;
    readonly states: number;
    readonly transitions: number;
  };
  /** How often each condition was checked in one run, by a second count; `null` without one. */
  readonly conditions: Conditions | null;
  /** The rules whose warnings it contains. */
  readonly warnings: readonly RuleId[];
}

/** Describes what a result proves; the caller supplies the program's text and the conditions. */
export function certificateOf(
  result: CheckResult,
  description: Pick<CertificateDocument, 'poundlock' | 'file' | 'program' | 'conditions'>,
): CertificateDocument {
  const { kernel, params, scope, findings, stats } = result;
  const { poundlock, file, program, conditions } = description;
  return {
    schema: CERTIFICATE_SCHEMA,
    poundlock,
    file,
    program,
    kernel,
    params,
    every: scope.every,
    assumptions: scope.assumptions,
    accepted: scope.accepted ?? [],
    sizes: scope.sizes,
    ...(scope.memory === undefined ? {} : { memory: scope.memory }),
    engine: stats.engine,
    stats: { events: stats.events, states: stats.states, transitions: stats.transitions },
    conditions,
    warnings: findings.map(({ rule }) => rule),
  };
}

/** The document as text, with a checksum of its contents. */
export function certificateText(certificate: CertificateDocument): string {
  return `${JSON.stringify({ ...certificate, seal: sealOf(certificate) }, null, 2)}\n`;
}

/** A checksum, not a signature: deliberate changes are detected by repeating the proof. */
function sealOf(certificate: CertificateDocument): string {
  return sha256(JSON.stringify(certificate));
}

/** Reads a certificate; throws an InputError that says in one line why it can not be used. */
export function readCertificate(file: string, cwd: string): CertificateDocument {
  const text = readText(resolve(cwd, file), `--verify ${file}`);
  const document = parse(text);
  if (document === null || document['schema'] !== CERTIFICATE_SCHEMA) {
    throw new InputError(`${file} is not a ${CERTIFICATE_SCHEMA} document`);
  }
  const { seal, ...rest } = document;
  if (seal !== sha256(JSON.stringify(rest))) {
    throw new InputError(`${file} was changed after it was written: its seal does not match`);
  }
  const fault = shapeFault(rest);
  if (fault !== null) throw new InputError(`${file} is not a certificate: ${fault}`);
  return rest as unknown as CertificateDocument;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const document = JSON.parse(text) as unknown;
    return isRecord(document) ? document : null;
  } catch {
    return null;
  }
}

const MEMBERS: { readonly [M in keyof CertificateDocument]-?: true } = {
  schema: true,
  poundlock: true,
  file: true,
  program: true,
  kernel: true,
  params: true,
  every: true,
  assumptions: true,
  accepted: true,
  sizes: true,
  memory: true,
  engine: true,
  stats: true,
  conditions: true,
  warnings: true,
};

/** Checks the members that are read; the schema in docs/schema covers what is in them, too. */
function shapeFault(document: Record<string, unknown>): string | null {
  const unknown = unknownName(Object.keys(document), Object.keys(MEMBERS));
  if (unknown !== null) return `it has ${unknown}`;
  for (const name of ['poundlock', 'file', 'kernel', 'engine']) {
    if (typeof document[name] !== 'string') return `${name} is not a string`;
  }
  for (const name of ['every', 'accepted', 'warnings']) {
    if (!isListOf(document[name], isText)) return `${name} is not a list of strings`;
  }
  if (!isListOf(document['assumptions'], isRecord)) return 'assumptions is not a list';
  for (const name of ['program', 'params', 'stats']) {
    if (!isRecord(document[name])) return `${name} is missing`;
  }
  const { memory } = document;
  const isProfile = isRecord(memory) && ['practice', 'isa'].includes(String(memory['profile']));
  if (memory !== undefined && !isProfile) return 'memory has no profile';
  const { modules } = document['program'] as Record<string, unknown>;
  if (!isListOf(modules, isModule)) return 'program.modules is not a list of files and hashes';
  return isListOf(document['sizes'], isTriedSizes) ? null : 'sizes is not a list of tried sizes';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTriedSizes = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value['parameter']) &&
  isListOf(value['certified'], (size) => typeof size === 'number');
const isModule = (value: unknown): boolean =>
  isRecord(value) && isText(value['file']) && isText(value['sha256']);
