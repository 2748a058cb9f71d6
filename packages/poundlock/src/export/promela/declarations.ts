// The state of a model as Promela variables, and the operations on it as inlines.
import { FlightKind, isWork, MAX_PENDING } from '@poundlock/core/internal/machine';
import type { BarrierModel, ExportModel, QueueModel } from '../model.ts';
import type { Statements } from './statements.ts';

const MAX_BYTE = 255;

/** Barriers by number: those whose true phase is kept come first. */
function ordered(model: ExportModel): BarrierModel[] {
  return model.barriers.toSorted((a, b) => Number(b.hasPhase) - Number(a.hasPhase));
}

export function declarations(model: ExportModel): string[] {
  return [
    ...barrierLines(model),
    ...bufferLines(model),
    ...model.registers.map(({ ident, name }) => `short ${ident}; /* stages of ${name} */`),
    ...model.counts.map(({ ident, name }) => `int ${ident}; /* rounds of ${name} */`),
    ...model.cells.map(({ ident, name, initial }) => {
      return `int ${ident}${initial === 0 ? '' : ` = ${initial}`}; /* cell ${name} */`;
    }),
    ...model.queues.flatMap(queueLines),
    ...roleLines(model),
    '',
    ...barrierInlines(model),
    ...accessInlines(model),
    ...shiftInlines(model),
    ...waitInlines(model),
  ];
}

function barrierLines(model: ExportModel): string[] {
  const { barriers } = model;
  const all = ordered(model);
  if (all.length === 0) return [];
  const size = all.length;
  const phased = all.filter(({ hasPhase }) => hasPhase).length;
  const isSmall =
    barriers.every(({ count }) => count <= MAX_BYTE) && !barriers.some((b) => b.varies);
  const lines = [
    '/* Barriers: pending arrivals P, missing bytes T where there are any, completed phases K',
    ' * (only their parity, where no operation waits for a phase by number). */',
    ...all.map(({ ident, name }, at) => `#define ${ident} ${at} /* ${name} */`),
    `${isSmall ? 'byte' : 'int'} P[${size}];`,
    `${phased > 0 ? 'short' : 'byte'} K[${size}];`,
  ];
  if (anyOf(barriers, 'hasBytes')) lines.push(`int T[${size}];`);
  if (anyOf(barriers, 'varies')) lines.push(`int E[${size}]; /* arrivals expected per phase */`);
  if (anyOf(barriers, 'hasCopies')) {
    lines.push(`byte Copies[${size}]; /* copies in flight that complete bytes here */`);
  }
  if (anyOf(barriers, 'hasLife')) {
    lines.push('#define UNBORN 0', '#define LIVE 1', '#define GONE 2', `byte Life[${size}];`);
  }
  return [...lines, ''];
}

function anyOf(barriers: readonly BarrierModel[], part: keyof BarrierModel): boolean {
  return barriers.some((barrier) => barrier[part] === true);
}

function bufferLines({ buffers, pools, relinquishes }: ExportModel): string[] {
  if (buffers.length === 0) return [];
  const size = buffers.length;
  const lines = [
    '/* Buffers: how many agents access one next, reading or writing. */',
    ...buffers.map(({ ident, name }, at) => `#define ${ident} ${at} /* ${name} */`),
    `byte Readers[${size}];`,
    `byte Writers[${size}];`,
  ];
  if (buffers.some(({ pool }) => pool >= 0))
    lines.push(`int Units[${size}]; /* allocated from a pool; 0: free */`);
  if (relinquishes) for (const { ident } of pools) lines.push(`bit ${ident}_given_up;`);
  return [...lines, ''];
}

function queueLines({ ident, flights, isBag, inOrder }: QueueModel): string[] {
  const lines = flights.map((one) => {
    const isCounted =
      isBag || one.flight.kind === FlightKind.signal || (!inOrder && isWork(one.flight));
    const what = isCounted ? `byte ${one.ident};` : `/* ${ident} ${one.number}`;
    return isCounted ? `${what} /* ${one.text} */` : `${what}: ${one.text} */`;
  });
  if (isBag) return lines;
  return [...lines, `byte ${ident}[MAX_OPEN]; byte ${ident}_n; byte ${ident}_groups;`];
}

function roleLines(model: ExportModel): string[] {
  const { roles, ctas, named, hasCluster, joins, exits, crosses } = model;
  const lines = named.map(
    ({ ident, name }) => `short ${ident}_here, ${ident}_count; /* ${name} */`,
  );
  if (named.length > 0 || hasCluster) {
    lines.push('#define CLUSTER 255', `byte Waits[${roles.length}]; /* at which named barrier */`);
  }
  if (hasCluster) lines.push('byte AtCluster, Over;');
  if (joins) lines.push(`bit Ended[${roles.length}];`);
  if (roles.some(({ isSpawned }) => isSpawned)) lines.push(`bit Started[${roles.length}];`);
  if (exits) lines.push(`bit Exited[${ctas}];`);
  if (crosses) lines.push(`byte Living[${ctas}]; /* roles of a CTA that have not ended */`);
  return lines;
}

const EXPECT = [
  '/* M04, M14: n more bytes are missing; their number has a range. */',
  `#define MAX_BYTES ${MAX_PENDING}`,
  'inline expect(b, n) {',
  '  T[b] = T[b] + n; assert(count_out_of_range || (T[b] >= -MAX_BYTES && T[b] <= MAX_BYTES))',
  '}',
];

