// tier: release
// The recipes of docs/how-to/farm.md: the workflow and the manifest are valid, the script is sh.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validateWorkflow } from '@action-validator/core';
import { Job, type IJob } from 'kubernetes-models/batch/v1/Job';
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

test('the manifest is valid by the schema of Kubernetes, and its parts are those of the job', () => {
  const manifest = parse(block('yaml', 'completionMode')) as IJob;
  new Job(manifest).validate();
  const wrong = structuredClone(manifest) as unknown as { spec: Record<string, unknown> };
  wrong.spec['completions'] = 'sixteen';
  assert.throws(() => new Job(wrong as unknown as IJob).validate(), /completions/);
  const { completions, template } = manifest.spec!;
  const [command] = template.spec!.containers[0]!.args!;
  assert.match(
    command!,
    new RegExp(`--shard \\$\\(\\(JOB_COMPLETION_INDEX \\+ 1\\)\\)/${completions} `),
  );
});

test('the script of Slurm is sh', () => {
  const { status, stderr } = spawnSync('sh', ['-n'], { input: block('sh', '#SBATCH') });
  assert.equal(status, 0, String(stderr));
});
