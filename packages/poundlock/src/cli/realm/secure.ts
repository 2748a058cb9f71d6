// Prepares the process for the code of program texts: what they share is frozen, what is outside of
// them is refused.
import nodeModule, { isBuiltin, syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { PURE_MODULES } from './admitted.ts';
import { freezeLanguage, languageGlobals } from './freeze.ts';
import { gateModule, gateOutside } from './outside.ts';
import { mustBeAdmitted, restrict } from './restricted.ts';

// What a program text assigns to a module of Node stays in that object.
const publishExports = syncBuiltinESMExports;
const { getBuiltinModule } = process;
let isSecure = false;

/** From now on, code of program texts runs in this process. */
export function secureProcess(): void {
  if (isSecure) return;
  isSecure = true;
  const language = languageGlobals();
  process.getBuiltinModule = ((name: string) => {
    admitModule(name);
    return getBuiltinModule(name);
  }) as typeof getBuiltinModule;
  nodeModule.syncBuiltinESMExports = () => undefined;
  restrict(language);
  gateOutside(language);
  freezeLanguage(language);
  publishExports();
}

/** A program text uses the module of Node `name`: refuses it, or gates it. */
export function admitModule(specifier: string): void {
  const name = specifier.replace(/^node:/, '');
  if (!isBuiltin(specifier)) return;
  mustBeAdmitted(name);
  if (PURE_MODULES.has(name) || name === 'process') return;
  gateModule(getBuiltinModule(specifier) as object, name);
  publishExports();
}
