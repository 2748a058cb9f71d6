// Searches the states of a small kernel breadth first, and explains the first one of some kind.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { severityOf, type Finding, type SourceLocation } from '#src/finding/index';
import { Program, Unfolding, type Kernel } from '#src/program/index';
import {
  endSymptoms,
  explain,
  movesOfToken,
  Names,
  newState,
  Schedule,
  stepsWithoutSignal,
  System,
  type Move,
  type Symptom,
  type SymptomRule,
} from '#src/system/index';

/** The most states that are looked at: the kernels of the tests have far fewer. */
const MAX_STATES = 100_000;

/** The system of a kernel, with the names of what it declares. */
export function systemOf(target: Kernel): { system: System; names: Names } {
  const program = new Program(target);
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  return { system, names: new Names(system) };
}

/** A state on the way: its words, what is wrong in it, and the moves that lead to it. */
export interface Reached {
  readonly words: Int32Array;
  readonly symptoms: readonly Symptom[];
  readonly moves: readonly Move[];
  readonly path: readonly Move[];
}

/** The states of a system, those with the shortest paths first; none beyond an error. */
export function* statesOf(system: System): Generator<Reached> {
  const flights = system.machine.layout.flights;
  const keyOf = (words: Int32Array): string =>
    words.subarray(0, flights + 1 + words[flights]!).join(',');
  const list = new Int32Array(1 << 16);
  const reached = (words: Int32Array, path: readonly Move[]): Reached => {
    const symptoms = [...system.symptoms];
    const isOver = symptoms.some(({ rule }) => severityOf(rule) === 'error');
    const count = isOver ? 0 : system.moves(words, list);
    return { words, symptoms, moves: Array.from(list.subarray(0, count)), path };
  };
  const queue = [reached(system.initial(), [])];
  const seen = new Set([keyOf(queue[0]!.words)]);
  for (const state of queue) {
    yield state;
    for (const move of state.moves) {
      const words = state.words.slice();
      system.apply(words, move);
      const key = keyOf(words);
      // The same words can be reached by a move that shows something and one that does not.
      if (system.symptoms.length === 0 && seen.has(key)) continue;
      seen.add(key);
      assert.ok(seen.size < MAX_STATES, 'the kernel of a test is small');
      queue.push(reached(words, [...state.path, move]));
    }
  }
}

/** What is wrong in a state, together with what only its lack of moves shows. */
function symptomsOf(system: System, names: Names, state: Reached): readonly Symptom[] {
  const { words, symptoms, moves, path } = state;
  if (moves.length > 0 || symptoms.some(({ rule }) => severityOf(rule) === 'error')) {
    return symptoms;
  }
  if (system.isFinal(words)) return [...symptoms, ...endSymptoms(system, words)];
  const silent = stepsWithoutSignal(new Schedule(system, names, path));
  return [...symptoms, ...silent, deadlockOf(system, words)];
}

/** The symptom of a state from which the kernel can not end. */
export function deadlockOf(system: System, words: Int32Array): Symptom {
  const role = system.program.roles.findIndex((_, at) => !system.hasEnded(words, at));
  return { rule: 'deadlock', agent: role, other: -1, at: -1, step: words[role]!, inMove: false };
}

/** The rules that some state of a kernel breaks, in the order in which they are found. */
export function rulesOf(target: Kernel): SymptomRule[] {
  const { system, names } = systemOf(target);
  const rules = new Set<SymptomRule>();
  for (const state of statesOf(system)) {
    for (const { rule } of symptomsOf(system, names, state)) rules.add(rule);
  }
  return [...rules];
}

/** The finding of the first state that breaks `rule`; fails where there is none. */
export function findingOf(target: Kernel, rule: SymptomRule, isWanted = anySymptom): Finding {
  const { system, names } = systemOf(target);
  for (const state of statesOf(system)) {
    const symptom = symptomsOf(system, names, state).find((one) => {
      return one.rule === rule && isWanted(one);
    });
    if (symptom === undefined) continue;
    const found = explain(system, names, symptom, state.path);
    assert.equal(found.rule, rule);
    // What every finding owes: the schedule that it shows can be replayed from its token.
    const token = movesOfToken(names, found.replayToken!);
    assert.deepEqual(token, state.path);
    assert.equal(found.trace!.length, state.path.length);
    return found;
  }
  throw new assert.AssertionError({ message: `no state of ${target.name} breaks ${rule}` });
}

function anySymptom(_symptom: Symptom): boolean {
  return true;
}

/** The schedule of a token. */
export function scheduleOf(target: Kernel, token: string): Schedule {
  const { system, names } = systemOf(target);
  return new Schedule(system, names, movesOfToken(names, token));
}

/** Makes moves of a state until none is left, each time the one that `choose` takes. */
export function runOn(
  system: System,
  words: Int32Array,
  choose: (moves: readonly Move[]) => Move = ([first]) => first!,
): number {
  const list = new Int32Array(1 << 16);
  let moves = 0;
  for (;;) {
    const count = system.symptoms.length > 0 ? 0 : system.moves(words, list);
    if (count === 0) return moves;
    system.apply(words, choose(Array.from(list.subarray(0, count))));
    moves++;
  }
}

/** An empty state of a system. */
export function emptyState(system: System): Int32Array {
  return newState(system.machine);
}

/** The line of source that a place shows, without the space around it. */
export function codeAt({ file, line }: Pick<SourceLocation, 'file' | 'line'>): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return readFileSync(path, 'utf8').split('\n')[line - 1]!.trim();
}

/** Every place of a finding as `role: code`, the primary one first. */
export function placesOf({ primary, labels }: Finding): string[] {
  return [primary, ...labels].map((place) => `${place.role ?? '-'}: ${codeAt(place)}`);
}

/** All that a finding says, line by line: for words that must be in it, wherever they are. */
export function textOf({ message, primary, labels, notes, helps }: Finding): string {
  const texts = [primary, ...labels].map(({ text }) => text);
  return [message, ...texts, ...notes, ...helps].join('\n');
}
