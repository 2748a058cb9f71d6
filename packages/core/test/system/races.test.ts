// The search for races in one state, against all pairs of accesses that are next (S02, U02, U03).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  asyncCopy,
  asyncUse,
  buffer,
  choose,
  kernel,
  read,
  role,
  UNITS,
  write,
  type Kernel,
} from '#src/public';
import { agentOf, type System } from '#src/system/index';
import { statesOf, systemOf } from './explore.ts';

/** More buffers than there are bits in a word, so that two of them share a bit. */
const BUFFERS = 34;

const programs: fc.Arbitrary<Kernel> = fc
  .array(
    fc.array(fc.record({ what: fc.nat(4), at: fc.constantFrom(0, 1, 32, 33) }), { maxLength: 4 }),
    { minLength: 2, maxLength: 3 },
  )
  .map((roles) =>
    kernel('accesses', {}, () => {
      const tiles = Array.from({ length: BUFFERS }, (_, at) => buffer(`t${at}`));
      return roles.map((steps, at) =>
        role(`r${at}`, function* () {
          for (const { what, at: id } of steps) {
            const tile = tiles[id]!;
            if (what === 0) read(tile);
            else if (what === 1) write(tile);
            else if (what === 2) asyncCopy(UNITS.tma, { into: [tile] });
            else if (what === 3) asyncUse(UNITS.mma, { reads: [tile], writes: [tiles[0]!] });
            else yield* choose(1);
          }
        }),
      );
    }),
  );

interface Access {
  readonly agent: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Every access that can come next in a state: those of roles, and of flights that can land. */
function nextAccesses(system: System, words: Int32Array): Access[] {
  const list = new Int32Array(1 << 16);
  const moves = list.subarray(0, system.moves(words, list));
  const at = system.machine.layout.flights;
  return Array.from(moves, (move, index): Access => {
    const agent = agentOf(move);
    if (agent >= system.roles) {
      const id = words[at + 1 + system.completions[index]!]!;
      return { ...system.machine.flights.flights[id]!, agent };
    }
    const { reads, writes, flights } = system.instruction(words[agent]!)!;
    // What starts a flight touches nothing itself.
    return flights.length > 0 ? { agent, reads: [], writes: [] } : { agent, reads, writes };
  });
}

/** The buffers that two accesses meet at, at least one of them writing. */
function conflictsOf(one: Access, two: Access): number[] {
  const touched = new Set([...two.reads, ...two.writes]);
  const met = one.writes.filter((id) => touched.has(id));
  return [...met, ...one.reads.filter((id) => two.writes.includes(id))];
}

test('S02, property: a state has a race iff two accesses that are next conflict', () => {
  let [races, quiet] = [0, 0];
  fc.assert(
    fc.property(programs, (target) => {
      const { system } = systemOf(target);
      for (const { words, symptoms } of statesOf(system)) {
        const next = nextAccesses(system, words);
        const pairs = next.flatMap((one, at) => next.slice(at + 1).map((two) => [one, two]));
        const meet = pairs.filter(([one, two]) => conflictsOf(one!, two!).length > 0);
        const race = symptoms.find(({ rule }) => rule === 'race');
        assert.equal(race !== undefined, meet.length > 0);
        if (race === undefined) quiet++;
        else {
          races++;
          // The agents that are named conflict at the buffer that is named.
          const named = meet.some(([one, two]) => {
            const agents = [one!.agent, two!.agent].toSorted();
            const are = [race.agent, race.other].toSorted();
            return agents.join() === are.join() && conflictsOf(one!, two!).includes(race.at);
          });
          assert.ok(named);
        }
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(races > 0 && quiet > 0, 'both were seen');
});