function barrierInlines(model: ExportModel): string[] {
  const { barriers } = model;
  if (barriers.length === 0) return [];
  const phased = barriers.filter(({ hasPhase }) => hasPhase).length;
  const hasBytes = anyOf(barriers, 'hasBytes');
  const next =
    phased === 0
      ? '1 - K[b]'
      : phased === barriers.length
        ? 'K[b] + 1'
        : `(b < ${phased} -> K[b] + 1 : 1 - K[b])`;
  const complete = [`P[b] = e`, `K[b] = ${next}`];
  if (anyOf(barriers, 'hasCopies')) complete.push('assert(tx_mismatch || Copies[b] == 0)');
  return [
    '/* M06: a phase ends when no arrival is pending and no byte is missing. */',
    'inline settle(b, e) {',
    `  if :: P[b] == 0${hasBytes ? ' && T[b] == 0' : ''} -> ${complete.join('; ')}`,
    '     :: else',
    '  fi',
    '}',
    ...(hasBytes ? EXPECT : []),
    '/* M03, M12: n arrivals, of which each phase takes as many as it expects. */',
    'inline arrive(b, e, n) {',
    '  assert(over_arrival || n <= P[b]); P[b] = P[b] - n; settle(b, e)',
    '}',
    'hidden int lanes_left;',
    'inline lanes(b, e, n, times) {',
    '  lanes_left = times;',
    '  do :: lanes_left > 0 -> arrive(b, e, n); lanes_left-- :: else -> break od;',
    '  lanes_left = 0',
    '}',
    '',
  ];
}

function accessInlines({ buffers, queues }: ExportModel): string[] {
  const lines: string[] = [];
  if (buffers.length > 0) {
    lines.push(
      '/* S02: two accesses that are both next, at least one of them a write, are a race. */',
      'inline next_read(s) { Readers[s]++; assert(race || Writers[s] == 0) }',
      'inline next_write(s) {',
      '  Writers[s]++; assert(race || (Writers[s] == 1 && Readers[s] == 0))',
      '}',
    );
  }
  if (queues.length > 0) {
    lines.push(
      '/* The bound on operations in flight: raise MAX_OPEN if it fails. */',
      'inline open(f) { assert(export_bound || f < MAX_OPEN); f++ }',
    );
  }
  return [...lines, ''];
}

/** R06: lets an endless kernel return to earlier states. */
function shiftInlines({ shifts }: ExportModel): string[] {
  return shifts.flatMap(({ ident, registers, barriers, period }) => {
    const guard = registers.map((one) => `${one.ident} >= ${period}`).join(' && ');
    const fall = [
      ...registers.map((one) => `${one.ident} = ${one.ident} - ${period}`),
      ...barriers.map((one) => `K[${one.ident}] = K[${one.ident}] - 2`),
    ];
    return [
      '/* R06: states are the same up to double laps. */',
      `inline ${ident}() {`,
      `  if :: ${guard} ->`,
      `        ${fall.join(';\n        ')}`,
      '     :: else',
      '  fi',
      '}',
    ];
  });
}

function waitInlines({ named, hasCluster, roles }: ExportModel): string[] {
  if (named.length === 0 && !hasCluster) return [];
  const all = roles.map(({ index }) => {
    return `  if :: Waits[${index}] == at -> Waits[${index}] = 0 :: else fi`;
  });
  return ['inline release(at) {', all.join(';\n'), '}', ''];
}

/** Inlines of queues in which later work waits for earlier work (U02–U04). */
export function queueInlines(model: ExportModel, statements: Statements): string[] {
  const queues = model.queues.filter(({ isBag }) => !isBag);
  const scratch = queues.length === 0 ? [] : ['hidden int q_at;'];
  const inlines = queues.flatMap((queue) => {
    const { ident, flights } = queue;
    const marks = flights.filter(({ flight }) => !isWork(flight));
    const passed = marks.map((one) => {
      const effect = one.flight.kind === FlightKind.signal ? `${one.ident}++` : `${ident}_groups--`;
      const isNext = `${ident}_n > 0 && ${ident}[0] == ${one.number}`;
      return `     :: ${isNext} -> ${effect}; q_at = 0; remove_${ident}()`;
    });
    const next = statements.nextOf(queue);
    return [
      `inline push_${ident}(f) {`,
      `  assert(export_bound || ${ident}_n < MAX_OPEN); ${ident}[${ident}_n] = f; ${ident}_n++`,
      '}',
      `inline remove_${ident}() {`,
      `  ${ident}_n--;`,
      `  do :: q_at < ${ident}_n -> ${ident}[q_at] = ${ident}[q_at + 1]; q_at++`,
      '     :: else -> break',
      '  od;',
      `  ${ident}[${ident}_n] = 0`,
      '}',
      `inline take_${ident}(f) {`,
      '  q_at = 0;',
      `  do :: ${ident}[q_at] != f -> q_at++ :: else -> break od;`,
      `  remove_${ident}();`,
      `  do`,
      ...passed,
      '     :: else -> break',
      '  od;',
      '  q_at = 0',
      '}',
      ...(next.length === 0
        ? []
        : [
            `inline next_of_${ident}() {`,
            '  if',
            ...next.map((line) => `  ${line}`),
            '  :: else',
            '  fi',
            '}',
          ]),
    ];
  });
  return [...scratch, ...inlines];
}

/** The statements that initialize the state. */
export function initialState(model: ExportModel): string[] {
  const { barriers, roles, crosses, ctas } = model;
  const lines = barriers
    .filter(({ count }) => count > 0)
    .map(({ ident, count, hasLife, varies }) => {
      const life = hasLife ? `; Life[${ident}] = LIVE` : '';
      return `P[${ident}] = ${count}${varies ? `; E[${ident}] = ${count}` : ''}${life}`;
    });
  if (crosses) {
    for (let cta = 0; cta < ctas; cta++) {
      lines.push(`Living[${cta}] = ${roles.filter((role) => role.cta === cta).length}`);
    }
  }
  return lines;
}
