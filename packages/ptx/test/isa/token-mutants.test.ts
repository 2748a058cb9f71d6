// tier: deep
// Mutants of one token: a word that no instruction has, a word twice, and what ptxas refuses of it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parsePtx } from '#src/text/parse';
import { hasPtxas, refusalOf } from '../text/ptxas.ts';
import { isTaken, mutantOf, randomOf, textOf } from './token-mutants.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const modules = globSync('{examples,packages/ptx/test}/**/*.ptx', { cwd: ROOT }).map((file) =>
  parsePtx(readFileSync(join(ROOT, file), 'utf8'), file),
);
const places = modules.flatMap((module) =>
  [...module.functions.values()].flatMap((code) =>
    code.instructions.map((instruction) => ({ module, code, instruction })),
  ),
);
const drawn = fc.record({ place: fc.nat(places.length - 1), seed: fc.integer() });

test('property: no word is taken that no instruction has, and none twice', () => {
  const run = fc.property(drawn, ({ place, seed }) => {
    const { code, instruction } = places[place]!;
    const mutant = mutantOf(instruction, randomOf(seed));
    if (mutant === null || !['bogus', 'twice'].includes(mutant.kind)) return;
    assert.ok(!isTaken(mutant, code.registers), mutant.opcode);
  });
  fc.assert(run, { numRuns: 20_000, seed: 20_261_129 });
});

/** What ptxas refuses for other reasons than words, types and operands of the instruction. */
const OTHER_REASONS = [
  // The version and the target are remarks, and the state space of a variable is checked by a run.
  /requires|not supported on|State space|cannot be applied to|Unknown modifier/,
  // Numbers of barriers and threads are checked where they are executed.
  /Barrier number|multiple of warp size/,
  // Conversions without their rounding, and special registers as floats.
  /Rounding modifier|Special register argument|Unexpected instruction types/,
];

const skip = hasPtxas() ? false : 'ptxas is not installed';

test('ptxas takes nearly all words and operands that the table takes', { skip }, () => {
  const random = randomOf(20_261_129);
  const refused: string[] = [];
  let compared = 0;
  while (compared < 150) {
    const { code, module, instruction } = places[random(places.length)]!;
    const mutant = mutantOf(instruction, random);
    if (mutant === null || !isTaken(mutant, code.registers)) continue;
    const text = textOf(mutant, code, module);
    if (text === null) continue;
    compared++;
    const why = refusalOf(text);
    if (why === null || OTHER_REASONS.some((reason) => reason.test(why))) continue;
    refused.push(`${mutant.kind}: ${mutant.opcode}: ${why}`);
  }
  assert.ok(refused.length <= compared / 20, refused.join('\n'));
});
