// Words of the verdict itself: what is claimed, for what, on what it rests, and what it cost.
import type { MemoryScope, Verdict } from '@poundlock/core/internal/finding';
import { term, type Term } from './term.ts';

type Outcome = Verdict | 'could not run' | 'possible error';

export const OUTCOMES = {
  certified: term(
    'all that was asked is proved',
    'No interleaving of the sizes and launches that the line names can deadlock, race or misuse ' +
      'a stage. What the proof rests on follows it, as `for` and `assumes`.',
  ),
  counterexample: term(
    'some interleaving fails',
    'The schedule was executed on the machine step by step, and `--replay TOKEN` executes it ' +
      'again. It says that this order is possible, and not how often hardware takes it.',
  ),
  inconclusive: term(
    'neither proved nor refuted',
    'The reason says what ended the check: a bound, an assumption that nothing proves, or data ' +
      'that the launch does not give. It is no success: the exit code is 3.',
    'undecided',
  ),
  'could not run': term(
    'the input, an option or the launch is refused',
    'Nothing was checked. The message has the line, and the exit code is 2.',
    'could-not-run',
  ),
  'possible error': term(
    'an error under a part of the launch that was guessed',
    'The launch was inferred from the text, and the error needs the guess that the sentence ' +
      'names. Give this part of the launch: the error is certain then, or it is gone.',
  ),
} satisfies Record<Outcome, Term>;

export const SCOPE_WORDS = {
  interleaving: term(
    'an order in which threads and asynchronous work may take their steps',
    'Barriers and waits allow some orders and forbid others. A verdict is about all that are ' +
      'allowed, however rare.',
    'schedule',
  ),
  covers: term(
    'how many blocks of the grid a verdict is about, in classes that do the same',
    'A value that is computed from the number of a block divides the grid into classes. One ' +
      'cluster of each class is executed, and stands for the others.',
    'class',
    'classes',
  ),
  covered: term(
    'how many instructions of the kernel the runs executed',
    'An instruction that no run reached is proved by none. Those that synchronize are listed ' +
      'with their lines: give a launch that reaches them.',
    'not reached',
    'synchronizing instruction',
    'form',
  ),
  assumes: term(
    'what the proof takes for granted',
    'The name in brackets is explained by `poundlock explain NAME`. What nothing proves makes a ' +
      'verdict inconclusive until `--accept NAME` takes it. A practice of hardware, H1 and so ' +
      'on, needs no option.',
    'accept',
    'assumption',
  ),
  for: term(
    'a condition that is part of what was asked',
    'The verdict holds where it holds, such as a word that the launch file gives. The name in ' +
      'brackets is explained by `poundlock explain NAME`.',
  ),
  every: term(
    'the verdict holds for each value of this parameter',
    'One proof covers all of them, up to the number that the line names. `--every NAME` asks ' +
      'for it.',
  ),
  also: term(
    'other values that were tried, each alone',
    'Beside the requested size, check tries small ones and those at the number of stages.',
    'checked one by one',
  ),
  period: term(
    'after how much more of a number each warp does the same again',
    'Where that is proved, one proof for each remainder covers every larger number. Where it is ' +
      'seen and not proved, the verdict is inconclusive until `--accept period` takes it.',
    'if the period seen holds',
  ),
  'replay token': term(
    'a schedule in short, which --replay executes again',
    'It names the role or unit of each step. It is for the kernel and the parameters of its line.',
    'replay',
  ),
  'memory level': term(
    'how far an access that came before is known: ordered, released, visible, fenced',
    'A barrier orders accesses, a release and an acquire pass them on, a scope of both ' +
      'threads makes them visible, and a proxy fence shows them to copies and the tensor core.',
    'released',
    'visible',
    'fenced',
    'ordered',
  ),
} satisfies Record<string, Term>;

type MemoryWord = `memory ${MemoryScope['profile'] | 'none'}`;

export const MEMORY_WORDS = {
  'memory practice': term(
    'memory is checked against what working kernels rely on',
    'What hardware does although the PTX ISA does not promise it is let pass, counted and named ' +
      'as an assumption, H1 and so on. This is the profile unless `--memory` says another.',
    'practice',
  ),
  'memory isa': term(
    'memory is checked against the text of the PTX ISA',
    '`--memory isa` reports each place that relies on more than the ISA promises.',
    'isa',
  ),
  'memory none': term(
    'only the order of accesses is checked',
    'Fences, scopes and proxies are ignored: `--memory none`, and kernels in which threads and ' +
      'asynchronous work share no memory.',
    'none',
  ),
} satisfies Record<MemoryWord, Term>;

/** Where a part of a launch comes from. */
export const LAUNCH_WORDS = {
  'by the text': term(
    'the text of the kernel leaves no other value',
    'Such as .reqntid, or the number of threads that a barrier needs.',
  ),
  'given by a user': term(
    'an option, a launch file or a compiler says so',
    'Triton writes JSON beside its PTX.',
    'given',
  ),
  'the only one that fits': term(
    'all other values that were tried fail',
    'With another block the kernel traps, leaves its memory or waits for threads that do not ' +
      'exist.',
  ),
  'the limit of the target': term(
    'the largest value that the target allows',
    'Dynamic shared memory has it unless `--smem` says how much.',
  ),
  tried: term(
    'one of several values that the text allows',
    'A certificate is about those that were tried. Name yours: `--block`, ' +
      '`--grid`, `--param NAME=VALUE`, or a launch file, which `poundlock launch` writes.',
    'inferred',
    'guess',
  ),
} satisfies Record<string, Term>;
