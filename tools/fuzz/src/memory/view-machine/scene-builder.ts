// Numbers everything that a litmus program names.
import type { LitmusOp, LitmusProgram } from '../litmus-program.ts';
import { piecesOf, type Location, type Sharing } from './pieces.ts';
import {
  FOLLOWED,
  type ReadSlot,
  type Scene,
  type SceneAgent,
  type SceneBarrier,
  type SceneFlight,
  type SceneStep,
  type Unit,
} from './scene.ts';

const UNIT_OF: Readonly<Partial<Record<LitmusOp['k'], Unit>>> = {
  copy: 'bulk',
  mma: 'tc',
  wg: 'wg',
  tld: 'tld',
  tst: 'tst',
  cpa: 'cpa',
  commit: 'commit',
  cparr: 'cparr',
};
const SIGNALS = new Set(['arr', 'named', 'sw', 'narr', 'clarr']);
const IN_ORDER = new Set<Unit>(['tc', 'wg']);

/** Numbers everything that a program names. */
export function sceneOf(program: LitmusProgram): Scene {
  return new Builder(program).build();
}

class Builder {
  readonly #program: LitmusProgram;
  readonly #locations: readonly Location[];
  readonly #pieces: ReadonlyMap<string, readonly number[]>;
  readonly #barriers: readonly SceneBarrier[];
  readonly #flights: SceneFlight[] = [];
  readonly #reads: ReadSlot[] = [];
  readonly #messages: { bar: number; room: number }[] = [];
  readonly #rooms: string[] = [];

