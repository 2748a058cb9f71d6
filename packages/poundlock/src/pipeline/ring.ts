// What a pipeline declares: a full and an empty barrier and the buffers of every stage.
import { InputError, currentPosition } from '../base/index.ts';
import type { Side } from '../op/index.ts';
import { barrier, buffer, currentDeclarations, requireCount } from '../program/index.ts';
import type { Barrier, Buffer, StageHandle } from '../program/index.ts';

/** When a role's counter moves: at release, as in Mojo, or at acquire, as in CuTe DSL. */
export type Advance = 'release' | 'acquire';

export interface PipelineOptions {
  readonly stages: number;
  /** Bytes of a stage; or of each of its parts, which may be filled and read apart. */
  readonly bytes?: number | Readonly<Record<string, number>>;
  /** `release` unless given. */
  readonly advance?: Advance;
  /** `parity` as on NVIDIA, or `counter` as on AMD: monotone, without aliases. */
  readonly barriers?: 'parity' | 'counter';
  /** Arrivals that complete a full barrier's phase; 1 unless given. */
  readonly producers?: number;
  /** Arrivals that complete an empty barrier's phase; 1 unless given. */
  readonly consumers?: number;
}

export interface Part {
  readonly name: string;
  readonly bytes: number;
}

/** The declared side of a pipeline, shared by its handles. */
export interface Ring {
  readonly id: number;
  readonly name: string;
  readonly stages: number;
  readonly advance: Advance;
  readonly parts: readonly Part[];
  readonly full: readonly Barrier[];
  readonly empty: readonly Barrier[];
  /** By stage, then by part. */
  readonly buffers: readonly (readonly Buffer[])[];
}

/** Declares the barriers, buffers and registers of a ring (R01). */
export function declareRing(
  name: string,
  options: PipelineOptions,
  revive: (ring: Ring, side: Side, stage: number, id: number) => StageHandle,
): Ring {
  const { stages, bytes = 0, advance = 'release', barriers = 'parity' } = options;
  const { producers = 1, consumers = 1 } = options;
  const declarations = currentDeclarations('pipeline()');
  requireCount(`the stages of pipeline ${name}`, stages, 1);
  requireCount(`the producers of pipeline ${name}`, producers, 1);
  requireCount(`the consumers of pipeline ${name}`, consumers, 1);
  requireOneOf(`the advance of pipeline ${name}`, advance, ['release', 'acquire']);
  requireOneOf(`the barriers of pipeline ${name}`, barriers, ['parity', 'counter']);
  declarations.claimName(name);
  const parts = partsOf(name, bytes);
  const each = <T>(make: (stage: number) => T): T[] =>
    Array.from({ length: stages }, (_, stage) => make(stage));
  const full = each((s) => barrier(`${name}.full[${s}]`, { count: producers, mode: barriers }));
  const empty = each((s) => barrier(`${name}.empty[${s}]`, { count: consumers, mode: barriers }));
  const buffers = each((s) =>
    parts.map((part) => buffer(part.name === '' ? `${name}[${s}]` : `${name}[${s}].${part.name}`)),
  );
  const ring: Ring = {
    id: declarations.rings.length,
    name,
    stages,
    advance,
    parts,
    full,
    empty,
    buffers,
  };
  declarations.rings.push({
    name,
    stages,
    full: full.map((one) => one.id),
    empty: empty.map((one) => one.id),
    revive: (side, stage, id) => revive(ring, side, stage, id),
  });
  return ring;
}

function partsOf(name: string, bytes: PipelineOptions['bytes']): Part[] {
  const parts =
    typeof bytes === 'object'
      ? Object.entries(bytes).map(([part, size]) => ({ name: part, bytes: size }))
      : [{ name: '', bytes: bytes ?? 0 }];
  for (const part of parts) requireCount(`the bytes of pipeline ${name}`, part.bytes, 0);
  return parts;
}

function requireOneOf(what: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new InputError(`${what} must be ${allowed.join(' or ')}, not ${value}`, currentPosition());
}
