// The model of a GPU from its tables: what they say directly, then what whole programs determine.
import { costNameOf, costsOf, type GpuModel, type GpuModelParameter } from '../model.ts';
import { PARAMETER_NAMES, PARAMETERS, type ParameterName } from '../parameters.ts';
import { errorsOf, type MeasuredCase } from './cases.ts';
import { pairsOf } from './errors.ts';
import { isHopper, measuredParameters } from './measured.ts';
import { search } from './search.ts';
import { spread } from './spread.ts';
import { PROGRAM_TABLES, type ProgramTable, type Tables } from './tables.ts';

/** Rows that all of the bandwidth binds, for its first guess. */
const BOUND_ROWS = 5;
/** A first guess moves a bandwidth by no more than this factor. */
const MOST_GUESS = 4;

/** The measured runs of the programs whose tables are there. */
export type ProgramCases = ReadonlyMap<ProgramTable, readonly MeasuredCase[]>;

export interface FitOptions {
  /** The most trials of each parameter. */
  readonly rounds: number;
  readonly onRound?: (tables: string, round: number, loss: number) => void;
}

export interface FittedModel {
  readonly model: GpuModel;
  /** The runs that the fit has not seen, by program. */
  readonly others: readonly MeasuredCase[];
}

/** Parameters that the same tables determine. */
interface Group {
  readonly tables: readonly ProgramTable[];
  readonly names: readonly ParameterName[];
}

/** Fences of a cluster, which are in cycles: they took 273 of one H200, and 676 of an H100. */
const FENCES: ReadonlySet<ParameterName> = new Set(['remoteHoldCycles', 'remoteFlushCycles']);

/** Tables of loops whose cycles depend on the compiler. */
const COMPILED: ReadonlySet<string> = new Set(['styles']);

/** SMs of one architecture do not differ, so that their cycles stay; memory and shares do. */
function differs(name: ParameterName, isSameSm: boolean): boolean {
  if (!isSameSm || FENCES.has(name) || COMPILED.has(PARAMETERS[name].tables[0]!)) return true;
  return ['ns', 'bytes/ns', '1'].includes(PARAMETERS[name].unit);
}

/** Parameters that a fit finds, if the tables are there. */
export const FITTED_NAMES: readonly ParameterName[] = PARAMETER_NAMES.filter(
  (name) => PARAMETERS[name].origin === 'fitted',
);

/** The parameters to be fitted, by the tables that determine them. */
function groupsOf(cases: ProgramCases, isSameSm: boolean): Group[] {
  const own = FITTED_NAMES.filter((name) => differs(name, isSameSm));
  const byTables = Map.groupBy(own, (name) => {
    const tables: readonly string[] = PARAMETERS[name].tables;
    return PROGRAM_TABLES.filter((table) => tables.includes(table) && cases.has(table)).join(' ');
  });
  const groups = [...byTables].map(([key, names]): Group => {
    return { tables: key.split(' ') as ProgramTable[], names };
  });
  // Rings first: what all programs share.
  return groups
    .filter(({ tables: [table] }) => cases.has(table!))
    .toSorted((one, other) => other.tables.length - one.tables.length);
}

/** A model whose parameters are those of `base` but for some. */
function changed(base: GpuModel, some: Readonly<Partial<GpuModel['parameters']>>): GpuModel {
  return { ...base, parameters: { ...base.parameters, ...some } };
}

/** Where all SMs stream as fast as they can, time is bytes by bandwidth. */
function guessRates(model: GpuModel, cases: readonly MeasuredCase[]): GpuModel {
  const names = { l2: 'l2BytesPerNanosecond', hbm: 'hbmBytesPerNanosecond' } as const;
  const most = Math.max(1, ...cases.map(({ program }) => Number(program.params['ctas'])));
  const guessed = Object.entries(names).flatMap(([source, name]): [string, GpuModelParameter][] => {
    const bytesOf = ({ program: { params } }: MeasuredCase): number =>
      Number(params['tileBytes']) * Number(params['stages']);
    const full = cases.filter(({ program: { params } }) => {
      return (
        params['source'] === source && params['ctas'] === most && params['consumerCycles'] === 0
      );
    });
    const bound = full.toSorted((one, other) => bytesOf(other) - bytesOf(one)).slice(0, BOUND_ROWS);
    if (bound.length === 0 || most === 1) return [];
    const errors = errorsOf(bound, costsOf(model));
    const mean = errors.reduce((sum, error) => sum + Math.log(1 + error), 0) / errors.length;
    const factor = Math.min(Math.max(Math.exp(mean), 1 / MOST_GUESS), MOST_GUESS);
    const { value, source: from } = model.parameters[name];
    return [[name, { value: value * factor, source: from }]];
  });
  return changed(model, Object.fromEntries(guessed));
}

/** The model of the GPU that the tables were measured on, as far as they determine it. */
export function fitModel(
  tables: Tables,
  cases: ProgramCases,
  base: GpuModel,
  { rounds, onRound }: FitOptions,
): FittedModel {
  const rings = cases.get('two_role');
  const read = changed(base, measuredParameters(tables, base));
  let model = rings === undefined ? read : guessRates(read, rings);
  const seen = new Set([...cases.values()].flatMap((all) => [...spread(all)]));
  for (const { tables: own, names } of groupsOf(cases, isHopper(tables))) {
    const rows = own.flatMap((table) => cases.get(table)!.filter((one) => seen.has(one)));
    const found = search(rows, costsOf(model), {
      names: names.map(costNameOf),
      pairs: pairsOf(rows, 'order'),
      rounds,
      onRound: (round, loss) => onRound?.(own.join(', '), round, loss),
    });
    const perNanosecond = model.parameters.idleMegahertz.value / 1000;
    const source = `fitted to ${own.map((table) => `${table}.csv`).join(', ')}`;
    const values = names.map((name): [string, GpuModelParameter] => {
      const cost = found[costNameOf(name)];
      if (name.endsWith('BytesPerNanosecond'))
        return [name, { value: cost * perNanosecond, source }];
      if (name.endsWith('Nanoseconds')) return [name, { value: cost / perNanosecond, source }];
      return [name, { value: cost, source }];
    });
    model = changed(model, Object.fromEntries(values));
  }
  const others = [...cases.values()].flatMap((all) => all.filter((one) => !seen.has(one)));
  return { model, others };
}
