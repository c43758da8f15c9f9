// `varwire completion`: scripts with which a shell completes command lines.
import type { CommandEntry, CommandFunction } from './command-entry.js';
import { type CommandLine, parseLine } from './command-line.js';
import { UsageError } from './usage.js';

const LINE: CommandLine = {
  name: 'completion',
  takes: 'bash|zsh|fish',
  about:
    'Prints a script that completes commands and, with a server, names: source <(varwire completion bash), the same for zsh, varwire completion fish | source.',
  options: [],
};
const OF_VARIABLES = 'get|set|watch|describe';

/** Completes commands, then names of variables of the server that the line or VARWIRE_SERVER names. */
// The line is split at blanks here: bash itself splits at the colon of localhost:7000 too.
const bash = (commands: readonly CommandEntry[]): string => `_varwire() {
  local line=\${COMP_LINE:0:COMP_POINT} server=\${VARWIRE_SERVER:-} words
  read -ra words <<< "$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  local last=$((\${#words[@]} - 1))
  local word=\${words[last]}
  COMPREPLY=()
  if [ "$last" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  [ "$last" -gt 2 ] && case \${words[2]} in *:*|[0-9]*) server=\${words[2]} ;; esac
  case "\${words[1]}" in
    help) COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")) ;;
    run|monte-carlo) COMPREPLY=($(compgen -f -- "$word")) ;;
    ${OF_VARIABLES}) [ -n "$server" ] && COMPREPLY=($(compgen -W "$(varwire list "$server" "$word" 2>/dev/null | cut -f1)" -- "$word")) ;;
  esac
}
complete -F _varwire varwire
`;

const zsh = (commands: readonly CommandEntry[]): string => `#compdef varwire
_varwire() {
  local server=\${VARWIRE_SERVER:-}
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, about }) => `      ${quoted(`${name}:${about}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  (( CURRENT > 3 )) && [[ $words[3] == (*:*|[0-9]*) ]] && server=$words[3]
  case $words[2] in
    help) compadd -- ${commands.map(({ name }) => name).join(' ')} ;;
    run|monte-carlo) _files ;;
    ${OF_VARIABLES}) [[ -n $server ]] && compadd -- \${(f)"$(varwire list $server "$PREFIX" 2>/dev/null | cut -f1)"} ;;
  esac
}
compdef _varwire varwire
`;

const fish = (commands: readonly CommandEntry[]): string => `complete -c varwire -f
${commands.map(({ name, about }) => `complete -c varwire -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`).join('\n')}
complete -c varwire -n '__fish_seen_subcommand_from run monte-carlo' -F
complete -c varwire -n '__fish_seen_subcommand_from help' -a '${commands.map(({ name }) => name).join(' ')}'
function __varwire_names
  set -l words (commandline -opc)
  set -l server $VARWIRE_SERVER
  test (count $words) -gt 2; and string match -qr '^[0-9]|:' -- $words[3]; and set server $words[3]
  test -n "$server"; and varwire list $server (commandline -ct) 2>/dev/null | cut -f1
end
complete -c varwire -n '__fish_seen_subcommand_from ${OF_VARIABLES.replaceAll('|', ' ')}' -a '(__varwire_names)'
`;

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandEntry[]) => string>> = { bash, zsh, fish };

/** The command, for all commands that a shell is to know. */
export const completionOf =
  (commands: readonly CommandEntry[]): CommandFunction =>
  async (args) => {
    const given = parseLine(LINE, args);
    if (!given) return;
    const [shell = ''] = given.words;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (!script) throw new UsageError('varwire completion takes bash, zsh or fish');
    process.stdout.write(script(commands));
  };

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
