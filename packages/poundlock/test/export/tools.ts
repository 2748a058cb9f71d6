// The tools that the export is for, as far as this machine has them.
import { spawnSync } from 'node:child_process';

function runs(command: string, ...words: string[]): boolean {
  return spawnSync(command, words, { stdio: 'ignore' }).error === undefined;
}

/** Why SPIN can not be run here, or '' when it can. */
export function missingSpin(): string {
  const tool = ['spin', 'gcc'].find((each) => !runs(each, '--version'));
  return tool === undefined ? '' : `${tool} is missing: \`npm run setup:spin\` installs it`;
}
