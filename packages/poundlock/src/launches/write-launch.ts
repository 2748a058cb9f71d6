// The launch that is inferred for a kernel, as a launch file to read, to edit and to check.
import { formatPosition } from '@poundlock/core/internal/base';
import { inlineCalls } from '@poundlock/ptx/internal/flow/inline';
import { launchDocument, slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import type { Slot } from '@poundlock/ptx/internal/infer/slots';
import { placeOf, positionOf } from '@poundlock/ptx/internal/places/place';
import { atOrdinary, atQuick } from './at-shape.ts';
import { searchShapes } from './shape-search.ts';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';
import { hasGuessedNumbers, isGuessed, originsOf, shapesOf, sizeText } from './shapes.ts';
import { fits } from './subject.ts';
import type { LaunchRun, LaunchSubject } from './subject.ts';
import type { CheckOptions } from '../check/index.ts';
import { Trials } from './trials.ts';
import { specialValues } from './values.ts';

/** An object of a JSON document. */
type Json = Record<string, unknown>;

/** The most candidates of a number that are written. */
const MAX_CANDIDATES = 16;

/** A launch file for a kernel, version 1 of the format. */
export async function writtenLaunch(
  subject: LaunchSubject,
  ptx: string | null,
  options: CheckOptions,
): Promise<object> {
  const { skeleton } = subject;
  const trials = new Trials(subject, options);
  const search = isGuessed(skeleton) ? await searchShapes(trials, shapesOf(skeleton)) : null;
  const shape = search?.shapes[0]?.shape ?? shapesOf(skeleton)[0]!;
  const right = search?.shapes.findLast(({ status }) => status === 'certified');
  const at = right ?? (await ordinaryAt(trials, shape));
  const run = at.ordinary.findLast(fits) ?? trials.runs[0]!;
  const origins = originsOf(skeleton, search?.from ?? 'tried');
  const document = launchDocument(skeleton, run.choice) as Json;
  const origin = {
    grid: skeleton.grid?.from ?? 'tried',
    ...origins,
    dynamicSharedMemory: skeleton.sharedBytes.from,
  };
  const { kernel, ...parts } = document;
  return {
    format: 'poundlock-launch',
    version: 1,
    kernel,
    ...(ptx === null ? {} : { ptx }),
    ...parts,
    origin,
    params: (document['params'] as Json[]).map((each) => described(each, subject, run)),
  };
}

/** The parts of a written launch in words, each with where it comes from. */
export function launchParts(document: object): string[] {
  const { origin, params, ...parts } = document as Json;
  const from = origin as Readonly<Record<string, string>>;
  const sizes = (['block', 'grid', 'cluster'] as const).flatMap((name) => {
    const size = sizeText(parts[name] as Dimensions);
    return name === 'cluster' && size === '1' ? [] : [`${name} ${size} (${from[name]})`];
  });
  const entries = (params as Json[]).flatMap((each) => (each['fields'] as Json[]) ?? [each]);
  const numbers = entries.flatMap(({ name, value, origin: own }) =>
    own === undefined ? [] : [`${String(name)}=${String(value)} (${String(own)})`],
  );
  return [...sizes, ...numbers];
}

async function ordinaryAt(
  trials: Trials,
  shape: ReturnType<typeof shapesOf>[number],
): Promise<{ readonly ordinary: readonly LaunchRun[] }> {
  const isOpen = hasGuessedNumbers(trials.subject.skeleton);
  const quick = isOpen ? await atQuick(trials, shape, true) : null;
  return atOrdinary(trials, shape, quick);
}

/** An entry of a parameter with its origin, candidates and where they come from. */
function described(entry: Json, subject: LaunchSubject, run: LaunchRun): Json {
  const { skeleton } = subject;
  const fields = entry['fields'] as Json[] | undefined;
  if (fields !== undefined)
    return { ...entry, fields: fields.map((each) => described(each, subject, run)) };
  const slot = slotsIn(skeleton).find(({ name }) => name === entry['name']);
  if (slot === undefined || slot.kind !== 'number') return entry;
  if (skeleton.supplied.values.has(slot.name)) return { ...entry, origin: 'given' };
  const values = specialValues(slot, run.reference.shared?.().stages ?? []);
  const candidates = values.map(({ value }) => value).filter((each) => each !== entry['value']);
  const why = whyOf(slot, subject);
  const isVaried = slot.bytes === 4;
  return {
    ...entry,
    origin: 'tried',
    ...(isVaried ? { vary: candidates.slice(0, MAX_CANDIDATES) } : {}),
    ...(why === '' ? {} : { '//': why }),
  };
}

/** What the text compares a number with. */
function whyOf({ facts }: Slot, { skeleton }: LaunchSubject): string {
  const near = [...facts.thresholds, ...facts.widths].find(({ value }) => value > 1);
  if (near === undefined) return '';
  const code = inlineCalls(skeleton.module, skeleton.entry);
  const position = positionOf(placeOf(skeleton.module, code.instructions[near.at]!));
  return `compared with ${near.value} at ${formatPosition(position)}`;
}
