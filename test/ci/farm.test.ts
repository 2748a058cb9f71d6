// tier: release
// The recipes of docs/how-to/farm.md: the workflow and the manifest are valid, the script is sh.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { validateWorkflow } from '@action-validator/core';
import type { Job } from 'kubernetes-types/batch/v1.js';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'how-to', 'farm.md'), 'utf8');

/** The block of a language that has this in it. */
function block(language: string, saying: string): string {
  const blocks = PAGE.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'));
  const found = [...blocks].map(([, text = '']) => text).find((text) => text.includes(saying));
  return found ?? assert.fail(saying);
}

test('the workflow is one', () => {
  const { errors } = validateWorkflow(block('yaml', 'workflow_dispatch'));
  assert.deepEqual(errors, []);
});

test('the manifest is one by the types of Kubernetes, and its parts are those of the job', () => {
  const manifest = parse(block('yaml', 'completionMode')) as Job;
  assert.equal(typeErrors(manifest), '');
  const { completions, template } = manifest.spec!;
  const wrongIs = (fields: object) => typeErrors({ spec: { template, ...fields } });
  assert.match(wrongIs({ completions: 'sixteen' }), /'string' is not assignable to type 'number'/);
  assert.match(wrongIs({ retries: 3 }), /'"retries"' does not exist in type 'JobSpec'/);
  const [command] = template.spec!.containers[0]!.args!;
  assert.match(
    command!,
    new RegExp(`--shard \\$\\(\\(JOB_COMPLETION_INDEX \\+ 1\\)\\)/${completions} `),
  );
});

/** What the compiler reports about a manifest, which it sees as a literal of the type of a job. */
function typeErrors(manifest: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-manifest-'));
  const file = join(folder, 'manifest.ts');
  const types = join(ROOT, 'node_modules', 'kubernetes-types', 'batch', 'v1');
  const literal = JSON.stringify(manifest, null, 2);
  writeFileSync(
    file,
    `import type { Job } from '${types}';\nexport const job: Job = ${literal};\n`,
  );
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [tsc, '--noEmit', '--strict', '--module', 'preserve', '--ignoreConfig', file];
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return stdout;
}

test('the script of Slurm is sh', () => {
  const { status, stderr } = spawnSync('sh', ['-n'], { input: block('sh', '#SBATCH') });
  assert.equal(status, 0, String(stderr));
});
