// Which of the shapes that a text allows is its own: the others fail.
import { volume } from '@poundlock/ptx/internal/launch/launch';
import type { Origin } from '@poundlock/ptx/internal/launch/origin';
import { atOrdinary, atQuick } from './at-shape.ts';
import type { AtShape } from './at-shape.ts';
import { fits } from './subject.ts';
import type { LaunchRun } from './subject.ts';
import type { Shape } from './shapes.ts';
import type { Trials } from './trials.ts';
import { ORDINARY } from './values.ts';

/** Milliseconds of a proof of a shape that is likely to be wrong. */
const PROOF_MS = 500;
/** Shapes that are tried at ordinary values. */
const MAX_SHAPES = 6;
const WARP = 32;

/** What the ordinary launches of a shape came to. */
export type ShapeStatus =
  | 'certified'
  | 'unproved'
  | 'error'
  | 'mixed'
  | 'open'
  | 'unended'
  | 'refused';

/** A shape with its launches, and what came of them. */
export interface TriedShape extends AtShape {
  readonly status: ShapeStatus;
}

/** What shapes are left, and what that says of them. */
export interface ShapeSearch {
  /** Shapes that fit and miss no role, the likeliest first. */
  readonly shapes: readonly TriedShape[];
  /** What the shape rests on; `null`: it is not decided. */
  readonly from: Origin | null;
  /** Shapes that do not fit. */
  readonly refused: readonly LaunchRun[];
}

/** What several launches came to. */
export function statusOf(runs: readonly LaunchRun[]): ShapeStatus {
  const ended = runs.filter(fits);
  if (ended.length === 0)
    return runs.some(({ outcome }) => outcome === 'unended') ? 'unended' : 'refused';
  const outcomes = new Set(ended.map(({ outcome }) => outcome));
  if (outcomes.has('error')) return outcomes.size === 1 ? 'error' : 'mixed';
  return outcomes.has('open') || outcomes.has('vacuous') ? 'open' : 'certified';
}

/** A few of many, with the first and the last. */
function someOf<Each>(list: readonly Each[], most: number): Each[] {
  if (list.length <= most) return [...list];
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => list[Math.round(index * step)]!);
}

/** Whether a shape has more than a warp: one warp is right for almost every wrong kernel. */
export function isBig({ shape }: { readonly shape: Shape }): boolean {
  return volume(shape.block) > WARP;
}

/** Finds the shapes of a kernel. */
export async function searchShapes(trials: Trials, shapes: readonly Shape[]): Promise<ShapeSearch> {
  const quick: LaunchRun[] = [];
  // One is tried, however little time there is: what came of it is shown.
  for (const shape of shapes)
    if (quick.length === 0 || !trials.isOver) quick.push(await atQuick(trials, shape, true));
  const fitting = quick.filter(({ outcome }) => outcome !== 'refused');
  const most = Math.max(0, ...fitting.map(({ reached }) => reached.size));
  // Fewer instructions that synchronize: a role is missing.
  const whole = fitting.filter(({ reached }) => reached.size === most);
  const refused = quick.filter(({ outcome }) => outcome === 'refused');
  const isRight = ({ outcome }: LaunchRun): boolean => outcome === 'certified';
  const [right, others] = [whole.filter(isRight), whole.filter((run) => !isRight(run))];
  const tried: TriedShape[] = [];
  for (const run of someOf(right, MAX_SHAPES)) {
    if (trials.isOver) return { shapes: tried, from: null, refused };
    const at = await atOrdinary(trials, run.choice, run);
    tried.push({ ...at, status: statusOf(at.ordinary) });
  }
  for (const run of others) tried.push(await notRight(trials, run, right.length > 0));
  const left = tried.filter(({ status }) => status !== 'refused');
  return { shapes: left, from: decided(left), refused };
}

/** A shape that is not proved with few rounds: it may be with many. */
async function notRight(
  trials: Trials,
  run: LaunchRun,
  isAnotherRight: boolean,
): Promise<TriedShape> {
  const shape = run.choice;
  const isOpen = run.reference.undecided !== null || run.outcome === 'unended';
  if (isOpen || !isAnotherRight || trials.isOver)
    return { shape, ordinary: [run], base: run.base, status: isOpen ? 'open' : 'unproved' };
  const many = await trials.add({
    shape,
    base: ORDINARY[0],
    role: 'ordinary',
    isProof: true,
    mostMs: PROOF_MS,
  });
  const isMixed = many.outcome === 'certified';
  return { shape, ordinary: [run, many], base: run.base, status: isMixed ? 'mixed' : 'unproved' };
}

/** What the shapes that are left say: one is right and all others fail, or all are right. */
function decided(shapes: readonly TriedShape[]): Origin | null {
  const big = shapes.filter(isBig);
  if (big.length === 0) return null;
  if (big.every(({ status }) => status === 'certified')) return big.length > 1 ? 'tried' : 'solved';
  const right = shapes.filter(({ status }) => status === 'certified');
  const others = shapes.filter(({ status }) => status !== 'certified');
  const areWrong = others.every(({ status }) => status === 'error' || status === 'unproved');
  return right.length === 1 && isBig(right[0]!) && areWrong ? 'solved' : null;
}
