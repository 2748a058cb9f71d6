// Writes the tables of bench/results/calibration.md: the errors of the h200 model on the measured
// rows.
//
//   node bench/calibration.mjs            current errors, choices and parameters: half a minute
//   node bench/calibration.mjs --folds    also the cross-validation: some ten minutes
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { putIntoPage } from './page.mjs';

const [FOLDS, ROUNDS] = ['3', '2'];
const FITTED = ['two_role', 'three_role', 'release_order', 'tensor_core'];
const root = new URL('..', import.meta.url);

function calibrate(tables, ...options) {
  const program = fileURLToPath(new URL('packages/poundlock/bin/poundlock.js', root));
  const args = [program, 'calibrate', ...tables, ...options];
  return execFileSync(process.execPath, args, { cwd: fileURLToPath(root), encoding: 'utf8' });
}

const tables = calibrate(['bench/h200'], '--rounds', '0');
putIntoPage('calibration', 'errors', tables);
if (process.argv.includes('--folds')) {
  const files = FITTED.map((table) => `bench/h200/${table}.csv`);
  putIntoPage('calibration', 'folds', calibrate(files, '--folds', FOLDS, '--rounds', ROUNDS));
}
console.log(tables);
