// Each form of the table with each of its modifiers: read as that form, with a typed effect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '#src/exec/warp/prepare';
import type { HasEffect } from '#src/isa/questions';
import * as questions from '#src/isa/questions';
import type { Instruction } from '#src/text/module';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';
import { DECLARATIONS, examples, LABELS, type Example } from './examples.ts';

const ALL = examples();

function kernelOf(list: readonly Example[]) {
  const lines = list.map(({ text }) => text).join('\n');
  const module = parsePtx(kernelText(DECLARATIONS, `${lines}\n${LABELS}\nret;`), 'kernel.ptx');
  return module.functions.get('kernel')!;
}

const INSTRUCTIONS: readonly Instruction[] = kernelOf(ALL).instructions;

test('an example of each form is read as an instruction of that form', () => {
  assert.ok(ALL.length > 3500, `${ALL.length} examples`);
  for (const [at, { form, opcode, text }] of ALL.entries()) {
    const instruction = INSTRUCTIONS[at]!;
    assert.equal(instruction.form, form, text);
    assert.equal(instruction.opcode, opcode, text);
  }
});

test('each has an effect without gaps, and answers all questions', () => {
  const everyQuestion = Object.values(questions) as readonly ((
    instruction: HasEffect,
  ) => unknown)[];
  for (const instruction of INSTRUCTIONS) {
    const { effect, opcode } = instruction;
    for (const [name, value] of Object.entries(effect))
      assert.ok(value !== undefined && !Number.isNaN(value), `${name} of ${opcode}`);
    for (const ask of everyQuestion)
      assert.notEqual(ask(instruction), undefined, `${ask.name} of ${opcode}`);
  }
});

test('each has an action, or is not modeled', () => {
  const modeled = ALL.filter((_, at) => INSTRUCTIONS[at]!.unmodeled === null);
  assert.ok(modeled.length > 3000, `${modeled.length} examples`);
  const { actions } = prepare(kernelOf(modeled), 'kernel.ptx');
  for (const [at, { text }] of modeled.entries()) assert.notEqual(actions[at], undefined, text);
});
