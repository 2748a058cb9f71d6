// tier: release — from a registry, the packages install and work as the pages promise.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, before, test, type TestContext } from 'node:test';
import { masked, ROOT } from '../../../packages/poundlock/test/golden/golden.ts';
import { blocksOf, snippetsOf } from '../../../test/docs/snippets.ts';
import { olderNode } from '../../../test/package/older-node.ts';
import { packed } from '../../../test/package/packed.ts';
import { isInstalled, NEWER_NODE } from '../install.ts';
import { LocalRegistry, type Shell } from '../local-registry.ts';

const NODES = { 24: dirname(process.execPath), 26: NEWER_NODE };
const skip = isInstalled() ? false : 'the registry is missing: `npm run setup:registry`';

const folder = mkdtempSync(join(tmpdir(), 'poundlock-registry-'));
let registry: LocalRegistry | undefined;

before(async () => {
  if (skip !== false) return;
  const tarballs = packed();
  registry = new LocalRegistry(folder, tarballs);
  await registry.publish(tarballs);
});
after(() => {
  registry?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A test in a folder of its own, with each Node that users have. */
function testOnNodes(name: string, run: (shell: Shell, cwd: string) => void): void {
  for (const [major, node] of Object.entries(NODES)) {
    test(`${name}, on Node ${major}`, { skip }, () => {
      const cwd = mkdtempSync(join(folder, 'user-'));
      const shell = registry!.shell(node);
      assert.match(shell('node --version', cwd).stdout, new RegExp(`^v${major}\\.`));
      run(shell, cwd);
    });
  }
}

testOnNodes('the README: what it installs finds the race of its kernel', (shell, cwd) => {
  const install = line(page('README.md'), 'sh', /^npm install poundlock/);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
  ran(shell, install, cwd);
  const snippet = snippetsOf(join(ROOT, 'README.md')).find(({ verb }) => verb === 'check');
  writeFileSync(join(cwd, 'gemm.ts'), snippet!.text);
  const { status, stdout, stderr } = shell('npx poundlock check gemm.ts --json', cwd);
  assert.equal(status, 1, stderr);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string }[] };
  assert.equal(findings[0]?.rule, snippet!.expected);
});

testOnNodes('npm create poundlock: a folder whose test passes', (shell, cwd) => {
  const commands = blocksOf(page('docs/how-to/new-project.md')).find(
    ({ language, text }) => language === 'sh' && text.includes('--yes'),
  );
  assert.match(ran(shell, commands!.text, cwd), /pass 2\n/);
});

testOnNodes('the page of the ESLint plugin: its file has the finding', (shell, cwd) => {
  const readme = page('packages/eslint-plugin/README.md');
  const [, install, missing] = /^(.*?) +# and, if they are missing: (.*)$/.exec(
    line(readme, 'sh', /^npm install/),
  )!;
  const [config, file] = blocksOf(readme).filter(({ language }) => /^[jt]s$/.test(language));
  const [, rule] = /\/\/ (poundlock\/.+)/.exec(file!.text)!;
  for (const [name, text] of Object.entries({
    'package.json': '{ "private": true, "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }',
    'eslint.config.js': config!.text,
    'verify.ts': file!.text,
  }))
    writeFileSync(join(cwd, name), text);
  ran(shell, `${install} ${missing}`, cwd);
  const { status, stdout, stderr } = shell('npx eslint verify.ts', cwd);
  assert.equal(status, 1, stdout + stderr);
  assert.ok(stdout.includes(rule!), stdout);
});

testOnNodes('the tutorial: its first commands print what it shows', (shell, cwd) => {
  const blocks = blocksOf(page('docs/tutorial/first-kernel.md'));
  ran(shell, blocks.find(({ language }) => language === 'sh')!.text, cwd);
  const project = join(cwd, 'first');
  const kernel = blocks.find(({ file }) => file === 'gemm.ts');
  writeFileSync(join(project, 'gemm.ts'), kernel!.text);
  const next = blocks.find(({ file, line: at }) => file === 'gemm.ts' && at > kernel!.line);
  const commands = blocks.filter(
    ({ language, line: at }) => language === 'console' && at < (next?.line ?? Infinity),
  );
  assert.ok(commands.length >= 2);
  for (const { text } of commands) {
    const [, command, shown] = /^\$ (.+)\n([^]*)$/.exec(text)!;
    const { stdout, stderr } = shell(command!, project);
    assert.equal(masked(stderr + stdout), masked(shown!), command);
  }
});

test('on an older Node, npm warns about the package', { skip }, (t: TestContext) => {
  const older = olderNode();
  if (older === undefined) return t.skip('no Node older than 24 on PATH');
  const cwd = join(folder, 'older');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  const { stderr } = registry!.shell(dirname(older))('npm install poundlock', cwd);
  assert.match(stderr, /EBADENGINE Unsupported engine \{[^}]*'poundlock@[^}]*node: '>=24'/);
});

function page(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

/** The line of a block of code that a pattern finds, without a comment that stands apart. */
function line(text: string, language: string, pattern: RegExp): string {
  const lines = blocksOf(text).flatMap((block) =>
    block.language === language ? block.text.split('\n') : [],
  );
  return lines.find((each) => pattern.test(each)) ?? assert.fail(String(pattern));
}

/** What commands print that have to succeed. */
function ran(shell: Shell, commands: string, cwd: string): string {
  const { status, stdout, stderr } = shell(commands, cwd);
  assert.equal(status, 0, `${commands}\n${stdout}${stderr}`);
  return stdout;
}
