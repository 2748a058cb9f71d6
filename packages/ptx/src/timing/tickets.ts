// Tickets of a timed run: its cluster is executed without the others, which draw meanwhile.
import { clustersOf } from '../exec/machine/cta.ts';
import { destinationsOf } from '../flow/destinations.ts';
import { readsOf } from '../flow/liveness.ts';
import { globalAccessOf } from '../isa/questions.ts';
import type { Launch } from '../launch/launch.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';

/** Rounds in which each cluster draws once; the last answer is above all numbers of work. */
const ROUNDS = 4096;
const NONE_LEFT = 2 ** 30;
/** The golden ratio: its multiples lie evenly between whole numbers. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The launch with the tickets of a cluster of a persistent kernel with roles: in each round, every
 * cluster draws one, this one at places that are evenly spread. Other launches stay as they are.
 */
export function withTickets(launch: Launch, code: PtxFunction): Launch {
  const clusters = clustersOf(launch);
  const hasRoles = code.instructions.some(({ effect }) => effect.kind === 'mbarrier');
  if (!hasRoles || clusters === 1 || launch.atomicAnswers.length > 0) return launch;
  const used = new Set(code.instructions.flatMap((instruction) => readsOf(instruction)));
  const draws = code.instructions.filter((instruction) => isDraw(instruction, used));
  if (draws.length === 0 || !draws.every(addsOne)) return launch;
  const answers = Array.from({ length: ROUNDS }, (_, round) =>
    Math.floor(clusters * (round + (((round + 1) * GOLDEN) % 1))),
  );
  return { ...launch, atomicAnswers: [...answers, NONE_LEFT] };
}

/** Whether a word of global memory decides what follows, which the instruction changes. */
function isDraw(instruction: Instruction, used: ReadonlySet<number>): boolean {
  if (globalAccessOf(instruction)?.op !== 'atomic') return false;
  return destinationsOf(instruction).some((register) => used.has(register));
}

function addsOne(instruction: Instruction): boolean {
  const added = instruction.operands[2];
  const { effect } = instruction;
  if (effect.kind !== 'access' || effect.operation !== 'add') return false;
  return added?.kind === 'immediate' && added.value.low === 1 && added.value.high === 0;
}
