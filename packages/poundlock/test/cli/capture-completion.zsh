# Prints what zsh offers: zsh -f capture-completion.zsh SCRIPT LINE
# An interactive zsh in a pseudo-terminal reads the script, and prints what is added as an offer.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -Uz compinit && compinit -D -u; source ${(q)1}"
zpty -w shell "bindkey '^I' complete-word; zstyle ':completion:*' insert-tab false"
zpty -w shell 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a offers; builtin compadd -A offers "$@"; print -rl -- "<"${^offers}">"
}'
zpty -w shell 'ended() { print -r -- "<EN""D"; exit }; comppostfuncs=(ended); print -r -- "<BEG""IN"'
while zpty -r shell line; do [[ $line == *'<BEGIN'* ]] && break; done
zpty -n -w shell "$2"$'\t'
while zpty -r shell line; do
  [[ $line == *'<END'* ]] && break
  [[ $line =~ '<(.*)>' ]] && print -r -- $match[1]
done
zpty -d shell
