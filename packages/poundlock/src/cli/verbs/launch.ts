// `poundlock launch`: writes the launch that a text allows, to read, to edit and to check.
import { dirname, relative, resolve, sep } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { mustBeWritable, writeAtomically, type Host } from '@poundlock/core/internal/host';
import { inferredKernels } from '../built-kernels.ts';
import { ExitCode } from '../exit-code.ts';
import { isPtx } from '../load-ptx.ts';
import { addInferenceOptions, readLaunchOptions } from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';
import type { Verb } from './verb.ts';

interface Options extends LaunchWords {
  readonly out?: string;
}

const EXAMPLES = `
Examples:
  poundlock launch kernel.ptx                     the launch of its kernel, to stdout
  poundlock launch kernel.ptx -o launch.json      to a file beside it, which check finds
  poundlock launch kernel.ptx --block 128         with a part that you know`;

async function run(file: string, options: Options, host: Host): Promise<void> {
  readLaunchOptions(options);
  if (options.out !== undefined) mustBeWritable(options.out, host.cwd);
  const kernels = await inferredKernels(file, host);
  if (kernels.length > 1) {
    const list = kernels.map(({ name }) => name).join(', ');
    throw new InputError(`${file}: several kernels: choose one of ${list} with --entry`);
  }
  const { writtenLaunch } = await import('../../launches/index.ts');
  const clock = { now: host.cpuNow ?? host.now, pause: host.pause };
  const path = resolve(host.cwd, file);
  const folder = dirname(resolve(host.cwd, options.out ?? 'launch.json'));
  const ptx = isPtx(file) ? relative(folder, path).split(sep).join('/') : null;
  const document = await writtenLaunch(kernels[0]!.subject, ptx, clock);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (options.out === undefined) host.stdout.write(text);
  else writeAtomically(options.out, host.cwd, text);
}

export const launchVerb: Verb = (command, host, done) => {
  addInferenceOptions(command);
  command
    .argument('<FILE>', 'PTX, a CUDA source, or a binary with PTX in it')
    .option('--entry <NAME>', 'which kernel, by its name or a part of it')
    .option('-o, --out <FILE.json>', 'write it to a file')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      await run(file, options, host);
      done(ExitCode.clean);
    });
};
