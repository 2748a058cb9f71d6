// tier: deep
// Recorded PTX says nothing of the machine, and ptxas takes it as the text that was compiled.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutPaths } from '#src/record/document/private-text';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'ptx');
const hasAssembler = spawnSync('ptxas', ['--version']).status === 0;

const bytes = (text: string): string => [...Buffer.from(`${text}\0`)].join(',');
const STRINGS = `\t.section\t.debug_str
\t{
$L__info_string0:
.b8 ${bytes('_Z4copyPvPKv')}
$L__info_string1:
.b8 ${bytes('/home/me/secret.cu').slice(0, 20)}
.b8 ${bytes('/home/me/secret.cu').slice(21)}
\t}
`;

test('names of functions stay, strings that are paths do not, and labels and lines do', () => {
  const text = withoutPaths(STRINGS, '/home/me');
  assert.equal(text.split('\n').length, STRINGS.split('\n').length);
  assert.ok(text.includes(bytes('_Z4copyPvPKv')));
  assert.match(text, /^\$L__info_string1: \.b8 0$/m);
  assert.doesNotMatch(text, /\b47,/);
});

test('other debug sections have their labels alone', () => {
  const section = '.section .debug_info\n{\n.b8 1\n$L__info_end0:\n.b32 7\n}\n';
  assert.equal(
    withoutPaths(section, '/'),
    '.section .debug_info\n{\n\n$L__info_end0: .b8 0\n\n}\n',
  );
});

test('ptxas takes the text', { skip: hasAssembler ? false : 'needs ptxas' }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-ptxas-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const text = readFileSync(join(EXAMPLES, 'tile-sum.sm90a.ptx'), 'utf8');
  assert.match(text, /function_name \$L__info_string0/);
  writeFileSync(join(folder, 'kernel.ptx'), withoutPaths(text, EXAMPLES));
  const words = ['-arch=sm_90a', '-lineinfo', 'kernel.ptx', '-o', 'kernel.cubin'];
  const { status, stderr } = spawnSync('ptxas', words, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
