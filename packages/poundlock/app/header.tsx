// The head of the page: the kernel, its parameters, the verdict, and the findings to jump to.
import { useEffect, useState } from 'preact/hooks';
import type { LaunchPlace } from '../src/explore/index.ts';
import type { Values } from '../src/explore/state.ts';
import { changedFrom, findingsHere, typedValue, type Exploration } from './exploration.ts';
import { FindingItem } from './finding-item.tsx';
import { VerdictLine } from './verdict-line.tsx';
import type { Explorer } from './use-exploration.ts';

type HeaderProps = Explorer & {
  readonly exploration: Exploration;
  readonly isStale: boolean;
  /** Shows another launch of a kernel as built, where the page can. */
  readonly openLaunch?: ((launch: LaunchPlace) => void) | undefined;
};

/** The head of the page. */
export function Header(props: HeaderProps) {
  const { exploration, isStale, change, follow, openLaunch, problem, isBusy } = props;
  const { kernel, params, verdict } = exploration;
  const hasFailed = verdict === null && problem !== '' && !isBusy;
  const here = findingsHere(exploration);
  return (
    <header class={isStale ? 'stale' : ''}>
      <div class="title">
        <h1>{kernel.kernel}</h1>
        <span class="file">{kernel.file}</span>
      </div>
      <VerdictLine verdict={verdict} isStale={isStale} hasFailed={hasFailed} />
      <Parameters key={JSON.stringify(params)} exploration={exploration} change={change} />
      {verdict !== null && verdict.findings.length > 0 && (
        <ul class="findings" aria-label="findings">
          {verdict.findings.map((finding) => (
            <FindingItem
              key={`${finding.rule} ${finding.replayToken}`}
              finding={finding}
              isShown={here.includes(finding)}
              params={params}
              follow={follow}
              change={change}
              openLaunch={openLaunch}
            />
          ))}
        </ul>
      )}
    </header>
  );
}

/** A field for each parameter. */
function Parameters({ exploration, change }: Pick<HeaderProps, 'exploration' | 'change'>) {
  const { kernel, params } = exploration;
  const defaults = kernel.parameters;
  const names = Object.keys(defaults);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => setTexts({}), [params]);
  if (names.length === 0) return null;
  const shown = { ...defaults, ...params };
  const values = names.map((name) => {
    const text = texts[name] ?? String(shown[name]);
    return [name, typedValue(text, defaults[name]!)] as const;
  });
  const isValid = values.every(([, value]) => value !== undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isValid) change(changedFrom(defaults, Object.fromEntries(values) as Values));
  };
  return (
    <form class="parameters" onSubmit={submit} aria-label="parameters">
      {names.map((name) => {
        const value = texts[name] ?? String(shown[name]);
        const set = (event: Event) => {
          setTexts({ ...texts, [name]: (event.target as HTMLInputElement).value });
        };
        return (
          <label key={name}>
            {name}
            {typeof defaults[name] === 'boolean' ? (
              <select value={value} onChange={set}>
                <option value="true">true</option>
                <option value="false">false</option>
              </select>
            ) : (
              <input
                value={value}
                onInput={set}
                inputMode={typeof defaults[name] === 'number' ? 'numeric' : 'text'}
                size={Math.max(4, value.length)}
              />
            )}
          </label>
        );
      })}
      <button type="submit" disabled={!isValid}>
        check with these
      </button>
    </form>
  );
}
