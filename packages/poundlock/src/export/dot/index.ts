// A Graphviz drawing of the steps of every role and the barriers between them.
import { unreachable } from '@poundlock/core/internal/base';
import { FlightKind, type Instruction } from '@poundlock/core/internal/machine';
import { OpKind, type UnansweredKind } from '@poundlock/core/internal/op';
import { describe, describeFlight, Names, type System } from '@poundlock/core/internal/system';
import type { Graph, GraphStep, RoleGraph } from '../graph.ts';
import { barrierEdges } from './barriers.ts';
import { shownName, shownParameters } from '../shown-name.ts';
import { quoted } from './quoted.ts';

const HEAD = [
  '  rankdir=TB; compound=true; nodesep=0.3; ranksep=0.35; fontname="Helvetica";',
  '  node [fontname="Helvetica" fontsize=10 shape=box style="rounded,filled" fillcolor=white];',
  '  edge [fontname="Helvetica" fontsize=9 arrowsize=0.7];',
];

/** The whole program: a cluster per role, and one node per barrier. */
export function dot(system: System, graph: Graph): string {
  const names = new Names(system, shownName);
  const { kernel, params } = system.program;
  const text = shownParameters(params);
  const name = shownName(kernel.name);
  const title = text.length === 0 ? name : `${name}: ${text.join(', ')}`;
  const { nodes, edges } = barrierEdges(system, names, graph);
  const lines = [
    `digraph ${quoted(name)} {`,
    `  label=${quoted(title)}; labelloc=t;`,
    ...HEAD,
    ...graph.roles.flatMap((role) => cluster(system, names, role)),
    '  subgraph cluster_barriers {',
    '    label="barriers"; style="rounded"; color="#c8c8c8";',
    ...nodes,
    '  }',
    '  // to a barrier: arrives, or completes bytes; dotted: when asynchronous work completes',
    '  // from a barrier, dashed: a role waits for it',
    ...edges,
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function cluster(system: System, names: Names, { role, entry, steps }: RoleGraph): string[] {
  const { cta } = system.program.roles[role]!;
  const name = names.agent(role);
  const title = system.program.ctas === 1 ? name : `${name} (CTA ${cta})`;
  const all = [...steps.values()].toSorted((a, b) => a.id - b.id);
  return [
    `  subgraph cluster_${role} {`,
    `    label=${quoted(title)}; style="rounded,filled"; color="#c8c8c8"; fillcolor="#f6f6f6";`,
    `    start_${role} [shape=point];`,
    `    start_${role} -> s${entry};`,
    ...all.map((step) => `    ${node(system, names, step)}`),
    ...all.flatMap((step) => stepEdges(system, names, step).map((line) => `    ${line}`)),
    '  }',
  ];
}

function node(system: System, names: Names, { id, instruction, misuse }: GraphStep): string {
  if (misuse !== null) {
    return `s${id} [label=${quoted(misuse.rule)} shape=octagon fillcolor="#f4b6b6"];`;
  }
  if (instruction === null) return `s${id} [label="end" shape=doublecircle];`;
  return `s${id} [label=${quoted(label(system, names, instruction))}${look(instruction)}];`;
}

/** The label of an operation, with the completions of its copies below. */
function label(system: System, names: Names, instruction: Instruction): string {
  const { kind, flights } = instruction;
  if (kind === OpKind.more) return 'more rounds?';
  const first = kind === OpKind.step ? stepText(names, instruction) : describe(names, instruction);
  const landed = flights.flatMap((id) => {
    const flight = system.machine.flights.flights[id]!;
    return flight.kind === FlightKind.copy ? [describeFlight(names, flight)] : [];
  });
  return [first, ...landed.map((text) => `later: ${text}`)].join('\n');
}

function stepText(names: Names, { target }: Instruction): string {
  return `step to the next stage of ${names.ring(target)}`;
}

function look({ kind }: Instruction): string {
  switch (kind) {
    case OpKind.wait:
    case OpKind.waitParity:
    case OpKind.waitStage:
    case OpKind.waitGroup:
    case OpKind.syncNamed:
    case OpKind.syncCluster:
    case OpKind.waitCluster:
    case OpKind.takeRegisters:
    case OpKind.waitGrids:
    case OpKind.join:
      return ' fillcolor="#ffe9b8"';
    case OpKind.read:
    case OpKind.write:
      return ' fillcolor="#d7ecd9"';
    case OpKind.asyncCopy:
    case OpKind.asyncUse:
    case OpKind.commit:
      return ' fillcolor="#dbe6f7"';
    case OpKind.step:
    case OpKind.more:
    case OpKind.stage:
    case OpKind.compute:
    case OpKind.fence:
      return ' color="#b0b0b0" fontcolor="#606060"';
    case OpKind.init:
    case OpKind.invalidate:
    case OpKind.arrive:
    case OpKind.expectTx:
    case OpKind.completeTx:
    case OpKind.arriveDrop:
    case OpKind.arriveNamed:
    case OpKind.arriveCluster:
    case OpKind.giveRegisters:
    case OpKind.launchDependents:
    case OpKind.tryWait:
    case OpKind.tryWaitStage:
    case OpKind.tryClaim:
    case OpKind.store:
    case OpKind.load:
    case OpKind.fetchAdd:
    case OpKind.alloc:
    case OpKind.free:
    case OpKind.relinquish:
    case OpKind.choose:
    case OpKind.spawn:
    case OpKind.exit:
      return '';
    default:
      return unreachable(kind);
  }
}

/** Edges to the next steps; results that lead to the same step share an edge. */
function stepEdges(system: System, names: Names, { id, instruction, edges }: GraphStep): string[] {
  const byTarget = new Map<number, string[]>();
  for (const [answer, to] of edges) {
    const known = byTarget.get(to) ?? [];
    byTarget.set(to, known);
    known.push(instruction === null ? '' : answerText(system, names, instruction, answer));
  }
  return [...byTarget].map(([to, answers]) => {
    const text = answers.filter((answer) => answer !== '').join(', ');
    return `s${id} -> s${to}${text === '' ? '' : ` [label=${quoted(text)}]`};`;
  });
}

function answerText(system: System, names: Names, { kind, cta }: Instruction, answer: number) {
  switch (kind) {
    case OpKind.tryWait:
    case OpKind.tryWaitStage:
      return answer === 1 ? 'ready' : 'not ready';
    case OpKind.waitStage:
    case OpKind.stage:
      return `stage ${answer}`;
    case OpKind.tryClaim:
      return answer < 0 ? 'none' : `stage ${answer}`;
    case OpKind.more:
      return answer === 1 ? 'more' : 'no more';
    case OpKind.choose:
    case OpKind.load:
    case OpKind.fetchAdd:
      return String(answer);
    case OpKind.alloc:
      return names.buffer(answer * system.program.ctas + cta);
    default:
      return unanswered(kind);
  }
}

function unanswered(_kind: UnansweredKind): string {
  return '';
}
