// A finding in the head of the page: what is wrong and where, a help, and a way to its schedule.
import type { LaunchPlace } from '../src/explore/index.ts';
import type { Values } from '../src/explore/state.ts';
import type { Exploration } from './exploration.ts';
import type { Explorer } from './use-exploration.ts';

interface FindingItemProps extends Pick<Explorer, 'change' | 'follow'> {
  readonly finding: NonNullable<Exploration['verdict']>['findings'][number];
  /** Whether the page is at the last step of its schedule. */
  readonly isShown: boolean;
  readonly params: Values;
  readonly openLaunch: ((launch: LaunchPlace) => void) | undefined;
}

/** The finding, as an item of a list. */
export function FindingItem(props: FindingItemProps) {
  const { finding, isShown, params, change, follow, openLaunch } = props;
  const { severity, rule, message, primary, helps, replayToken, params: other, launch } = finding;
  const isHere = other === undefined && launch === undefined;
  return (
    <li class={severity} aria-current={isShown ? 'step' : undefined}>
      <b>
        {severity}[{rule}]
      </b>{' '}
      {message}{' '}
      {primary?.file !== undefined && (
        <span class="place">
          {primary.file}:{primary.line}
        </span>
      )}{' '}
      {replayToken !== undefined && isHere && !isShown && (
        <button type="button" onClick={() => follow(replayToken)}>
          jump to it
        </button>
      )}
      {other !== undefined && launch === undefined && (
        <button type="button" onClick={() => change({ ...params, ...other })}>
          with {textOf(other)}
        </button>
      )}
      {launch !== undefined && (
        <i>
          in launch {launch.index} of {launch.file}
        </i>
      )}
      {launch !== undefined && openLaunch !== undefined && (
        <button type="button" onClick={() => openLaunch(launch)}>
          show this launch
        </button>
      )}
      {/* A program of others may answer in another form. */}
      {Array.isArray(helps) &&
        helps.map((help: string) => (
          <p key={help} class="help">
            <b>help:</b> {String(help)}
          </p>
        ))}
    </li>
  );
}

function textOf(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}
