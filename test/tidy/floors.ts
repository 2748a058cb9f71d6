// The house: which floor each room is on, and what a room may not import beyond "down only".

export const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  op: 1,
  host: 1,
  machine: 2,
  replay: 2,
  finding: 3,
  program: 4,
  system: 5,
  pipeline: 5,
  ring: 5,
  sm100: 6,
  ptx: 6,
  cute: 6,
  check: 6,
  simulate: 6,
  run: 6,
  lint: 6,
  export: 6,
  advise: 7,
  farm: 7,
  fuzz: 7,
  record: 7,
  report: 8,
  explore: 9,
  cli: 10,
  test: 11,
};

/** The public faces: the files directly in `src`. Rooms never import them. */
export const FACE = '';

export const ENGINES = ['check', 'simulate', 'run', 'lint', 'export'];
export const SUGAR = ['pipeline', 'sm100', 'cute'];

/** The rooms that may import `node:` modules; everything else runs in a browser. */
export const NODE_ROOMS = ['host', 'run', 'record', 'lint', 'farm', 'cli', 'test'];

/** The rooms that import no npm package. */
export const CORE_ROOMS = [
  'ring',
  'base',
  'op',
  'machine',
  'replay',
  'finding',
  'program',
  'system',
  'pipeline',
  'check',
  'simulate',
];

interface Ban {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly why: string;
}

const BANS: readonly Ban[] = [
  { from: ['machine'], to: ['replay'], why: 'machine knows operations only' },
  { from: SUGAR, to: ['machine', 'system', ...ENGINES], why: 'pipelines are only sugar' },
  { from: ENGINES, to: SUGAR, why: 'engines know operations, not handles' },
  { from: ENGINES, to: ENGINES, why: 'engines never import one another' },
  {
    from: ['report'],
    to: ['check', 'run', 'lint', 'lsp', 'export', 'advise'],
    why: 'reporters read plain data',
  },
  { from: ['lint'], to: ['machine', 'program', 'system'], why: 'lint never executes programs' },
];

/** Why a file of room `from` may not import one of room `to`; undefined when it may. */
export function whyForbidden(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  for (const room of [from, to]) {
    if (room !== FACE && !(room in FLOORS)) return `'${room}' is not in the table of rooms`;
  }
  if (to === FACE) return 'rooms never import a public face';
  if (from === FACE) return to === 'cli' ? 'a public face never imports cli' : undefined;

  const ban = BANS.find((each) => each.from.includes(from) && each.to.includes(to));
  if (ban) return ban.why;
  if (FLOORS[to] < FLOORS[from]) return undefined;
  return `imports go down only: ${from} is on floor ${FLOORS[from]}, ${to} on ${FLOORS[to]}`;
}
