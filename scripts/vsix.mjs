// Packages the extension for Visual Studio Code: npm run vsix [-- FILE]; `--bundle FILE`: its script.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { zip } from './zip.mjs';
import { workspacesOf } from './workspaces.mjs';

const ROOT = join(import.meta.dirname, '..');

const ENTRY = join(ROOT, 'tools', 'editors', 'vscode', 'src', 'extension.ts');

/** Fields of the manifest that only a checkout needs. */
const OF_CHECKOUT = new Set(['devDependencies', 'private', 'scripts']);

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".cjs" ContentType="application/javascript"/>
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`;

/** The bytes of the package. */
export async function packExtension() {
  const { folder, manifest } = workspacesOf(ROOT).find((each) => each.manifest.engines?.vscode);
  const home = join(ROOT, folder);
  const read = (name) => readFileSync(join(home, name));
  const published = Object.entries(manifest).filter(([field]) => !OF_CHECKOUT.has(field));
  return zip({
    '[Content_Types].xml': Buffer.from(CONTENT_TYPES),
    'extension.vsixmanifest': Buffer.from(vsixManifest(manifest)),
    'extension/package.json': Buffer.from(
      `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`,
    ),
    'extension/README.md': read('README.md'),
    'extension/LICENSE.txt': read('LICENSE'),
    'extension/dist/extension.cjs': await bundle(ENTRY),
  });
}

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    conditions: ['poundlock-source'],
    // Where its modules are matters to no part of it.
    define: { 'import.meta.url': '"file:///poundlock/"' },
    external: ['vscode'],
    logLevel: 'warning',
  });
  return Buffer.from(outputFiles[0].contents);
}

/** What an editor and the marketplace read before they open the rest. */
function vsixManifest({ name, version, publisher, displayName, description, ...more }) {
  const words = (list) => escaped(list.join(','));
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${words(more.keywords)}</Tags>
    <Categories>${words(more.categories)}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(more.engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

if (import.meta.main) {
  const isBundle = process.argv[2] === '--bundle';
  const target = process.argv[isBundle ? 3 : 2];
  const file = resolve(target ?? join(ROOT, 'dist', 'poundlock-vscode.vsix'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, isBundle ? await bundle(ENTRY) : await packExtension());
  process.stdout.write(`${file}\n`);
}
