// `npm run docs:api`: writes the API reference to tools/site/api with TypeDoc; any warning is an error.
// With --markdown FOLDER it writes Markdown for the documentation site.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
/** Validates alone, and writes nothing. */
const isCheck = process.argv.includes('--check');
/** A folder for Markdown. */
const markdownFolder = argumentOf('--markdown');

/** Types by package that signatures mention and users have no use for by name. */
const INTERNAL = {
  poundlock: [
    'check/options.ts:ENGINES',
    'check/options.ts:MEMORY_PROFILES',
    'check/options.ts:SIZES',
    'simulate/models/names.ts:MODEL_NAMES',
  ],
  '@poundlock/core': [
    'base/options.ts:Needed',
    'base/options.ts:Optional',
    'base/options.ts:Values',
    'finding/rule.ts:Catalogue',
    'finding/rule.ts:RulesWith',
    'machine/shape.ts:BARRIER_MODES',
    'op/kind.ts:OpKind',
    'op/op.ts:OpOf',
    'op/order.ts:SCOPES',
    'pipeline/endpoint.ts:StageClass',
    'pipeline/ring.ts:ADVANCES',
    'pipeline/ring.ts:Revive',
    'pipeline/ring.ts:SharedRing',
    'pipeline/scoped.ts:Scope',
    'program/declarations.ts:SPACES',
    'program/kernel.ts:OWNERSHIPS',
    'program/memory-operations.ts:FENCES',
    'program/parameters.ts:ResolvedParameters',
    'program/parameters.ts:Widen',
    'program/pending-operations.ts:Performable',
    'program/role.ts:WAIT_STYLES',
  ],
  '@poundlock/dialects': ['sm100/grouped-scheduler.ts:DRAIN_PHASES', 'sm100/payload.ts:Slices'],
  '@poundlock/ring': [
    'pipe/ends.ts:NodeWritable',
    'pipe/ends.ts:WebReadable',
    'pipe/ends.ts:WebWritable',
    'schema.ts:ARRAYS',
    'schema.ts:FieldData',
    'tile.ts:TileOwner',
  ],
  '@poundlock/fuzz': ['kinds.ts:ALL'],
  '@poundlock/lint': [
    'config.ts:KEYS',
    'heuristics/index.ts:HEURISTICS',
    'typescript/six.ts:ClassicChecker',
    'typescript/six.ts:ClassicFile',
    'typescript/tree.ts:SyntaxKinds',
  ],
};

// TypeDoc needs the API of TypeScript 6, which is installed in this private package.
const { resolve } = createRequire(join(ROOT, 'tools/classic-typescript/package.json'));
const { Application, TSConfigReader, TypeDocReader } = await import(
  pathToFileURL(resolve('typedoc')).href
);

/** A page for each module, with code blocks for signatures. */
const MARKDOWN = {
  plugin: [
    markdownFolder === undefined ? '' : pathToFileURL(resolve('typedoc-plugin-markdown')).href,
  ],
  router: 'module',
  entryFileName: 'index',
  modulesFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  // TypeDoc's anchors contain the class of a member, headings of a page do not.
  useHTMLAnchors: true,
  useCodeBlocks: true,
  expandParameters: true,
  parametersFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  tableColumnSettings: { hideSources: true, hideInherited: true, hideModifiers: true },
  groupOrder: ['Functions', 'Classes', 'Variables', '*'],
  out: markdownFolder,
};

const options = {
  options: join(ROOT, 'typedoc.json'),
  ...(markdownFolder !== undefined && MARKDOWN),
};
const app = await Application.bootstrapWithPlugins(options, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
const project = await app.convert();
if (project === undefined) process.exit(1);

// TypeDoc looks for types that are mentioned and not exported in the project's own package alone.
const packages = app.options.getValue('packagesRequiringDocumentation');
for (const name of packages) {
  project.packageName = name;
  // Links and comments are validated once for all packages.
  const isFirst = name === packages[0];
  const once = { invalidLink: isFirst, notDocumented: isFirst, rewrittenLink: isFirst };
  app.options.setValue('validation', { notExported: true, unusedMergeModuleWith: false, ...once });
  app.options.setValue('intentionallyNotExported', INTERNAL[name] ?? []);
  app.validate(project);
}
project.packageName = packages[0];
if (!isCheck) await app.generateOutputs(project);
const { errorCount, warningCount, validationWarningCount = 0 } = app.logger;
process.exit(errorCount + warningCount + validationWarningCount > 0 ? 1 : 0);

/** The word after an option. */
function argumentOf(option) {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
}
