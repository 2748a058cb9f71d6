// Projects for tests: a directory with the packages of this repository installed, and ESLint in it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ESLint as TypeOfESLint, Linter } from 'eslint';
import { ESLint as Ten } from 'eslint';
import { ESLint as Nine } from 'eslint-9';
import tseslint from 'typescript-eslint';
import poundlock from 'eslint-plugin-poundlock';

const PACKAGE = join(import.meta.dirname, '..');
const REPOSITORY = join(PACKAGE, '..', '..');

export const VERSIONS: Readonly<Record<string, typeof TypeOfESLint>> = {
  'ESLint 10': Ten,
  'ESLint 9': Nine as unknown as typeof TypeOfESLint,
};

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'esnext',
  strict: true,
  types: ['node'],
  skipLibCheck: true,
};

/** With `CI` set, typescript-eslint assumes that files do not change, which these tests do. */
const PARSER_OPTIONS = { projectService: true, disallowAutomaticSingleRunInference: true };

/** A directory with a tsconfig.json, `poundlock` and the types of Node; it ends with the scope. */
export class Project implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'eslint-plugin-poundlock-'));

  constructor(compilerOptions: object = COMPILER_OPTIONS) {
    this.write('package.json', '{ "private": true, "type": "module" }');
    this.write('tsconfig.json', JSON.stringify({ compilerOptions }));
    this.#link('poundlock', join(REPOSITORY, 'packages', 'poundlock'));
    this.#link('@poundlock/core', join(REPOSITORY, 'packages', 'core'));
    const types = createRequire(join(REPOSITORY, 'package.json'));
    for (const name of ['@types/node', 'undici-types']) {
      this.#link(name, dirname(types.resolve(`${name}/package.json`)));
    }
  }

  #link(name: string, to: string): void {
    const at = join(this.root, 'node_modules', name);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(to, at, 'junction');
  }

  write(name: string, text: string): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export interface Wanted {
  readonly strict?: boolean;
  readonly fix?: boolean;
  readonly more?: readonly Linter.Config[];
}

/** ESLint as a user configures it, with the types of a project service. */
export function eslintIn(
  root: string,
  ESLint: typeof TypeOfESLint = Ten,
  { strict = false, fix = false, more = [] }: Wanted = {},
): TypeOfESLint {
  return new ESLint({
    cwd: root,
    fix,
    overrideConfigFile: true,
    overrideConfig: [
      tseslint.configs.base as Linter.Config,
      poundlock.configs[strict ? 'strict' : 'recommended'],
      { languageOptions: { parserOptions: { ...PARSER_OPTIONS, tsconfigRootDir: root } } },
      ...more,
    ],
  });
}
