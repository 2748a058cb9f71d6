// The exploration of the page: loads states as steps are chosen, and keeps the address.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Values } from '../src/explore/state.ts';
import { readAddress, writeAddress, type Address } from './address.ts';
import type { Engine } from './engine.ts';
import { addressOf, firstSteps, stepsOf, type Exploration } from './exploration.ts';

/** What the page can do. */
export interface Explorer {
  /** `null` until the first state is there. */
  readonly exploration: Exploration | null;
  /** Why the last request was not answered. */
  readonly problem: string;
  readonly isBusy: boolean;
  /** Goes to a step of the schedule. */
  readonly goTo: (at: number) => void;
  /** Follows another schedule to its end. */
  readonly follow: (token: string) => void;
  /** Follows a schedule in place of what is shown: it is no step of the browser's history. */
  readonly show: (token: string) => void;
  /** Changes parameters: the schedule starts again. */
  readonly change: (params: Values) => void;
}

/** Loads what the address names, and follows it. */
export function useExploration(engine: Engine): Explorer {
  const [exploration, setExploration] = useState<Exploration | null>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(true);
  const latest = useRef(0);
  const current = useRef<Exploration | null>(null);
  const load = useCallback(
    async (address: Address, entry: Entry) => {
      const turn = ++latest.current;
      setBusy(true);
      try {
        const found = await loadStates(engine, address, current.current);
        if (turn !== latest.current) return;
        current.current = found;
        setExploration(found);
        setProblem('');
        remember(found, entry);
        if (found.verdict !== null) return;
        setBusy(false);
        const verdict = await engine.verdict(found.params);
        const shown = current.current;
        if (shown === null || shown.params !== found.params) return;
        current.current = { ...shown, verdict };
        setExploration(current.current);
      } catch (error) {
        if (turn === latest.current) setProblem((error as Error).message);
      } finally {
        if (turn === latest.current) setBusy(false);
      }
    },
    [engine],
  );

  useEffect(() => {
    const read = () => void load(readAddress(location.hash), 'none');
    read();
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [load]);

  const goTo = useCallback(
    (at: number) => {
      const known = current.current;
      if (known === null) return;
      const most = known.whole.path.length;
      const position = Math.min(Math.max(0, at), most);
      const { params, whole } = known;
      void load({ params, path: whole.token, ...(position < most && { at: position }) }, 'new');
    },
    [load],
  );
  const replay = useCallback(
    (path: string, entry: Entry) =>
      void load({ params: current.current?.params ?? {}, path }, entry),
    [load],
  );
  const follow = useCallback((path: string) => replay(path, 'new'), [replay]);
  const show = useCallback((path: string) => replay(path, 'same'), [replay]);
  const change = useCallback((params: Values) => void load({ params, path: '' }, 'new'), [load]);
  useFirstSchedule(exploration, show);
  return { exploration, problem, isBusy, goTo, follow, show, change };
}

/** What an address becomes in the history of the browser. */
type Entry = 'new' | 'same' | 'none';

function remember(shown: Exploration, entry: Entry): void {
  const fragment = writeAddress(addressOf(shown), location.hash);
  if (fragment === location.hash || entry === 'none') return;
  const url = `${location.pathname}${location.search}${fragment}`;
  if (entry === 'new') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}

/** Shows the schedule of the first finding, or an example, unless the address has another one. */
function useFirstSchedule(exploration: Exploration | null, show: (token: string) => void): void {
  const handled = useRef<Exploration['verdict']>(null);
  useEffect(() => {
    if (exploration === null || exploration.verdict === null) return;
    const { verdict, whole } = exploration;
    if (handled.current === verdict) return;
    handled.current = verdict;
    if (whole.path.length > 0) return;
    const [finding] = verdict.findings;
    const isElsewhere = finding?.params !== undefined || finding?.launch !== undefined;
    const token = (isElsewhere ? undefined : finding?.replayToken) ?? verdict.example;
    if (token !== undefined) show(token);
  }, [exploration, show]);
}

/** Asks for what is not known yet. */
async function loadStates(
  engine: Engine,
  { params, path, at }: Address,
  before: Exploration | null,
): Promise<Exploration> {
  const kernel = before?.kernel ?? (await engine.kernel());
  const isSame = before !== null && JSON.stringify(before.params) === JSON.stringify(params);
  const known = isSame ? [before.whole, before.now] : [];
  const stateOf = async (token: string) =>
    known.find((state) => state.token === token) ?? (await engine.state(params, token));
  const whole = await stateOf(path);
  const isEnd = at === undefined || at >= stepsOf(path);
  const now = isEnd ? whole : await stateOf(firstSteps(whole, at));
  return {
    kernel,
    // The same object while they are the same: a verdict belongs to it.
    params: isSame ? before.params : params,
    whole,
    now,
    verdict: isSame ? before.verdict : null,
  };
}
