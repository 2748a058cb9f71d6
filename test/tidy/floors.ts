// The layering of the packages: the floor of each room (imports go down only), and further bans.

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
  cute: 6,
  'ptx/isa': 6,
  'ptx/values': 6,
  'ptx/text': 7,
  'ptx/launch': 8,
  'ptx/places': 8,
  'ptx/flow': 8,
  'ptx/infer': 9,
  'ptx/steps': 9,
  'ptx/exec': 10,
  'ptx/lower': 11,
  'ptx/trace': 11,
  'ptx/lanes': 12,
  'ptx/loops': 13,
  'ptx/paths': 13,
  'ptx/timing': 13,
  'ptx/kernel': 14,
  'ptx/redundancy': 15,
  ptx: 16,
  text: 16,
  check: 17,
  simulate: 17,
  run: 17,
  lint: 17,
  export: 17,
  advise: 18,
  farm: 18,
  hang: 18,
  fuzz: 18,
  record: 18,
  launches: 18,
  input: 19,
  report: 19,
  explore: 20,
  cli: 21,
  test: 22,
};

/** The public faces: the files directly in `src`. Rooms never import them. */
export const FACE = '';

/** Kernels as built: the rooms of `@poundlock/ptx`, and its face. */
export const PTX_ROOMS = Object.keys(FLOORS).filter((room) => /^ptx(\/|$)/.test(room));

export const ENGINES = ['check', 'simulate', 'run', 'lint', 'export'];
/** The rooms of `@poundlock/dialects`, which a user could have written. */
export const DIALECTS = ['sm100', 'cute'];
export const SUGAR = ['pipeline', ...DIALECTS];

/** The rooms that may import `node:` modules; everything else runs in a browser. */
export const NODE_ROOMS = ['host', 'run', 'record', 'input', 'lint', 'farm', 'cli', 'test'];

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
  ...PTX_ROOMS,
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
  { from: ENGINES, to: PTX_ROOMS, why: 'engines take kernels, wherever they come from' },
  { from: PTX_ROOMS, to: SUGAR, why: '@poundlock/ptx depends on the rooms below pipeline alone' },
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
