// Safe fixes are those of `poundlock lint --fix`, applied by ESLint; the others are suggestions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eslintIn, Project, VERSIONS } from './project.ts';

const LEAKING = `import { open } from 'node:fs/promises';

export async function sizeOf(path: string): Promise<number> {
  const file = await open(path);
  const { size } = await file.stat();
  await file.close();
  return size;
}
`;

const BOUND = `import { open } from 'node:fs/promises';

export async function sizeOf(path: string): Promise<number> {
  await using file = await open(path);
  const { size } = await file.stat();
  return size;
}
`;

const IN_FINALLY = `import { open } from 'node:fs/promises';

export async function sizeOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size;
  } finally {
    await file.close();
  }
}
`;

for (const [name, ESLint] of Object.entries(VERSIONS)) {
  test(`${name}: --fix binds a handle with \`await using\``, async () => {
    using project = new Project();
    project.write('src/size.ts', LEAKING);
    const [result] = await eslintIn(project.root, ESLint, { fix: true }).lintFiles(['src']);
    assert.deepEqual(result?.messages, []);
    assert.equal(result?.output, BOUND);
  });

  test(`${name}: other fixes are suggestions`, async () => {
    using project = new Project();
    project.write('src/size.ts', LEAKING);
    const [result] = await eslintIn(project.root, ESLint).lintFiles(['src']);
    const [{ ruleId, message, line, column, endColumn, suggestions = [] } = fail()] =
      result?.messages ?? [];
    assert.equal(ruleId, 'poundlock/leak-on-throw');
    assert.deepEqual([line, column, endColumn], [4, 22, 32]);
    assert.equal(
      message.slice(0, message.indexOf('What leaks')),
      'The `FileHandle` of `open(path)` is not released when something in between is rejected. ' +
        'Line 5: this may be rejected. ',
    );
    const texts = suggestions.map(({ desc, fix }) => {
      const [start, end] = fix.range;
      return [desc, LEAKING.slice(0, start) + fix.text + LEAKING.slice(end)];
    });
    assert.deepEqual(texts, [['release it in `finally`', IN_FINALLY]]);
  });
}

test('positions are correct after a byte order mark and beyond the basic plane', async () => {
  using project = new Project();
  const text = `\uFEFF/* 𝒙 */ ${LEAKING}`;
  project.write('src/size.ts', text);
  const [plain] = await eslintIn(project.root).lintFiles(['src']);
  assert.deepEqual([plain?.messages[0]?.line, plain?.messages[0]?.column], [4, 22]);
  const [fixed] = await eslintIn(project.root, undefined, { fix: true }).lintFiles(['src']);
  assert.equal(fixed?.output, `\uFEFF/* 𝒙 */ ${BOUND}`);
});

test('a suppression with a reason counts, as on the command line', async () => {
  using project = new Project();
  const comment = '  // poundlock-ignore-next-line leak-on-throw -- ends with the process\n';
  project.write('src/size.ts', LEAKING.replace('  const file', `${comment}  const file`));
  const [result] = await eslintIn(project.root).lintFiles(['src']);
  assert.deepEqual(result?.messages, []);
});

function fail(): never {
  throw new Error('there is no message');
}
