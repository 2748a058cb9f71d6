// Barriers as nodes between the roles, with edges for arrivals, bytes and waits.
import type { Instruction } from '@poundlock/core/internal/machine';
import { isStageTest, isTest, OpKind, Side } from '@poundlock/core/internal/op';
import type { Names, System } from '@poundlock/core/internal/system';
import type { Graph, GraphStep } from '../graph.ts';
import { quoted } from './quoted.ts';

/** Nodes of the barriers that some step touches, and the edges from and to the steps. */
export function barrierEdges(
  system: System,
  names: Names,
  graph: Graph,
): { nodes: string[]; edges: string[] } {
  const touched = new Set<number>();
  const edges: string[] = [];
  for (const { steps } of graph.roles) {
    for (const { id, instruction, edges: answers } of steps.values()) {
      if (instruction === null) continue;
      for (const barrier of waitedFor(system, instruction, answers)) {
        touched.add(barrier);
        edges.push(`  b${barrier} -> s${id} [color="#c07a00" style=dashed constraint=false];`);
      }
      for (const barrier of isTest(instruction.kind) ? [] : instruction.barriers) {
        touched.add(barrier);
        const style = instruction.flights.length > 0 ? ' style=dotted' : '';
        edges.push(`  s${id} -> b${barrier} [color="#3565b0"${style} constraint=false];`);
      }
    }
  }
  const { ctas, barriers } = system.machine.shape;
  const nodes = [...touched]
    .toSorted((a, b) => a - b)
    .map((barrier) => {
      const { count } = barriers[Math.floor(barrier / ctas)]!;
      const text = `${names.barrier(barrier)}\n${count === 1 ? '1 arrival' : `${count} arrivals`}`;
      return `    b${barrier} [label=${quoted(text)} shape=hexagon fillcolor="#e9dcf4"];`;
    });
  return { nodes: [...nodes], edges };
}

/** The barriers that a wait or a try may test. */
function waitedFor(
  system: System,
  { kind, target, side, cta }: Instruction,
  answers: GraphStep['edges'],
): number[] {
  if (!isTest(kind)) return [];
  if (!isStageTest(kind)) return [target];
  const { full, empty } = system.program.declarations.rings[target]!;
  const ids = side === Side.consume ? full : empty;
  const stages = ids.filter((_, stage) => kind === OpKind.tryWaitStage || answers.has(stage));
  return stages.map((id) => id * system.program.ctas + cta);
}
