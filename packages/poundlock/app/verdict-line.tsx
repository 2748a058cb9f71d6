// The verdict in the head of the page, with all that it rests on.
import { verdictHtml } from '../src/report/html/verdict.ts';
import type { ExploredVerdict } from '../src/explore/state.ts';
import { TEXT_HAS_CHANGED } from './stale.ts';

interface VerdictLineProps {
  readonly verdict: ExploredVerdict | null;
  /** Whether the text that is shown is not the one of the verdict. */
  readonly isStale: boolean;
  /** Whether there will be no verdict. */
  readonly hasFailed: boolean;
}

/** The verdict; grey where it is about another text. */
export function VerdictLine({ verdict, isStale, hasFailed }: VerdictLineProps) {
  if (verdict === null) {
    const word = hasFailed ? 'no verdict' : 'checking';
    return (
      <p role="status" class={`verdict ${word}`}>
        <b>{word}</b>
        {hasFailed ? '' : ' …'}
      </p>
    );
  }
  const [claim = '', ...rest] = linesOf(verdict);
  return (
    <>
      {isStale && (
        <p role="alert" class="stale-note">
          <b>{TEXT_HAS_CHANGED}</b>: the verdict below is about the text before
        </p>
      )}
      <div
        role="status"
        class={`verdict ${isStale ? 'stale' : String(verdict.claim?.verdict)}`}
        dangerouslySetInnerHTML={{ __html: claim }}
      />
      <div
        class="rests"
        tabIndex={0}
        role="region"
        aria-label="what the verdict rests on"
        dangerouslySetInnerHTML={{ __html: rest.join('') }}
      />
    </>
  );
}

/** A program of others may answer in another form. */
function linesOf(verdict: ExploredVerdict): string[] {
  try {
    return verdictHtml(verdict);
  } catch {
    return ['<p>the answer has another form</p>'];
  }
}