  constructor(program: LitmusProgram) {
    this.#program = program;
    const bars = Object.entries(program.bars ?? {});
    const isInitialized = (name: string): boolean =>
      program.agents.some(({ ops }) => ops.some(({ k, b }) => k === 'init' && b === name));
    const late = bars.filter(([name]) => isInitialized(name));
    const { locations, pieces } = piecesOf(program.mem ?? {}, sharingOf(program), late);
    this.#locations = locations;
    this.#pieces = pieces;
    this.#barriers = bars.map(([name, { n = 1, cta = 0 }]) => {
      return { name, count: n, cta, bytesAt: pieces.get(`#${name}`)?.[0] ?? -1 };
    });
  }

  build(): Scene {
    const { agents, multi = false, begin = false } = this.#program;
    const all: SceneAgent[] = [];
    for (const [role, agent] of agents.entries()) {
      const { n, ops, cta = 0, grid = 0, strands = 1, threads = 1, regs = 0 } = agent;
      for (let strand = 0; strand < strands; strand++) {
        const name = strands > 1 ? `${n}.${strand}` : n;
        const place = { agent: all.length, role, strand, strands, cta };
        const steps = [...ops.entries()]
          .filter(([, { by }]) => by === undefined || by.includes(strand))
          .map(([line, op]) => this.#step(op, line, `${name}:${line}`, place));
        all.push({ name, role, strands, cta, grid, threads, registers: regs, steps });
      }
    }
    return {
      locations: this.#locations,
      barriers: this.#barriers,
      agents: all,
      flights: this.#flights,
      reads: this.#reads,
      messages: this.#messages,
      rooms: this.#rooms,
      hasEnds: multi,
      hasBegins: begin,
    };
  }

  #step(op: LitmusOp, line: number, id: string, place: Place): SceneStep {
    const { agent, strands } = place;
    const at = op.l === undefined ? [] : this.#own(op.l, op, place);
    const bar = op.b === undefined ? -1 : this.#barriers.findIndex(({ name }) => name === op.b);
    const room = this.#room(op, place);
    const unit = UNIT_OF[op.k];
    const isRead = op.k === 'R';
    return {
      op,
      id,
      line,
      at,
      bar,
      performers: op.by?.length ?? strands,
      flight: unit === undefined ? -1 : this.#flight(op, unit, { ...place, id, line, at, bar }),
      message: SIGNALS.has(op.k) ? this.#messages.push({ bar, room }) - 1 : -1,
      readSlots: isRead ? at.map((one) => this.#read(id, one, agent, -1)) : [],
      room,
    };
  }

  #flight(op: LitmusOp, unit: Unit, step: Issued): number {
    const { id, line, at, bar, agent } = step;
    const number = this.#flights.length;
    const read = (op.r ?? []).flatMap((l) => this.#piecesAt(l));
    const written = (op.w ?? []).flatMap((l) => this.#own(l, op, step));
    const reads = unit === 'tld' ? [...read, ...at] : read;
    const writes = unit === 'tst' ? [...written, ...at] : written;
    const map = op.map === undefined ? -1 : this.#piecesAt(op.map)[0]!;
    const seen = map < 0 ? reads : [...reads, map];
    const readSlots = seen.map((one) => this.#read(id, one, agent, number));
    const own = [...this.#flights.entries()].filter(([, flight]) => flight.agent === agent);
    const isOrdered = FOLLOWED[unit] !== undefined || IN_ORDER.has(unit);
    const after = own
      .filter(([, earlier]) => earlier.unit === unit || earlier.unit === FOLLOWED[unit])
      .map(([one]) => one);
    this.#flights.push({
      id,
      line,
      agent,
      unit,
      reads,
      writes,
      map,
      bar,
      bytes: op.bytes ?? 0,
      isGroup: op.g === true,
      isTwoPart: unit === 'bulk' && reads.length > 0 && writes.length > 0,
      after: isOrdered ? after : [],
      readSlots,
      message: bar < 0 ? -1 : this.#messages.push({ bar, room: -1 }) - 1,
    });
    return number;
  }

  #read(id: string, at: number, agent: number, flight: number): number {
    return this.#reads.push({ id, at, agent, flight }) - 1;
  }

  #room({ k, bid = 0 }: LitmusOp, { role, cta }: Place): number {
    let name = '';
    if (k === 'sw') name = `warp ${role}`;
    else if (k === 'named' || k === 'narr') name = `${cta}: ${bid}`;
    else if (k === 'clarr' || k === 'clwait') name = 'cluster';
    else return -1;
    const known = this.#rooms.indexOf(name);
    return known < 0 ? this.#rooms.push(name) - 1 : known;
  }

  /** What a strand accesses of a location: its part, if all strands access it. */
  #own(name: string, op: LitmusOp, { role, strand, strands }: Place): readonly number[] {
    const all = this.#piecesAt(name);
    if (!isOfAll({ ...op, strands }, this.#program)) return all;
    return all.filter((one) => (this.#locations[one]!.strands.get(role) ?? strand) === strand);
  }

  #piecesAt(name: string): readonly number[] {
    const pieces = this.#pieces.get(name);
    if (pieces === undefined) throw new Error(`no location ${name}`);
    return pieces;
  }
}

/** Whether each strand performs an operation on a part of its own; groups of a warp are its own. */
function isOfAll({ k, by, strands = 1 }: LitmusOp, { agents }: LitmusProgram): boolean {
  const isTeam = agents.some(({ ops }) => ops.some(({ team }) => team === true));
  if (by !== undefined && by.length !== strands) return false;
  return SHARED.has(k) || (k === 'wg' && isTeam);
}

const SHARED = new Set(['R', 'W', 'tld', 'tst']);

/** Which locations all strands of a role access. */
function sharingOf(program: LitmusProgram): Sharing[] {
  return [...program.agents.entries()].flatMap(([role, { strands = 1, ops }]) => {
    if (strands < 2) return [];
    const shared = ops.filter((op) => isOfAll({ ...op, strands }, program));
    const names = new Set(
      shared.flatMap(({ l, w = [] }) => [...(l === undefined ? [] : [l]), ...w]),
    );
    return [{ role, strands, names }];
  });
}

interface Place {
  readonly agent: number;
  readonly role: number;
  readonly strand: number;
  readonly strands: number;
  readonly cta: number;
}

interface Issued extends Place {
  readonly id: string;
  readonly line: number;
  readonly at: readonly number[];
  readonly bar: number;
}
