// The table of bench/real.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
export async function table(launches, times, { rows }) {}
