// `poundlock lsp`: shows the findings of `lint` in an editor while typing.
import process from 'node:process';
import { serve, startThread } from '@poundlock/lint/lsp';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';

const HELP = `
An editor starts it and speaks the Language Server Protocol over stdin and stdout. Settings come as
initialization options or as the section \`poundlock\`: { "strict": false, "baseline": "lint.json" }

Exit code: 0 the client said goodbye, 1 it is gone, 2 could not run`;

export const lspVerb: Verb = (command, host) => {
  command
    .option('--stdio', 'speak over stdin and stdout, which is the only way')
    .addHelpText('after', HELP)
    .action(async () => {
      const { stdin, stdout } = process;
      if (stdin.isTTY)
        host.stderr.write('poundlock lsp waits for an editor on stdin; Ctrl-C ends\n');
      serve({ input: stdin, output: stdout, version: version(), cwd: host.cwd, startThread });
      // The server ends the process when its client goes.
      await new Promise(() => {});
    });
};
