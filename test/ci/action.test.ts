// tier: release
// The action of GitHub: its file fits their schema, and its steps do what it says.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { parse } from 'yaml';
import { FINE, LEAK, Repository, type Ran } from './repository.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TEXT = readFileSync(join(ROOT, 'action.yml'), 'utf8');

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly run?: string;
  readonly if?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(TEXT) as Action;

function script(name: string): string {
  return action.runs.steps.find((step) => step.name === name)?.run ?? assert.fail(name);
}

/** Runs the step that runs poundlock, with inputs as a workflow gives them. */
function step(repository: Repository, inputs: Readonly<Record<string, string>>): Ran {
  const given = Object.entries(action.inputs).map(([name, input]) => [
    name.toUpperCase().replace('-', '_'),
    inputs[name] ?? String(input.default),
  ]);
  return repository.run(script('poundlock'), Object.fromEntries(given) as Record<string, string>);
}

/** What the summary of the job shows. */
function summary(repository: Repository, artifact = ''): string {
  const { code, err } = repository.run(script('Summary'), { ARTIFACT: artifact });
  assert.equal(code, 0, err);
  return repository.run('cat "$GITHUB_STEP_SUMMARY"').out;
}

function verdict(repository: Repository): number | null {
  const code = repository.outputs()['exit-code'] ?? assert.fail('no exit code');
  return repository.run(script('Verdict'), { CODE: code }).code;
}

test('the file fits the schema of actions, and names the version that it comes with', () => {
  assert.deepEqual(validateAction(TEXT).errors, []);
  const manifest = readFileSync(join(ROOT, 'packages', 'poundlock', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  assert.equal(action.inputs['version']?.default, version);
});

test('workflows of the documentation fit the schema, and use inputs that there are', () => {
  const page = readFileSync(join(ROOT, 'docs', 'how-to', 'ci.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const workflows = blocks.filter((text) => text.includes('jobs:'));
  assert.equal(workflows.length, 1);
  for (const text of workflows) {
    assert.deepEqual(validateWorkflow(text).errors, []);
    const { jobs } = parse(text) as {
      jobs: Record<string, { steps: { uses?: string; with?: Record<string, unknown> }[] }>;
    };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const ours = steps.filter(({ uses }) => uses?.includes('/poundlock@'));
    assert.equal(ours.length, 3);
    for (const name of ours.flatMap((each) => Object.keys(each.with ?? {}))) {
      assert.ok(name in action.inputs, name);
    }
  }
});

test('a leak: an annotation at its line, a summary, SARIF, and a job that fails at the end', () => {
  using repository = new Repository();
  repository.write('src/leak.ts', LEAK);
  const { code, out, err } = step(repository, {});
  assert.equal(code, 0, err);
  assert.match(out, /^::error file=src\/leak\.ts,line=3,col=18,title=leak::/m);
  assert.match(summary(repository), /1 finding/);
  const { sarif = assert.fail() } = repository.outputs();
  const { runs } = JSON.parse(readFileSync(sarif, 'utf8')) as {
    runs: { results: { ruleId: string }[] }[];
  };
  assert.deepEqual(
    runs[0]?.results.map(({ ruleId }) => ruleId),
    ['leak'],
  );
  assert.equal(verdict(repository), 1);
});

test('nothing to find: a job that succeeds', () => {
  using repository = new Repository();
  repository.write('src/fine.ts', FINE);
  assert.equal(step(repository, { files: 'src/*.ts' }).code, 0);
  assert.equal(verdict(repository), 0);
});

test('what can not be run fails, without SARIF', () => {
  using repository = new Repository();
  const { err } = step(repository, { files: 'nowhere' });
  assert.match(err, /nowhere/);
  assert.equal(repository.outputs()['sarif'], undefined);
  assert.equal(verdict(repository), 2);
});

test('inputs are words, never commands', () => {
  using repository = new Repository();
  repository.write('src/fine.ts', FINE);
  step(repository, { files: 'src $(touch made) `touch made` ; touch made' });
  assert.equal(repository.run('ls').out, 'node_modules\npackage.json\nsrc\n');
  assert.equal(verdict(repository), 2);
});

test('the same for check: a kernel with a counterexample, and one that is certified', () => {
  using repository = new Repository();
  for (const name of ['broken/one-stage.ts', 'gemm.ts']) {
    repository.write(`kernels/${name}`, '');
    copyFileSync(join(ROOT, 'examples', name), join(repository.path, 'kernels', name));
  }
  const { code, out, err } = step(repository, { verb: 'check', files: 'kernels/broken/*.ts' });
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^::error file=kernels\/broken\/one-stage\.ts,line=\d+,col=\d+,title=deadlock/m,
  );
  assert.equal(verdict(repository), 1);
  step(repository, { verb: 'check', files: 'kernels/gemm.ts' });
  assert.equal(verdict(repository), 0);
});

test('PTX with its launch: checked, with a link to the diagram in the summary', () => {
  using repository = new Repository();
  const [early, fine] = ['tile-sum-early-release', 'tile-sum'].map((name) => `${name}.sm90a.ptx`);
  for (const name of [early!, fine!]) {
    repository.write(`build/${name}`, '');
    copyFileSync(join(ROOT, 'examples', 'ptx', name), join(repository.path, 'build', name));
  }
  const launch = join(repository.path, 'one launch.json');
  const own = JSON.parse(readFileSync(join(ROOT, 'examples/ptx/launch.json'), 'utf8')) as object;
  writeFileSync(launch, JSON.stringify({ ...own, ptx: undefined }));
  const ran = step(repository, { ptx: `build/${early}`, launch: 'one launch.json' });
  assert.match(ran.out, /^::error file=.*title=race/m, ran.err);
  assert.equal(verdict(repository), 1);
  const { diagram = assert.fail() } = repository.outputs();
  assert.match(readFileSync(diagram, 'utf8'), /^<svg /);
  const text = summary(repository, 'https://example.org/artifact');
  assert.match(text, /^\[Space-time diagram of the schedule \(SVG\)\]\(https:/m);
  // No image that a summary cannot show, and the text of the finding is all there.
  assert.doesNotMatch(text, /!\[/);
  assert.match(text, /arrives on empty/);

  using other = new Repository();
  other.write('k.ptx', readFileSync(join(ROOT, 'examples', 'ptx', fine!), 'utf8'));
  other.write('launch.json', readFileSync(launch, 'utf8'));
  step(other, { ptx: '*.ptx' });
  assert.equal(verdict(other), 0);
  assert.equal(other.outputs()['diagram'], undefined);
  assert.match(summary(other), /certified/);
});
