// TypeScript 6, which reads sources for tests: TypeScript 7 has no stable API.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TypeScript from '../../tools/classic-typescript/node_modules/typescript/lib/typescript.js';

export type { TypeScript };

const CLASSIC = join(import.meta.dirname, '..', '..', 'tools', 'classic-typescript');
export const ts = createRequire(join(CLASSIC, 'package.json'))('typescript') as typeof TypeScript;
