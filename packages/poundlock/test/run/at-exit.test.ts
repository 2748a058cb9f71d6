// A process that ends while it holds stages says so.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';

function stderrOf(program: string): string {
  const text = `import { createRing } from 'poundlock/ring';
    import { reportAtExit } from 'poundlock/run';
    const ring = createRing({ name: 'frames', stages: 3, bytes: 8, debug: true });
    reportAtExit(process, ring);
    ${program}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  assert.equal(status, 0, stderr);
  return stderr;
}

test('stages that are held at the end are reported', () => {
  const stderr = stderrOf(`ring.producer('camera').acquireBatchSync(2);`);
  assert.match(
    stderr,
    /^poundlock: the process ends while producer camera holds stages 0, 1 of frames/,
  );
});

test('where all were released there is nothing to say', () => {
  assert.equal(stderrOf(`ring.producer('camera').acquireSync().release();`), '');
});
