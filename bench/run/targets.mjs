// Compares the results with their targets: from the figures that the other parts record.

const at = (value, digits) => (value === undefined ? 'not measured' : value.toFixed(digits));
const times = (value) => `${at(value, value < 10 ? 2 : 0)}×`;
const millions = (value) => at(value / 1e6, 1);
const share = (value) => `${at(value * 100, 0)} %`;

/** The rows: the quantity, its target, the part that measures it, its figure, and its format. */
const ROWS = [
  ['64 B, typed handle, of ringbuf.js', '≥ 1.7×', 'handOver', 'handleOfRingbuf', times, 1.7],
  ['64 B, typed handle, of postMessage', '≥ 25×', 'handOver', 'handleOfClone', times, 25],
  ['64 B, generator text with `for`, M tiles/s', '≥ 14', 'kernels', 'straight64', millions, 14e6],
  ['64 B, generator text with `loop`, M tiles/s', '≥ 14', 'kernels', 'looped64', millions, 14e6],
  ['4 KiB, plain face over the slower of both', '≤ 1.5×', 'kernels', 'plain4096', times, -1.5],
  ['4 KiB touched, of ringbuf.js', '≥ 2.5×', 'touched', 'ringbuf4096', times, 2.5],
  ['64 KiB touched, of ringbuf.js', '≥ 4×', 'touched', 'ringbuf65536', times, 4],
  ['1 MiB touched, of ringbuf.js', '≥ 3.5×', 'touched', 'ringbuf1048576', times, 3.5],
  ['1 MiB touched, of transfer', '≥ 1.5×', 'touched', 'transfer1048576', times, 1.5],
  ['4 KiB touched, of the same in C', '≥ 90 %', 'native', 'native4096', share, 0.9],
  ['64 KiB touched, of the same in C', '≥ 90 %', 'native', 'native65536', share, 0.9],
  ['1 MiB touched, of the same in C', '≥ 90 %', 'native', 'native1048576', share, 0.9],
  ['3 roles on 2 CPUs, light, of wait-only', '≥ 0.8×', 'chain', 'chainOfWait', times, 0.8],
  ['3 roles on 2 CPUs, light, of transfer', '≥ 1.9×', 'chain', 'chainOfTransfer', times, 1.9],
  [
    'handle and release over bare words, ns',
    '≤ 10',
    'overhead',
    'overheadNs',
    (x) => at(x, 1),
    -10,
  ],
  [
    'a blocked call after its peer’s death, ms, the longest',
    '≤ 50',
    'death',
    'deathMs',
    (x) => at(x, 1),
    -50,
  ],
];

/** `figures`: by name, from the parts that ran. */
export function targetsTable(figures, table) {
  const rows = ROWS.filter(([, , , name]) => figures[name] !== undefined).map(
    ([what, must, part, name, written, bound]) => {
      const value = figures[name];
      const isReached = bound < 0 ? value <= -bound : value >= bound;
      const command = `\`node bench/run.mjs --only ${part}\``;
      return [what, must, written(value), isReached ? 'yes' : '**no**', command];
    },
  );
  return table(['target', 'must', 'reached', 'met', 'measured by'], rows);
}
