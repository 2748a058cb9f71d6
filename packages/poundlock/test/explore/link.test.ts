// Links with a program: what is written is read, and words from elsewhere do no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import {
  array,
  assert as assertProperty,
  asyncProperty,
  record,
  string,
  stringMatching,
  uniqueArray,
} from 'fast-check';
import { MAX_SHARED_TEXT, readProgram, writeProgram } from '#src/explore/index';

const file = record({
  name: stringMatching(/^[\w-]{1,12}(?:\/[\w-]{1,12})?\.(?:ts|ptx|json)$/),
  text: string({ unit: 'binary', maxLength: 400 }),
});
const files = uniqueArray(file, { selector: ({ name }) => name, minLength: 1, maxLength: 5 });

test('what is written is read', async () => {
  await assertProperty(
    asyncProperty(files, async (some) => {
      const word = await writeProgram(some);
      assert.match(word, /^[\w-]+$/);
      // A text cannot contain half of a character.
      const whole = some.map(({ name, text }) => ({ name, text: text.toWellFormed() }));
      assert.deepEqual(await readProgram(word), whole);
    }),
  );
});

test('a word that is no program is an error, never anything else', async () => {
  const refuses = (word: string) =>
    assert.rejects(readProgram(word), (error: Error) => error.name === 'InputError');
  await assertProperty(asyncProperty(string(), refuses));
  const word = await writeProgram([{ name: 'a.ts', text: 'x'.repeat(1000) }]);
  for (let length = 0; length < word.length; length++) await refuses(word.slice(0, length));
});

test('files are within a folder, few, and small', async () => {
  const packed = (content: unknown): string =>
    deflateRawSync(JSON.stringify(content)).toString('base64url');
  const fails = (content: unknown, why: RegExp) =>
    assert.rejects(readProgram(packed(content)), why);
  for (const name of ['../a.ts', 'a/../b.ts', '/a.ts', 'a//b', './a.ts', '<b>', 'a\nb', ''])
    await fails({ v: 1, files: [[name, '']] }, /names files within a folder/);
  await fails({ v: 2, files: [['a.ts', '']] }, /another version/);
  for (const some of [[], [1], [['a.ts']], [['a.ts', 1]], 'a.ts', {}])
    await fails({ v: 1, files: some }, /no program/);
  const twice = ['a.ts', ''];
  await fails({ v: 1, files: [twice, twice] }, /two files/);
  await fails(
    { v: 1, files: Array.from({ length: 65 }, (_, at) => [`${at}.ts`, '']) },
    /at most 64/,
  );
  await fails([1], /another version/);
  await fails(null, /damaged/);
});

test('a small word that expands to a large text is refused while it is read', async () => {
  const bomb = deflateRawSync(Buffer.alloc(7 * MAX_SHARED_TEXT)).toString('base64url');
  await assert.rejects(readProgram(bomb), /damaged/);
  const large = [{ name: 'a.ptx', text: 'x'.repeat(MAX_SHARED_TEXT + 1) }];
  await assert.rejects(writeProgram(large), /too large/);
});

test('a program takes little of an address', async () => {
  await assertProperty(
    asyncProperty(array(string({ maxLength: 20 }), { maxLength: 50 }), async (lines) => {
      const text = lines.join('\n');
      const word = await writeProgram([{ name: 'kernel.ts', text: text.repeat(20) }]);
      assert.ok(word.length < 200 + 6 * text.length);
    }),
  );
});
