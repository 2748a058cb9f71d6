// What installers read of a wheel: METADATA, WHEEL, entry points, and RECORD with a hash of each file.
import { createHash } from 'node:crypto';

/** Node, and what runs on it, have licenses of their own, which are in the wheel. */
const LICENSE = 'Apache-2.0';

const ENTRY_POINTS = `[console_scripts]
poundlock = poundlock.__main__:main

[pytest11]
poundlock = poundlock.pytest_plugin
`;

/** The files of the folder `poundlock-VERSION.dist-info`, but for RECORD. */
export function metadataFiles({ version, summary, homepage, readme, tag }) {
  return {
    METADATA: metadata({ version, summary, homepage, readme }),
    WHEEL: `Wheel-Version: 1.0\nGenerator: poundlock\nRoot-Is-Purelib: false\nTag: ${tag}\n`,
    'entry_points.txt': ENTRY_POINTS,
    'top_level.txt': 'poundlock\n',
  };
}

function metadata({ version, summary, homepage, readme }) {
  const fields = [
    ['Metadata-Version', '2.1'],
    ['Name', 'poundlock'],
    ['Version', pythonVersion(version)],
    ['Summary', summary],
    ['Home-page', homepage],
    ['License', LICENSE],
    ['License-File', 'LICENSE'],
    ['Classifier', 'Environment :: GPU :: NVIDIA CUDA'],
    ['Classifier', 'Framework :: Pytest'],
    ['Classifier', 'Typing :: Typed'],
    ['Requires-Python', '>=3.9'],
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`;
}

/** A version as Python writes it: `1.0.0-beta.2` is `1.0.0b2`. */
export function pythonVersion(version) {
  return version.replace(/-(alpha|beta|rc)\.?(\d+)$/, (_, kind, number) => {
    return `${kind === 'rc' ? 'rc' : kind[0]}${number}`;
  });
}

/** RECORD: a line for each file; its own has no hash. */
export function recordOf(files, name) {
  const lines = Object.entries(files).map(([path, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    return `${path},sha256=${hash},${bytes.length}\n`;
  });
  return `${lines.join('')}${name},,\n`;
}
