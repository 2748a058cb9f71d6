// The controls: back and forth in the schedule, and the moves that are possible now.
import { agentName } from '../src/report/lanes.ts';
import { findingsHere, isNext, positionOf, withMove, type Exploration } from './exploration.ts';
import { stepForward } from './step-forward.ts';
import type { Explorer } from './use-exploration.ts';

/** The most moves that are listed. */
const MAX_MOVES = 64;

type Controls = Explorer & { readonly exploration: Exploration };

/** The controls. */
export function Steps(explorer: Controls) {
  const { now } = explorer.exploration;
  const listed = findingsHere(explorer.exploration);
  return (
    <section class="steps" aria-label="steps">
      <Position {...explorer} />
      <Moves {...explorer} />
      {listed.length === 0
        ? now.findings.map(({ severity, rule, message }) => (
            <p key={rule + message} class={`now ${severity}`} role="alert">
              <b>
                {severity}[{rule}]
              </b>{' '}
              {message}
            </p>
          ))
        : listed.map(({ severity, rule }) => (
            <p key={rule} class={`now ${severity}`} role="alert">
              this step shows the <b>{rule}</b> above
            </p>
          ))}
    </section>
  );
}

function Position(explorer: Controls) {
  const { exploration, goTo } = explorer;
  const { whole, now } = exploration;
  const [at, last] = [positionOf(exploration), whole.path.length];
  const canGoOn = at < last || (now.moves.length > 0 && now.findings.length === 0);
  const button = (label: string, sign: string, isDisabled: boolean, onClick: () => void) => (
    <button type="button" aria-label={label} disabled={isDisabled} onClick={onClick}>
      {sign}
    </button>
  );
  return (
    <div class="buttons">
      {button('to the start', '|◀', at === 0, () => goTo(0))}
      {button('one step back', '◀', at === 0, () => goTo(at - 1))}
      <output aria-live="polite">
        step {at} of {last}
      </output>
      {button('one step forward', '▶', !canGoOn, () => stepForward(explorer))}
      {button('to the end', '▶|', at === last, () => goTo(last))}
      <input
        type="range"
        aria-label="position in the schedule"
        min={0}
        max={last}
        value={at}
        disabled={last === 0}
        onChange={(event) => goTo(Number((event.target as HTMLInputElement).value))}
      />
    </div>
  );
}

const ENDED = 'every role has ended';
const STUCK = 'no move is possible';

function Moves({ exploration, goTo, follow }: Controls) {
  const { now } = exploration;
  const hasEnded = now.standing.every(({ state }) => state === 'ended');
  const at = positionOf(exploration);
  return (
    <ol class="moves" aria-label="moves that are possible now">
      {now.moves.slice(0, MAX_MOVES).map((move) => {
        const isKnown = isNext(exploration, move);
        const take = () => (isKnown ? goTo(at + 1) : follow(withMove(now, move)));
        return (
          <li key={`${move.letter}.${move.option}`}>
            <button type="button" class={isKnown ? 'known' : ''} onClick={take}>
              <b>{agentName(move)}</b> {move.text}
              {move.line !== undefined && <span class="line"> line {move.line}</span>}
            </button>
          </li>
        );
      })}
      {now.moves.length === 0 && <li class="none">{hasEnded ? ENDED : STUCK}</li>}
    </ol>
  );
}
