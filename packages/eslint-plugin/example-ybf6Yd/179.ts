import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from 'poundlock/lint';

const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'poundlock.config.mjs');
writeFileSync(file, `export default { lint: { presets: ['node'] } };`);
console.log(readConfig(file).presets); // ["node"]