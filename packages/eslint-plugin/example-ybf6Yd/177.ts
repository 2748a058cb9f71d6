import { readFileSync } from 'node:fs';
import { rulePageUrl } from 'poundlock/lint';

const page = readFileSync(rulePageUrl('leak'), 'utf8');
console.log(page.startsWith('# leak')); // true