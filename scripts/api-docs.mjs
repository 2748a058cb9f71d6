// `npm run docs:api`: writes the API reference to site/api with TypeDoc; any warning is an error.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

// TypeDoc needs the API of TypeScript 6, which lies beside it in this private package.
const { resolve } = createRequire(join(ROOT, 'packages/classic-typescript/package.json'));
const { Application, TSConfigReader, TypeDocReader } = await import(
  pathToFileURL(resolve('typedoc')).href
);

const app = await Application.bootstrapWithPlugins({ options: join(ROOT, 'typedoc.json') }, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
const project = await app.convert();
if (project === undefined) process.exit(1);

// TypeDoc looks for types that are mentioned and not exported in the project's own package alone.
for (const name of app.options.getValue('packagesRequiringDocumentation')) {
  project.packageName = name;
  app.validate(project);
}
project.packageName = 'poundlock';
if (!isCheck) await app.generateOutputs(project);
const { errorCount, warningCount, validationWarningCount = 0 } = app.logger;
process.exit(errorCount + warningCount + validationWarningCount > 0 ? 1 : 0);
