// Which kernel of the PTX and which of its launches is shown: two lists, where there is a choice.
import type { BuiltChoice, BuiltOffer } from '../../../packages/poundlock/src/explore/index.ts';

interface LaunchesProps {
  readonly offer: BuiltOffer;
  readonly select: (choice: BuiltChoice) => void;
}

const valueOf = (event: Event): string => (event.target as HTMLSelectElement).value;

/** The lists; nothing where there is one kernel with one launch. */
export function Launches({ offer, select }: LaunchesProps) {
  const { entries, entry, launches, launch } = offer;
  const chosen = entries.length > 1 ? { entry } : {};
  if (entries.length < 2 && launches.length < 2) return null;
  return (
    <form class="launches" aria-label="kernel and launch">
      {entries.length > 1 && (
        <label>
          kernel
          <select value={entry} onChange={(event) => select({ entry: valueOf(event) })}>
            {entries.map(({ name, shown }) => (
              <option key={name} value={name} title={name}>
                {shown}
              </option>
            ))}
          </select>
        </label>
      )}
      {launches.length > 1 && (
        <label>
          launch
          <select
            value={launch === null ? '' : String(launch)}
            onChange={(event) => {
              const value = valueOf(event);
              select({ ...chosen, ...(value !== '' && { launch: Number(value) }) });
            }}
          >
            <option value="">all {launches.length}, the first one shown</option>
            {launches.map(({ file, index }, at) => (
              <option key={`${file} ${index}`} value={String(at)}>
                {file}: launch {index}
              </option>
            ))}
          </select>
        </label>
      )}
    </form>
  );
}
