// The state after the steps that are made: who owes whom, barriers, stages and buffers.
import { seriesName } from '../src/report/diagram/index.ts';
import { agentName } from '../src/report/lanes.ts';
import type { Exploration } from './exploration.ts';

/** The most arrivals that are boxes, and the most buffers that are listed. */
const MAX_BOXES = 16;
const MAX_SLOTS = 60;

type State = Exploration['now'];

/** The state. */
export function StatePane({ exploration }: { readonly exploration: Exploration }) {
  const { standing, slots } = exploration.now;
  return (
    <section class="pane state" aria-label="state">
      <div class="scroll" tabIndex={0} role="region" aria-label="state after this step">
        <h2>Roles</h2>
        <dl>
          {rolesOf(standing).map(({ name, one }) => (
            <div key={name + one.text} class={one.state}>
              <dt>{name}</dt>
              <dd>
                {one.text}
                {one.owedBy !== undefined && (
                  <span class="owes">
                    {' '}
                    ({one.owedBy.join(', ')} → {name})
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
        <h2>Barriers</h2>
        <Barriers state={exploration.now} />
        {slots.length > 0 && <h2>Stages and buffers</h2>}
        <dl>
          {slots.slice(0, MAX_SLOTS).map(({ name, owners, data, flights }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {owners.length > 0 ? `held by ${owners.join(' and ')}` : (data ?? 'idle')}
                {flights.length > 0 && <em> · in flight: {flights.join(', ')}</em>}
              </dd>
            </div>
          ))}
        </dl>
        {slots.length > MAX_SLOTS && <p class="none">and {slots.length - MAX_SLOTS} more</p>}
      </div>
    </section>
  );
}

function Barriers({ state: { barriers, trace } }: { readonly state: State }) {
  if (barriers.length === 0) return <p class="none">none is initialized</p>;
  const changed = new Set(trace.at(-1)?.barriers.map(({ name }) => name));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">barrier</th>
          <th scope="col">phase</th>
          <th scope="col">pending</th>
          <th scope="col">bytes</th>
        </tr>
      </thead>
      <tbody>
        {barriers.map(({ name, phase, parity, pending, expected, txBytes }) => (
          <tr key={name} class={changed.has(name) ? 'changed' : ''}>
            <th scope="row">{name}</th>
            <td>
              {phase} <small>parity {parity}</small>
            </td>
            <td>
              {pending} of {expected} <Boxes pending={pending} expected={expected} />
            </td>
            <td>{bytesOf(txBytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Roles that do the same, as many warps of a kernel do, in one row. */
function rolesOf(standing: State['standing']) {
  const keyOf = ({ state, text, kind, owedBy = [] }: (typeof standing)[number]): string =>
    [state, kind, text, ...owedBy].join('\n');
  return [...Map.groupBy(standing, keyOf).values()].map((all) => {
    const names = [...new Set(all.map(agentName))];
    return { name: seriesName(names) ?? names.join(', '), one: all[0]! };
  });
}

/** Bytes that are missing; below 0 they came before a step expected them. */
function bytesOf(missing: number): string {
  if (missing === 0) return '';
  return Math.abs(missing).toLocaleString('en') + (missing < 0 ? ' early' : '');
}

function Boxes({ pending, expected }: { readonly pending: number; readonly expected: number }) {
  if (expected > MAX_BOXES || pending < 0 || pending > expected) return null;
  const boxes = '■'.repeat(expected - pending) + '□'.repeat(pending);
  return (
    <span class="boxes" aria-hidden="true">
      {boxes}
    </span>
  );
}
