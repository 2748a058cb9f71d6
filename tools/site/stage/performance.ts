// The page of plots: tables of bench/results as pictures.
import type { Page } from './page.ts';
import { plotHtml, type Plot, type PlotRow } from './plot.ts';
import { type MeasuredTable, numberOf, tableIn } from './tables.ts';

const RESULTS = 'bench/results';

interface Part {
  readonly heading: string;
  readonly about: string;
  readonly plots: readonly Plot[];
}

/** The plots of the measurements, each with the page that has its numbers. */
export function performancePage(): Page {
  const parts = [proofs(), growth(), models(), simulators(), rings(), mutants()];
  const body = parts.flatMap(({ heading, about, plots }) => [
    `## ${heading}`,
    about,
    ...plots.map(plotHtml),
  ]);
  return {
    address: 'performance',
    title: 'Performance and accuracy',
    description: 'How fast proofs are, how near simulated cycles are, how fast rings are.',
    body: [
      'Plots of tables in [bench/results](/measurements/), which have the commands that measure them again. ' +
        'All but the models of GPUs were measured on a virtual machine with two cores.',
      ...body,
    ].join('\n\n'),
    more: { tableOfContents: { maxHeadingLevel: 2 } },
  };
}

/** SPIN and the certificate on the same programs, in milliseconds. */
function proofs(): Part {
  const { rows } = tableIn(`${RESULTS}/performance.md`, 'program', 'SPIN states', 'SPIN');
  const MS = 1000;
  const LIMIT_MS = 40_000;
  const shown = rows.flatMap(([label = '', , spin = '', , cold = '']): PlotRow[] => {
    if (spin === 'not run') return [];
    const isOut = spin === 'runs out';
    const ms = isOut ? LIMIT_MS : numberOf(spin)! * MS;
    const own = numberOf(cold)!;
    return [
      {
        label,
        bars: [
          { value: own, text: `${cold} ms`, series: 0 },
          { value: ms, text: isOut ? 'runs out of 40 s or 8 GB' : spin, series: 1, isOpen: isOut },
        ],
      },
    ];
  });
  return {
    heading: 'Proofs, beside SPIN',
    about:
      'The same protocols as Promela models. SPIN enumerates states; the certificate of poundlock needs one run ' +
      'of each role. The time of poundlock is that of the first check in a process, that of SPIN the search alone. ' +
      '[Numbers, and what they leave out](/measurements/performance/#beside-spin).',
    plots: [
      { caption: 'Time to a verdict', series: ['poundlock', 'SPIN'], rows: shown, logFrom: 1 },
    ],
  };
}

function growth(): Part {
  const { rows } = tableIn(`${RESULTS}/performance.md`, 'tiles, S=4', 'events', 'ms');
  const shown = rows.map(([tiles = '', , ms = '']) => {
    return {
      label: `${tiles} tiles`,
      bars: [{ value: numberOf(ms)!, text: `${ms} ms`, series: 0 }],
    };
  });
  return {
    heading: 'Proofs, by number of tiles',
    about:
      'A plain `for` is counted out: time grows with its tiles, memory does not. Written with `count` and `loop`, ' +
      'all numbers of tiles are proved at once. [Numbers](/measurements/performance/#the-certificate).',
    plots: [{ caption: 'Time of a certificate', series: ['poundlock'], rows: shown }],
  };
}

/** Errors of the models of GPUs on each table. */
/** The errors of one chip's programs, of a table whose first cells are `chip, program`. */
function errorPlot({ rows }: MeasuredTable, chip: string, what: string): Plot {
  const own = rows.filter(([label = '']) => label.startsWith(`${chip},`));
  const bars = own.map(([label = '', , median = '', p95 = '']) => ({
    label: label.slice(chip.length + 2),
    bars: [
      { value: numberOf(median)!, text: median, series: 0 },
      { value: numberOf(p95)!, text: p95, series: 1 },
    ],
  }));
  const caption = `Error of predicted cycles${what}, ${chip.toUpperCase()}`;
  return { caption, series: ['median', '95th percentile'], rows: bars };
}

function models(): Part {
  const errors = tableIn(`${RESULTS}/accuracy.md`, 'chip, table', 'rows', 'median', 'p95');
  const whole = tableIn(`${RESULTS}/unfitted.md`, 'chip, program', 'rows', 'median', 'p95');
  const built = tableIn(`${RESULTS}/ptx-accuracy.md`, 'chip, table', 'rows', 'PTX: median', 'p95');
  return {
    heading: 'Simulated cycles, against GPUs',
    about:
      'Cycles that `simulate` predicts against cycles that were measured, for each table of measurements. Most tables ' +
      'took part in fitting the models: [what was fitted to what](/measurements/accuracy/). No model was fitted to the ' +
      '[whole programs](/measurements/unfitted/). Kernels read from PTX are [what nvcc makes](/measurements/ptx-accuracy/) of the ' +
      'measured kernels.',
    plots: [
      ...['h200', 'h100'].map((chip) => errorPlot(errors, chip, '')),
      ...['h200', 'h100'].map((chip) => errorPlot(whole, chip, ' of whole programs')),
      ...['h200', 'h100'].map((chip) => errorPlot(built, chip, ' of kernels read from PTX')),
    ],
  };
}

function simulators(): Part {
  const { rows } = tableIn(`${RESULTS}/simulate-performance.md`, 'simulator', 'tiles/s');
  const shown = rows.map(([label = '', rate = '']) => {
    return { label, bars: [{ value: numberOf(rate)!, text: `${rate} tiles/s`, series: 0 }] };
  });
  return {
    heading: 'Speed of the simulator',
    about:
      'Tiles of a two-role ring per second of processor time. [Numbers](/measurements/simulate-performance/).',
    plots: [{ caption: 'Simulated tiles per second', series: ['tiles/s'], rows: shown }],
  };
}

function rings(): Part {
  const { rows, heading } = tableIn(
    `${RESULTS}/run-performance.md`,
    'tile',
    'ring',
    'ring, wait-only',
  );
  const series = heading.slice(1);
  const shown = rows.map(([label = '', ...cells]) => {
    const bars = cells.map((cell, at) => {
      const text = cell.replace(/ \(.*\)$/, '').replace(/ = /, ' · ');
      return { value: numberOf(cell)!, text, series: at };
    });
    return { label, bars };
  });
  return {
    heading: 'Rings between threads',
    about:
      'Tiles per second from one worker to another, each byte written and read, beside ringbuf.js, `postMessage` with ' +
      'clone and transfer, and thread-stream. [Numbers, and the targets that are missed](/measurements/run-performance/).',
    plots: [{ caption: 'Tiles per second, two CPUs', series, rows: shown, logFrom: 100 }],
  };
}

function mutants(): Part {
  const { rows } = tableIn(`${RESULTS}/ptx-mutants.md`, 'kernel', 'mutants', 'found');
  const FULL = 100;
  const shown = rows.map(([label = '', all = '', found = '']) => {
    const share = (FULL * numberOf(found)!) / numberOf(all)!;
    return { label, bars: [{ value: share, text: `${found} of ${all}`, series: 0 }] };
  });
  return {
    heading: 'Mutants of kernels as built',
    about:
      'One synchronizing instruction of a correct kernel deleted, repeated or changed. Most of those that survive ' +
      'change nothing, and each [has its reason](/measurements/ptx-mutants/).',
    plots: [{ caption: 'Mutants that are found', series: ['found'], rows: shown }],
  };
}
