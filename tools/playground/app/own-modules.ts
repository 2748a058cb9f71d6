// The public modules of poundlock that a program in a browser can import.
import * as advise from '../../../packages/poundlock/src/advise/public.ts';
import * as check from '../../../packages/poundlock/src/check/public.ts';
import * as cute from '@poundlock/dialects/cute';
import * as exported from '../../../packages/poundlock/src/export/public.ts';
import * as ptx from '@poundlock/ptx';
import * as main from '../../../packages/poundlock/src/public.ts';
import * as simulate from '../../../packages/poundlock/src/simulate/public.ts';
import * as sm100 from '@poundlock/dialects/sm100';

/** By the name of an import. */
export const OWN_MODULES: Readonly<Record<string, object>> = {
  poundlock: main,
  'poundlock/advise': advise,
  'poundlock/check': check,
  'poundlock/cute': cute,
  'poundlock/export': exported,
  'poundlock/ptx': ptx,
  'poundlock/simulate': simulate,
  'poundlock/sm100': sm100,
};

const KEY = 'poundlock.modules';
(globalThis as Record<symbol, unknown>)[Symbol.for(KEY)] = OWN_MODULES;

/** A module that exports what the own module of that name does. */
export function ownModuleText(specifier: string): string {
  const names = Object.keys(OWN_MODULES[specifier]!);
  const all = `globalThis[Symbol.for('${KEY}')][${JSON.stringify(specifier)}]`;
  return `export const { ${names.join(', ')} } = ${all};\n`;
}
