// Lints programs: every file that was asked for, with findings as data.
import type { Finding as FlowFinding } from './flow/report.ts';
import { analyseFile } from './flow/analyse.ts';
import { Catalogue } from './models/catalogue.ts';
import { PRESETS } from './models/index.ts';
import type { Model } from './models/model.ts';
import { ProjectWorld } from './project/project.ts';
import { hasTags } from './contract/tags.ts';
import type { Program } from './typescript/program.ts';
import { moduleOf } from './typescript/module-name.ts';
import type { SourceFile } from './syntax/node.ts';

export interface LintOptions {
  readonly strict?: boolean;
  readonly models?: readonly Model[];
  /** Tags for declarations that have none, by name or `Owner.name`. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The files of a program that are the project's own, and libraries whose declarations are tagged. */
function sourcesOf(program: Program): SourceFile[] {
  const files: SourceFile[] = [];
  for (const name of program.fileNames()) {
    if (moduleOf(name) !== undefined) continue;
    const file = program.read(name);
    if (file === undefined) continue;
    if (file.isDeclarations && !hasTags(file.text)) continue;
    files.push(file);
  }
  return files;
}

/** What the analysis finds in the files of a program that were asked for. */
export function lintProgram(program: Program, options: LintOptions = {}): FlowFinding[] {
  const findings = new Map<string, FlowFinding>();
  const world = new ProjectWorld(sourcesOf(program), program.oracle, {
    strict: options.strict ?? false,
    catalogue: new Catalogue(options.models ?? Object.values(PRESETS).flat()),
    tags: options.tags ?? {},
    report: (finding) => {
      const key = `${finding.kind}:${finding.file.path}:${finding.start}`;
      const known = findings.get(key);
      const tier = finding.cause?.tier ?? 0;
      if (known === undefined || tier < (known.cause?.tier ?? 0)) findings.set(key, finding);
    },
  });
  const asked = new Set(program.asked);
  for (const file of world.files) if (asked.has(file.path)) analyseFile(world, file);
  return [...findings.values()];
}
