// Errors that rest on a guess about the launch: they are shown, and are no counterexamples.
import { formatPosition, grouped } from '@poundlock/core/internal/base';
import type { Finding, FindingRest } from '@poundlock/core/internal/finding';
import { gridOf } from '@poundlock/ptx/internal/infer/skeleton';
import type { Skeleton } from '@poundlock/ptx/internal/infer/skeleton';
import { shapeText, sizeText } from './shapes.ts';
import { errorOf } from './subject.ts';
import type { LaunchRun } from './subject.ts';

/** Why a value of a number was tried. */
function whyTried({ special, reference }: LaunchRun): string {
  const { role, at, constant } = special!;
  const place = at < 0 ? undefined : reference.coverage?.placeOf(at).position;
  const where = place === undefined ? 'the text' : formatPosition(place);
  if (role === 'threshold')
    return `a value that poundlock tried because ${where} compares with ${grouped(constant)}`;
  if (role === 'width')
    return (
      `a value that poundlock tried because ${where} loses its bits ` +
      `from ${grouped(constant)} on`
    );
  return 'a small value that poundlock tried';
}

/** What to say so that a value is not tried. */
function withoutValue({ special }: LaunchRun, ordinary: number): string {
  const { slot, value } = special!;
  const range = value > ordinary ? `0..${value - 1}` : `${value + 1}..${ordinary}`;
  return `if the kernel is never launched so, say --param ${slot.name}=${range}`;
}

/** Whether an error is between two blocks of a grid that is guessed. */
export function isBetweenGuessed(run: LaunchRun, { grid }: Skeleton): boolean {
  return grid === null && errorOf(run)?.blocks?.length === 2;
}

/** The guesses that an error of a run rests on. */
export function restsOf(run: LaunchRun, skeleton: Skeleton, ordinary: number): FindingRest[] {
  const { choice, special } = run;
  const rests: FindingRest[] = [];
  const why = 'the PTX does not say it';
  if (skeleton.block === null)
    rests.push({ what: 'block', value: sizeText(choice.block), why: `${why}: give --block` });
  if (skeleton.cluster === null)
    rests.push({ what: 'cluster', value: sizeText(choice.cluster), why: `${why}: give --cluster` });
  if (isBetweenGuessed(run, skeleton)) {
    const grid = sizeText(gridOf(skeleton, choice.cluster));
    rests.push({ what: 'grid', value: grid, why: `${why}: give --grid` });
  }
  if (special !== null) {
    const text = `${whyTried(run)}: ${withoutValue(run, ordinary)}`;
    rests.push({ what: special.slot.name, value: String(special.value), why: text });
  }
  return rests;
}

/** Why a possible error is none: what it rests on, and what to give. */
export function possibleReason(run: LaunchRun, skeleton: Skeleton, ordinary: number): string {
  const error = errorOf(run)!;
  const word = `possible error[${error.rule}]`;
  const { special, choice } = run;
  if (special !== null) {
    const value = `${special.slot.name}=${grouped(special.value)}`;
    const isOpen = skeleton.block === null;
    const shape = isOpen ? ` under ${shapeText(choice)}, which the PTX does not say,` : '';
    const first = isOpen ? 'give --block; ' : '';
    return `${word}${shape} at ${value}, ${whyTried(run)}: ${first}${withoutValue(run, ordinary)}`;
  }
  const isShape = skeleton.block === null || skeleton.cluster === null;
  if (isShape) {
    const flags = [
      ...(skeleton.block === null ? ['--block'] : []),
      ...(skeleton.cluster === null ? ['--cluster'] : []),
    ];
    const under = `${word} under ${shapeText(choice)}, which the PTX does not say`;
    return `${under}: give ${flags.join(' and ')}`;
  }
  if (isBetweenGuessed(run, skeleton)) {
    const grid = sizeText(gridOf(skeleton, choice.cluster));
    return `${word} in a grid of ${grid}, which the PTX does not say: give --grid`;
  }
  const values = [...choice.values].map(([name, value]) => `${name}=${grouped(value)}`).join(', ');
  return `${word} at ${values}, which poundlock tried, and not at others: give --param`;
}

/** Findings that rest on a guess, as warnings. */
export function asPossible(findings: readonly Finding[], rests: readonly FindingRest[]): Finding[] {
  return findings.map((finding) =>
    finding.severity === 'error'
      ? { ...finding, severity: 'warning', possible: true, rests }
      : finding,
  );
}
