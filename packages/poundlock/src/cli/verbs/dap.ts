// `poundlock dap`: steps through a schedule in an editor (Debug Adapter Protocol).
import process from 'node:process';
import { documentation } from '@poundlock/core/internal/base';
import { ExitCode } from '../exit-code.ts';
import type { Verb } from './verb.ts';

const HELP = `
An editor starts it and uses the Debug Adapter Protocol over stdin and stdout. Roles are threads,
barriers are variables; it steps forward and back. The fields of a launch: program, replay, params,
launchFile, entry, launchIndex, startAtFinding
(${documentation('how-to/editor.md')}).

Exit code: 0 ended by the editor`;

export const dapVerb: Verb = (command, host, done) => {
  command.addHelpText('after', HELP).action(async () => {
    // A program text gets another `process.stdout`.
    const { stdin, stdout } = process;
    const { ReplaySession } = await import('../dap/session.ts');
    if (stdin.isTTY) host.stderr.write('poundlock dap waits for an editor on stdin; Ctrl-C ends\n');
    const { promise, resolve } = Promise.withResolvers<void>();
    new ReplaySession(host, resolve).start(stdin, stdout);
    await promise;
    stdin.destroy();
    done(ExitCode.clean);
  });
};
