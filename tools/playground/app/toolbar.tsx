// The head of the playground: examples, run and stop, and a link to what is shown.
import { useState } from 'preact/hooks';
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';
import type { ProgramState } from './use-program.ts';
import { NEW_PROGRAM, NEW_PTX } from './new-files.ts';
import { ACCEPTED } from './open-files.ts';

/** From this length on, some programs cut an address. */
const LONG_LINK = 32_000;

/** The head. */
export function Toolbar({ state }: { readonly state: ProgramState }) {
  const { gallery, opened, isLoading, running, isEdited, run, stop, choose, openExample } = state;
  const groups = [...Map.groupBy(gallery, ({ group }) => group)];
  const isBuilt = /\.ptx$/i.test(opened?.files[0]?.name ?? '');
  const begin = (files: readonly SharedFile[]) => () => choose(files, null);
  return (
    <nav class="toolbar" aria-label="playground">
      <a class="name" href={documentation()} title="documentation">
        poundlock
      </a>
      <span class="kinds" role="group" aria-label="a new">
        <button type="button" aria-pressed={!isBuilt} onClick={begin(NEW_PROGRAM)}>
          new program
        </button>
        <button type="button" aria-pressed={isBuilt} onClick={begin(NEW_PTX)}>
          new PTX
        </button>
      </span>
      <OpenFiles open={state.openFiles} />
      <select
        aria-label="examples"
        value={opened?.example ?? ''}
        onChange={(event) => openExample((event.target as HTMLSelectElement).value)}
      >
        <option value="" disabled>
          examples and known bugs …
        </option>
        {groups.map(([group, examples]) => (
          <optgroup key={group} label={group}>
            {examples.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <button type="button" class={isEdited ? 'run edited' : 'run'} onClick={run}>
        ▶ run
      </button>
      <button type="button" onClick={stop} disabled={!isLoading && running === null}>
        ■ stop
      </button>
      <Share link={state.link} />
    </nav>
  );
}

/** Files of this computer, which stay there. */
function OpenFiles({ open }: { readonly open: (files: Iterable<File>) => void }) {
  return (
    <label
      class="open"
      title="a program, or PTX with its launch.json and its source; nothing is uploaded"
    >
      open files
      <input
        type="file"
        multiple
        accept={ACCEPTED}
        onChange={(event) => {
          const input = event.target as HTMLInputElement;
          open([...(input.files ?? [])]);
          input.value = '';
        }}
      />
    </label>
  );
}

/** Where the documentation is: the site, of which this page may be a part, says so in its head. */
function documentation(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=documentation]')?.content ?? '../';
}

function Share({ link }: { readonly link: () => Promise<string> }) {
  const [shown, setShown] = useState('');
  const [note, setNote] = useState('');
  const share = async () => {
    try {
      const address = await link();
      setShown(address);
      const isLong = address.length > LONG_LINK;
      const isCopied = await copied(address);
      const length = `${address.length.toLocaleString('en')} characters`;
      const rest = isLong ? `, ${length}: some programs cut such a link` : '';
      setNote((isCopied ? 'copied' : 'copy it') + rest);
    } catch (error) {
      setNote((error as Error).message);
    }
  };
  return (
    <span class="share">
      <button type="button" onClick={() => void share()}>
        share
      </button>
      {shown !== '' && (
        <input
          readOnly
          aria-label="link to this program"
          value={shown}
          onFocus={(event) => (event.target as HTMLInputElement).select()}
        />
      )}
      <span role="status">{note}</span>
    </span>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
