// What a proof found about memory, as findings: with the run that shows it as their schedule.
import { FlightKind, READS_OWN_CTA, WRITES_OWN_CTA } from '@poundlock/core/internal/machine';
import type { Machine } from '@poundlock/core/internal/machine';
import { assumptionRow } from '@poundlock/core/internal/finding';
import type { Assumption, Finding, MemoryScope } from '@poundlock/core/internal/finding';
import { explain, moveOf, Names, optionFor } from '@poundlock/core/internal/system';
import type { Move, Symptom, System } from '@poundlock/core/internal/system';
import type { Proof } from './certify/index.ts';
import type { MemoryFault, Practice } from './certify/memory/fault.ts';
import { MAX_FINDINGS } from './options.ts';
import type { Problem } from './problem.ts';

/** What a search relies on: copies that it saw complete after their CTA (X02). */
export function practicesOfSearch({ flights, openAtEnds }: Machine): Assumption[] {
  const practices = new Map<Practice, number>();
  for (const [practice, use] of [
    ['H7', READS_OWN_CTA],
    ['H18', WRITES_OWN_CTA],
  ] as const) {
    const open = [...openAtEnds].filter((id) => (flights.traits[id]! & use) !== 0);
    const { size } = new Set(open.map((id) => flights.flights[id]!.cta));
    if (size > 0) practices.set(practice, size);
  }
  return practicesOf({ practices });
}

/** What a proof relies on. */
export function practicesOf({ practices }: Pick<Proof, 'practices'>): Assumption[] {
  return [...practices]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([practice, places]) => {
      const count = places === 1 ? '1 place' : `${places} places`;
      const what = assumptionRow(practice).title;
      const text = `${practice} holds, which the PTX ISA does not promise: ${what} (${count})`;
      return { name: practice, text };
    });
}

/** What a proof says that it checked of memory; nothing in the profile `none`. */
export function scopeOf({ profile, practices }: Proof): { readonly memory?: MemoryScope } {
  if (profile === 'none') return {};
  const all = [...practices].map(([id, places]) => ({ id, places }));
  const sorted = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { memory: { profile, practices: sorted } };
}

/** The error that a proof ended with, or the warnings that it noted. */
export function memoryFindings(problem: Problem, proof: Proof): Finding[] {
  const { faults } = proof;
  if (faults.length === 0) return [];
  const system = problem.ownSystem();
  const names = new Names(system);
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { fault, order } of faults.slice(0, MAX_FINDINGS * MAX_FINDINGS)) {
    const { path, moveAt } = follow(
      system,
      order,
      Math.max(fault.second.at, fault.other?.at ?? 0),
      fault.second.role,
    );
    // Without operations there is nothing to show: the reason says what failed.
    if (path.length === 0) continue;
    const finding = explain(system, names, symptomOf(fault, moveAt), path);
    const { rule, primary } = finding;
    const key = `${rule} ${primary.file} ${primary.line} ${primary.column}`;
    if (seen.has(key)) continue;
    seen.add(key);
    findings.push(finding);
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}

function symptomOf(fault: MemoryFault, moveAt: readonly number[]): Symptom {
  const { rule, first, second, other, target } = fault;
  const moves = (at: number | undefined): number => (at === undefined ? -1 : (moveAt[at] ?? -1));
  return {
    rule,
    agent: second.role,
    other: first?.role ?? -1,
    at: target,
    step: -1,
    inMove: true,
    ...(fault.isMild === true ? { isMild: true } : {}),
    memory: { first: moves(first?.at), second: moves(second.at), other: moves(other?.at) },
  };
}

/**
 * Makes the operations of an order, up to and with its `last`th, which is one of `role`: each
 * flight completes as soon as it can. Returns the moves, and by operation the number of its move.
 */
function follow(
  system: System,
  order: readonly number[],
  last: number,
  role: number,
): { path: Move[]; moveAt: number[] } {
  const words = system.initial();
  const path: Move[] = [];
  const moveAt: number[] = [];
  const make = (move: Move): void => {
    path.push(move);
    system.apply(words, move);
  };
  const land = (): void => {
    const { openFlights } = system.machine;
    for (let index = 0; index < openFlights.count(words);) {
      const { unit, kind } = openFlights.flightAt(words, index);
      if (kind === FlightKind.group || !openFlights.canComplete(words, index)) index++;
      else {
        make(moveOf(system.roles + unit, openFlights.optionOf(words, unit, index)));
        index = 0;
      }
    }
  };
  for (let at = 0; at < order.length; at += 2) {
    moveAt[at] = path.length;
    if (at > last) return { path, moveAt };
    const acting = order[at]!;
    make(moveOf(acting, optionFor(system, words, acting, order[at + 1]!)));
    land();
    if (at === last) return { path, moveAt };
  }
  // The operation that failed was not recorded any more.
  moveAt[last] = path.length;
  if (system.options(words, role) > 0) make(moveOf(role, 0));
  return { path, moveAt };
}
