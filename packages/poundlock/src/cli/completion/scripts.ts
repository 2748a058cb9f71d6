// Completion as a script of a shell: all words are in it, so that nothing runs at a key press.
import type { CompletedOption, CompletedVerb } from './tables.ts';

/** The shells that have one. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

type Script = (verbs: readonly CompletedVerb[]) => string;

/** A text in single quotes, as each of the shells reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The first clause of a description. */
function short(text: string): string {
  return text.split(/[;:(]/, 1)[0]!.trim();
}

function names(verbs: readonly { readonly name: string }[]): string {
  return verbs.map(({ name }) => name).join(' ');
}

function bash(verbs: readonly CompletedVerb[]): string {
  const values = verbs.flatMap(({ name, options }) => {
    const lines = options.flatMap(({ flag, takesValue, words }) =>
      takesValue ? [`    ${quoted(`${name} ${flag}`)}) words=${quoted(words.join(' '))};;\n`] : [],
    );
    return lines;
  });
  const options = verbs.map(({ name, options: all }) => {
    return `      ${name}) words=${quoted(all.map(({ flag }) => flag).join(' '))};;\n`;
  });
  const firsts = verbs.flatMap(({ name, words }) =>
    words.length === 0 ? [] : [`      ${name}) words=${quoted(words.join(' '))};;\n`],
  );
  return `# poundlock completion for bash: eval "$(poundlock completion bash)"
_poundlock() {
  local cur=\${COMP_WORDS[COMP_CWORD]} verb=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -le 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`help ${names(verbs)}`)} -- "$cur"))
    return
  fi
  case "$verb \${COMP_WORDS[COMP_CWORD-1]}" in
    'help help') words=${quoted(names(verbs))};;
${values.join('')}    *) case "$cur" in
      -*) case "$verb" in
${options.join('')}      esac;;
      *) case "$verb" in
${firsts.join('')}      esac;;
    esac;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _poundlock poundlock
`;
}

function zshOption({ flag, description, takesValue, words }: CompletedOption): string {
  const text = short(description).replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const choices = words.length === 0 ? '_files' : `(${words.join(' ')})`;
  const value = takesValue ? `:value:${choices}` : '';
  return `        ${quoted(`*${flag}[${text}]${value}`)} \\\n`;
}

function zsh(verbs: readonly CompletedVerb[]): string {
  const listed = verbs.map(
    ({ name, description }) =>
      `      ${quoted(`${name}:${short(description).replaceAll(':', String.raw`\:`)}`)}\n`,
  );
  const cases = verbs.map(({ name, options, words }) => {
    const rest = words.length === 0 ? '_files' : `(${words.join(' ')})`;
    const all = options.map(zshOption).join('');
    return `      ${name})\n        _arguments \\\n${all}        ${quoted(`*:word:${rest}`)};;\n`;
  });
  return `#compdef poundlock
# poundlock completion for zsh: eval "$(poundlock completion zsh)"
_poundlock() {
  if (( CURRENT == 2 )); then
    local -a verbs
    verbs=(
      'help:print the help of a verb'
${listed.join('')}    )
    _describe 'verb' verbs
  else
    local verb=\${words[2]}
    shift words
    (( CURRENT-- ))
    case $verb in
      help) _arguments '1:verb:(${names(verbs)})';;
${cases.join('')}    esac
  fi
}
# As a file of $fpath it is called where it is loaded; read in a shell, it is only declared.
if [[ $funcstack[1] == _poundlock ]]; then _poundlock "$@"; else compdef _poundlock poundlock; fi
`;
}

/** A line that completes something behind a verb. */
function fishLine(verb: string, ...words: readonly string[]): string {
  const seen = quoted(`__fish_seen_subcommand_from ${verb}`);
  return `complete -c poundlock -n ${seen} ${words.join(' ')}\n`;
}

function fishOption(verb: string, option: CompletedOption): string {
  const { flag, description, takesValue, words } = option;
  const value = takesValue ? ['-r'] : [];
  const choices = words.length > 0 ? ['-xa', quoted(words.join(' '))] : value;
  return fishLine(verb, '-l', flag.slice(2), ...choices, '-d', quoted(short(description)));
}

function fish(verbs: readonly CompletedVerb[]): string {
  const lines = verbs.map(({ name, description, options, words }) => {
    const verb = ['-n __fish_use_subcommand -f -a', name, '-d', quoted(short(description))];
    const first = words.length === 0 ? '' : fishLine(name, '-f', '-a', quoted(words.join(' ')));
    const others = options.map((option) => fishOption(name, option));
    return `complete -c poundlock ${verb.join(' ')}\n${first}${others.join('')}`;
  });
  const help =
    "complete -c poundlock -n __fish_use_subcommand -f -a help -d 'print the help of a verb'\n" +
    fishLine('help', '-f', '-a', quoted(names(verbs)));
  const head = '# poundlock completion for fish: poundlock completion fish | source\n';
  return `${head}${help}${lines.join('')}`;
}

/** The script of each shell. */
export const SCRIPTS: Readonly<Record<Shell, Script>> = { bash, zsh, fish };
