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

function bashCompletion(groups: readonly CommandGroup[]): string {
  const choices = ([line, words]: Completion): string =>
    `${quoted(line)}) choices=${quoted([...words.keys()].join(' '))} ;;`;
  return `_scrollback() {
  local current=\${COMP_WORDS[COMP_CWORD]} line= word skip= choices=
${lineOf(groups, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  if [[ -n $skip ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
${choicesOf(groups, choices)}
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current"; [[ -z $line ]] || compgen -f -- "$current")
}
complete -F _scrollback scrollback`;
}

function zshCompletion(groups: readonly CommandGroup[]): string {
  const choices = ([line, words]: Completion): string => {
    const described = Array.from(words, ([word, summary]) => quoted(`${word}:${summary}`));
    return `${quoted(line)}) choices=(${described.join(' ')}) ;;`;
  };
  return `#compdef scrollback
_scrollback() {
  local line= word skip=
  local -a choices
${lineOf(groups, '"${words[@]:1:$((CURRENT - 2))}"')}
  if [[ -n $skip ]]; then _files; return; fi
${choicesOf(groups, choices)}
  _describe 'command' choices
  [[ -z $line ]] || _files
}
compdef _scrollback scrollback`;
}

/** Words of a command, and what may follow them. */
type Completion = readonly [line: string, choices: ReadonlyMap<string, string>];

/**
 * Shell code that sets `line` to the words of the command: those that are no options, nor the value of one. It leaves `skip` set when
 * the value of an option comes next.
 */
function lineOf(groups: readonly CommandGroup[], words: string): string {
  return `  for word in ${words}; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${valueOptionsOf(groups).join('|')}) skip=yes ;;
      -*) ;;
      *) line+="\${line:+ }$word" ;;
    esac
  done`;
}

/** Shell code that sets `choices` to what may follow `line`. */
function choicesOf(groups: readonly CommandGroup[], branch: (completion: Completion) => string): string {
  const branches = Array.from(completionsOf(groups), (completion) => `      ${branch(completion)}`);
  return `  while :; do
    case $line in
${branches.join('\n')}
    esac
    # After the words of a command come its arguments.
    [[ -n $choices || $line != *' '* ]] && break
    line=\${line% *}
  done`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
