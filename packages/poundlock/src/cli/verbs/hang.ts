// `poundlock hang`: which warp owes what, from what a hung GPU left behind.
import { Option } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import {
  readCoreDump,
  readDebuggerText,
  type ByteSource,
  type HangVerdict,
  type StoppedGpu,
} from '../../hang/index.ts';
import { hangText } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import { openFile } from '../hang/file-source.ts';
import { reportHang, type HangReport } from '../hang/hang-report.ts';
import { readPtxFile } from '../hang/kernel-source.ts';
import { hangDocument, shownHang } from '../hang/shown-hang.ts';
import { readCount, readTime } from '../options/amount.ts';
import { addColorOptions, readColor, type ColorOptions } from '../options/color.ts';

import { reporterEnvironment } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

interface Options extends ColorOptions {
  readonly text?: string;
  readonly ptx?: string;
  readonly launch?: string;
  readonly launchIndex: string;
  readonly emitPtx?: string;
  readonly timeout: string;
  readonly verbose?: true;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  poundlock hang hang.core                          a core dump of a GPU that hangs
  poundlock hang hang.core --launch launch.json     one without the parameters of the launch

How to write a dump: docs/how-to/hang.md

Exit code: 1 the hang or the exception is explained; 0 the kernel is slow, and not hung;
3 cannot say; 2 not a dump`;

const CODES: Readonly<Record<HangVerdict, ExitCode>> = {
  deadlock: ExitCode.findings,
  exception: ExitCode.findings,
  slow: ExitCode.clean,
  unexplained: ExitCode.inconclusive,
};

async function run(file: string | undefined, options: Options, host: Host): Promise<number> {
  const { text } = options;
  if (file === undefined && text === undefined)
    throw new InputError('name the core dump of a GPU that hangs, or --text FILE');
  if (file !== undefined && text !== undefined)
    throw new InputError('--text takes the place of a core dump: name one of them');
  const choice = {
    ptx: options.ptx === undefined ? undefined : readPtxFile(options.ptx, host),
    launch: options.launch,
    launchIndex: readCount('--launch-index', options.launchIndex, 0),
    emit: options.emitPtx,
    timeoutMs: readTime('--timeout', options.timeout),
  };
  const { source, close } = openFile(file ?? text!, host);
  try {
    const gpu = text === undefined ? readCoreDump(source) : readText(source);
    const report = await reportHang(gpu, choice, host);
    write(report, options, host);
    return CODES[report.explanation.verdict];
  } finally {
    close();
  }
}

/** The most bytes of the text of a debugger. */
const MAX_TEXT = 1 << 26;

function readText(source: ByteSource): StoppedGpu {
  if (source.size > MAX_TEXT)
    throw new InputError(`${source.name} has more than ${MAX_TEXT} bytes`);
  const bytes = source.read(0, source.size);
  return readDebuggerText(new TextDecoder().decode(bytes), source.name);
}

function write(report: HangReport, options: Options, host: Host): void {
  if (options.json === true) {
    host.stdout.write(`${JSON.stringify(hangDocument(report, host), null, 2)}\n`);
    return;
  }
  const schedules = options.verbose === true ? 'folded' : 'hidden';
  const environment = reporterEnvironment(host, host.stdout, {
    schedules,
    color: readColor(options),
  });
  const { ptx } = report;
  const lines = ptx === undefined || ptx.isFile ? [] : ptx.text.split('\n');
  const sourceLine = (name: string, line: number): string | undefined => {
    // The PTX of a dump is in no file.
    return name === ptx?.file && lines.length > 0
      ? lines[line - 1]
      : environment.sourceLine(name, line);
  };
  host.stdout.write(hangText(shownHang(report, host), { ...environment, sourceLine }));
}

export const hangVerb: Verb = (command, host, done) => {
  addColorOptions(command)
    .argument('[DUMP]', 'a core dump of a GPU')
    .option('--text <FILE>', 'the output of cuda-gdb in place of a dump; - is stdin')
    .option('--ptx <FILE>', 'PTX, a cubin or another dump, where the dump has no PTX')
    .addOption(
      new Option(
        '--launch <FILE.json>',
        'how the kernel was launched (default: the parameters in the dump)',
      ),
    )
    .option('--launch-index <N>', 'which launch of the file, from 0', '0')
    .option('--emit-ptx <FILE>', 'write the PTX of the dump, so that findings can be replayed')
    .option('--timeout <TIME>', 'how long the cause is looked for', '30s')
    .option('--verbose', 'show the schedule of the finding as a space-time table')
    .option('--json', 'the table and the cause as JSON: docs/schema/hang.json')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, options: Options) =>
      done(await run(file, options, host)),
    );
};
