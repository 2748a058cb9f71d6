// The configuration of a project: types, poundlock.config.ts, tags; and the errors if it is
// missing.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { test } from 'node:test';
import { eslintIn, Project, VERSIONS } from './project.ts';

const RELEASE_BY_BROKER = `import { Broker } from './broker.js';

export function handle(broker: Broker): void {
  const job = broker.take();
  console.log(job.id);
}
`;
const BROKER = `/** @mustRelease done */
export declare class Job { readonly id: number; done(): void }
export declare class Broker { take(): Job }
`;

async function rulesReportedIn(project: Project, strict = false): Promise<(string | null)[]> {
  const results = await eslintIn(project.root, undefined, { strict }).lintFiles(['src']);
  return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
}

for (const [name, ESLint] of Object.entries(VERSIONS)) {
  test(`${name}: without types, the error explains what to do`, async () => {
    using project = new Project();
    const path = project.write('src/plain.ts', 'export const one = 1;\n');
    const more = [{ languageOptions: { parserOptions: { projectService: false } } }];
    const eslint = eslintIn(project.root, ESLint, { more });
    await assert.rejects(eslint.lintFiles(['src']), (error: Error) => {
      assert.match(
        error.message,
        /'poundlock\/leak': types are required, but the parser provides none/,
      );
      assert.match(error.message, /languageOptions\.parserOptions\.projectService to true/);
      assert.ok(error.message.includes(path));
      return true;
    });
  });
}

test('types of `project` work like those of the project service', async () => {
  using project = new Project();
  project.write('src/fd.ts', "import { openSync } from 'node:fs';\nopenSync('a', 'r');\n");
  const parserOptions = { projectService: false, project: true, tsconfigRootDir: project.root };
  const eslint = eslintIn(project.root, undefined, {
    more: [{ languageOptions: { parserOptions } }],
  });
  const [result] = await eslint.lintFiles(['src']);
  assert.deepEqual(
    result?.messages.map(({ ruleId }) => ruleId),
    ['poundlock/discarded-handle'],
  );
});

test('JavaScript is not linted by default', async () => {
  using project = new Project();
  project.write('src/plain.js', "import { openSync } from 'node:fs';\nopenSync('a', 'r');\n");
  const untyped = { languageOptions: { parserOptions: { projectService: false } } };
  const eslint = eslintIn(project.root, undefined, { more: [untyped] });
  const [result] = await eslint.lintFiles(['src']);
  assert.deepEqual(result?.messages, []);
});

test('the presets of poundlock.config.ts are those of the command line', async () => {
  const text = "import { openSync } from 'node:fs';\nexport const f = () => { openSync('a'); };\n";
  using all = new Project();
  all.write('src/fd.ts', text);
  assert.deepEqual(await rulesReportedIn(all), ['poundlock/discarded-handle']);
  using some = new Project();
  some.write('src/fd.ts', text);
  some.write('poundlock.config.ts', "export default { lint: { presets: ['web'] } };\n");
  assert.deepEqual(await rulesReportedIn(some), []);
});

test('tags of poundlock.config.ts count for declarations that have none', async () => {
  using project = new Project();
  project.write('src/broker.d.ts', BROKER);
  project.write('src/handle.ts', RELEASE_BY_BROKER);
  const before = await rulesReportedIn(project);
  using tagged = new Project();
  tagged.write('src/broker.d.ts', BROKER);
  tagged.write('src/handle.ts', RELEASE_BY_BROKER);
  const tags = "{ 'Broker.take': '@returnsBorrowed' }";
  tagged.write('poundlock.config.ts', `export default { lint: { tags: ${tags} } };\n`);
  assert.deepEqual([before, await rulesReportedIn(tagged)], [['poundlock/leak'], []]);
});

test('an invalid configuration is an error with its file', async () => {
  using project = new Project();
  project.write('src/one.ts', 'export const one = 1;\n');
  project.write('poundlock.config.ts', 'export default { lint: { preset: [] } };\n');
  await assert.rejects(
    rulesReportedIn(project),
    /poundlock\.config\.ts: lint has no option 'preset'/,
  );
  using misspelt = new Project();
  misspelt.write('src/one.ts', 'export const one = 1;\n');
  misspelt.write('poundlock.config.ts', "export default { lint: { presets: ['pgg'] } };\n");
  await assert.rejects(rulesReportedIn(misspelt), /lint\.presets has no pgg: did you mean 'pg'\?/);
});

test('strict reports leaks of unknown calls', async () => {
  using project = new Project();
  const text = `import { openSync, closeSync } from 'node:fs';
declare function unknown(fd: number): void;
export function use(path: string): void {
  const fd = openSync(path, 'r');
  unknown(fd);
  closeSync(fd);
}
`;
  project.write('src/use.ts', text);
  assert.deepEqual(await rulesReportedIn(project), []);
  assert.deepEqual(await rulesReportedIn(project, true), ['poundlock/leak-on-throw']);
});

test('a change of one file affects another, after a pause and in the same run', async () => {
  const release = (body: string): string =>
    `import { closeSync } from 'node:fs';\nexport function end(fd: number): void {${body}}\n`;
  const use = `import { openSync } from 'node:fs';
import { end } from './end.js';
export function use(path: string): void {
  const fd = openSync(path, 'r');
  end(fd);
}
`;
  using project = new Project();
  const end = project.write('src/end.ts', release(' closeSync(fd); '));
  const user = project.write('src/use.ts', use);
  const eslint = eslintIn(project.root);
  const rulesIn = async (text: string, filePath: string): Promise<(string | null)[]> => {
    const [result] = await eslint.lintText(text, { filePath });
    return result?.messages.map(({ ruleId }) => ruleId) ?? [];
  };
  assert.deepEqual(await rulesIn(use, user), []);
  await rulesIn(release(''), end);
  await setTimeout(1100);
  assert.deepEqual(await rulesIn(use, user), ['poundlock/leak']);
  await rulesIn(release(' closeSync(fd); '), end);
  await setTimeout(1100);
  assert.deepEqual(await rulesIn(use, user), []);
});
