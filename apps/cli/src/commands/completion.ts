import type { Command, CommandGroup } from '../command.js';
import { completionsOf, valueOptionsOf } from '../usage.js';

const SCRIPTS: Readonly<Record<string, (groups: readonly CommandGroup[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
};

/** @param groups all commands, this one included */
export function completionCommand(groups: () => readonly CommandGroup[]): Command {
  return {
    name: 'completion',
    args: 'SHELL',
    summary: 'print what completes commands and options in bash or zsh: source <(scrollback completion bash)',
    complaint: ([shell = '']) => (shell in SCRIPTS ? undefined : 'SHELL must be bash or zsh.'),
    run: async ({ args: [shell = ''], terminal }) => {
      await terminal.print(SCRIPTS[shell]?.(groups()) ?? '');
      return 0;
    },
  };
}

/** Words that are no options, nor the value of one, are the words of the command. */
function bashCompletion(groups: readonly CommandGroup[]): string {
  const cases = Array.from(
    completionsOf(groups),
    ([line, choices]) => `    ${quoted(line)}) choices=${quoted([...choices.keys()].join(' '))} ;;`,
  );
  return `_scrollback() {
  local current=\${COMP_WORDS[COMP_CWORD]} line= word skip= choices=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${valueOptionsOf(groups).join('|')}) skip=yes ;;
      -*) ;;
      *) line+="\${line:+ }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  while :; do
    case $line in
${cases.map((line) => `  ${line}`).join('\n')}
    esac
    # After the words of a command come its arguments.
    [[ -n $choices || $line != *' '* ]] && break
    line=\${line% *}
  done
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current"; [[ -z $line ]] || compgen -f -- "$current")
}
complete -F _scrollback scrollback`;
}

function zshCompletion(groups: readonly CommandGroup[]): string {
  const cases = Array.from(completionsOf(groups), ([line, choices]) => {
    const described = Array.from(choices, ([word, summary]) => quoted(`${word}:${summary}`));
    return `      ${quoted(line)}) choices=(${described.join(' ')}) ;;`;
  });
  return `#compdef scrollback
_scrollback() {
  local line= word skip=
  local -a choices
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${valueOptionsOf(groups).join('|')}) skip=yes ;;
      -*) ;;
      *) line+="\${line:+ }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then _files; return; fi
  while :; do
    case $line in
${cases.join('\n')}
    esac
    # After the words of a command come its arguments.
    [[ -n $choices || $line != *' '* ]] && break
    line=\${line% *}
  done
  _describe 'command' choices
  [[ -z $line ]] || _files
}
compdef _scrollback scrollback`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
