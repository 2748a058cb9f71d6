// Mutants of one token of each PTX instruction: how many the table takes, and whether ptxas does.
// node --conditions=poundlock-source bench/ptx-token-mutants.mjs [COUNT] [SEED] [SAMPLE]
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isTaken,
  KINDS,
  mutantOf,
  randomOf,
  textOf,
} from '../packages/ptx/test/isa/token-mutants.ts';
import { hasPtxas, refusalOf } from '../packages/ptx/test/text/ptxas.ts';
import { parsePtx } from '../packages/ptx/src/text/parse.ts';

const ROOT = join(import.meta.dirname, '..');
const [count = 100_000, seed = 20_261_129, sample = 1000] = process.argv.slice(2).map(Number);
/** ptxas takes an instruction that its `.target` or its `.version` does not have: that is a note. */
const IS_OF_TARGET = /requires|not supported on \.target|\.target/;

const modules = globSync(['examples/**/*.ptx', 'packages/*/test/**/*.ptx', 'bench/**/*.ptx'], {
  cwd: ROOT,
}).map((file) => parsePtx(readFileSync(join(ROOT, file), 'utf8'), file));
// Equal instructions have equal mutants: one of each opcode of a function.
const places = modules.flatMap((module) =>
  [...module.functions.values()].flatMap((code) => {
    const ofOpcode = new Map(code.instructions.map((each) => [each.opcode, each]));
    return [...ofOpcode.values()].map((instruction) => ({ module, code, instruction }));
  }),
);

const random = randomOf(seed);
const counts = new Map(KINDS.map((kind) => [kind, { all: 0, taken: 0 }]));
const taken = new Map();
for (let done = 0; done < count;) {
  const { module, code, instruction } = places[random(places.length)];
  const mutant = mutantOf(instruction, random);
  if (mutant === null) continue;
  done++;
  const of = counts.get(mutant.kind);
  of.all++;
  if (!isTaken(mutant, code.registers)) continue;
  of.taken++;
  const text = textOf(mutant, code, module);
  if (text !== null) taken.set(text, mutant);
}
console.log(`${places.length} instructions of ${modules.length} texts, seed ${seed}`);
for (const [kind, { all, taken: ofThem }] of counts)
  console.log(`${kind}: ${all}, taken ${ofThem}`);
if (!hasPtxas()) console.log('ptxas is not installed: what is taken is not compared');
else {
  const texts = [...taken.keys()];
  const drawn = Math.min(sample, texts.length);
  for (let at = 0; at < drawn; at++) {
    const other = at + random(texts.length - at);
    [texts[at], texts[other]] = [texts[other], texts[at]];
  }
  let refused = 0;
  for (const text of texts.slice(0, drawn)) {
    const why = refusalOf(text);
    if (why === null || IS_OF_TARGET.test(why)) continue;
    refused++;
    const { kind, opcode } = taken.get(text);
    const [reason] = /(?:error|fatal)\s*: .*/.exec(why) ?? [why];
    console.log(
      `ptxas refuses (${kind}): ${/^.*;(?=\nret;)/m.exec(text)?.[0] ?? opcode}  ${reason}`,
    );
  }
  console.log(`ptxas refuses ${refused} of ${drawn} that the table takes, of ${texts.length}`);
}
