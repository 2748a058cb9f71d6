// Compares lint with the execution of random programs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lintFiles } from '../programs.ts';
import { pathsOf } from './paths.ts';
import { HEAD, printed } from './print.ts';
import { programOf } from './program.ts';

export interface Comparison {
  readonly right: number;
  readonly wrong: number;
  /** The seeds of right programs with a finding. */
  readonly falseAlarms: readonly number[];
  /** The seeds of wrong programs without one. */
  readonly missed: readonly number[];
}

const CONFIG = {
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ['*.ts'],
};

/** Lints the programs of seeds that hold handles and whose paths are all executed. */
export function compare(first: number, count: number): Comparison {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-random-'));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'stage.ts'), HEAD);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    const right = new Map<string, number>();
    const wrong = new Map<string, number>();
    for (let seed = first; right.size + wrong.size < count; seed++) {
      const program = programOf(seed);
      const { faults, isComplete, holdsHandles } = pathsOf(program);
      if (!isComplete || !holdsHandles) continue;
      const name = `s${seed}.ts`;
      (faults.size === 0 ? right : wrong).set(name, seed);
      writeFileSync(join(folder, name), printed(program));
    }
    const files = [...right.keys(), ...wrong.keys()].map((name) => join(folder, name));
    const found = new Set(lintFiles(files).map(({ primary }) => basename(primary.file)));
    return {
      right: right.size,
      wrong: wrong.size,
      falseAlarms: [...right].flatMap(([name, seed]) => (found.has(name) ? seed : [])),
      missed: [...wrong].flatMap(([name, seed]) => (found.has(name) ? [] : seed)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
