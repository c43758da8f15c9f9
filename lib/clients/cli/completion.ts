// `varwire completion`: scripts with which a shell completes command lines.
import type { CommandEntry, CommandFunction } from './command-entry.js';
import { type CommandLine, parseLine } from './command-line.js';
import { UsageError } from './usage.js';

const LINE: CommandLine = {
  name: 'completion',
  takes: 'bash|zsh|fish',
  about:
    'Prints a script that completes commands, options and, with a server, names, functions and labels: source <(varwire completion bash), the same for zsh, varwire completion fish | source.',
  options: [],
};
const OF_VARIABLES = 'get|set|watch|describe|history|list|types';
const OF_FILES = 'run|monte-carlo|krpc-definitions|play|info|diff|plot|export|convert';
/** Filters for what the commands print: options, names of functions, labels of an enumeration. */
const OPTIONS = "grep -oE -- '--[a-z][a-z-]*' | sort -u";
const FUNCTIONS = "cut -d'(' -f1";
const LABELS = "sed -n 's/^labels\\t{\\(.*\\)}$/\\1/p' | grep -oE '[A-Za-z_][A-Za-z_0-9]*'";

/** Completes commands and options, and names, functions and labels of the server that the line or VARWIRE_SERVER names. */
// The line is split at blanks here: bash itself splits at the colon of localhost:7000 too. compgen -W would run what stands
// in a server's names.
const bash = (commands: readonly CommandEntry[]): string => `_varwire() {
  local line=\${COMP_LINE:0:COMP_POINT} server=\${VARWIRE_SERVER:-} first=2 words name
  read -ra words <<< "$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  local last=$((\${#words[@]} - 1))
  local word=\${words[last]} command=\${words[1]} found=
  COMPREPLY=()
  [ "$last" -gt 2 ] && case \${words[2]} in *:*|[0-9]*) server=\${words[2]} first=3 ;; esac
  case "$last $command $word" in
    1\\ *|*\\ help\\ *) found="${commands.map(({ name }) => name).join('\n')}" ;;
    *\\ *\\ -*) found=$(varwire "$command" --help 2>/dev/null | ${OPTIONS}) ;;
    ${OF_FILES.split('|')
      .map((name) => `*\\ ${name}\\ *`)
      .join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  [ -n "$server" ] && [ -z "$found" ] && case "$command $((last - first))" in
    call\\ 0) found=$(varwire call "$server" 2>/dev/null | ${FUNCTIONS}) ;;
    set\\ 1) found=$(varwire describe "$server" "\${words[first]}" 2>/dev/null | ${LABELS}) ;;
    ${OF_VARIABLES.split('|')
      .map((name) => `${name}\\ *`)
      .join('|')}) found=$(varwire list "$server" "$word" 2>/dev/null | cut -f1) ;;
  esac
  while read -r name; do
    [[ -n $name && $name == "$word"* && $name != *[^][A-Za-z0-9_.:-]* ]] && COMPREPLY+=("$name")
  done <<< "$found"
}
complete -F _varwire varwire
`;

const zsh = (commands: readonly CommandEntry[]): string => `#compdef varwire
_varwire() {
  local server=\${VARWIRE_SERVER:-} first=3
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, about }) => `      ${quoted(`${name}:${about}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  (( CURRENT > 3 )) && [[ $words[3] == (*:*|[0-9]*) ]] && server=$words[3] first=4
  case "$words[2] $PREFIX" in
    help\\ *) compadd -- ${commands.map(({ name }) => name).join(' ')}; return ;;
    *\\ -*) compadd -- \${(f)"$(varwire $words[2] --help 2>/dev/null | ${OPTIONS})"}; return ;;
    ${OF_FILES.split('|')
      .map((name) => `${name}\\ *`)
      .join('|')}) _files; return ;;
  esac
  [[ -n $server ]] && case "$words[2] $((CURRENT - first))" in
    call\\ 0) compadd -- \${(f)"$(varwire call $server 2>/dev/null | ${FUNCTIONS})"} ;;
    set\\ 1) compadd -- \${(f)"$(varwire describe $server $words[first] 2>/dev/null | ${LABELS})"} ;;
    ${OF_VARIABLES.split('|')
      .map((name) => `${name}\\ *`)
      .join('|')}) compadd -- \${(f)"$(varwire list $server "$PREFIX" 2>/dev/null | cut -f1)"} ;;
  esac
}
compdef _varwire varwire
`;

const fish = (commands: readonly CommandEntry[]): string => `complete -c varwire -f
${commands.map(({ name, about }) => `complete -c varwire -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`).join('\n')}
complete -c varwire -n '__fish_seen_subcommand_from ${OF_FILES.replaceAll('|', ' ')}' -F
complete -c varwire -n '__fish_seen_subcommand_from help' -a '${commands.map(({ name }) => name).join(' ')}'
function __varwire_words
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  set -l server $VARWIRE_SERVER
  set -l first 3
  if string match -q -- '-*' $word
    varwire $words[2] --help 2>/dev/null | ${OPTIONS}
    return
  end
  if test (count $words) -gt 2; and string match -qr '^[0-9]|:' -- $words[3]
    set server $words[3]
    set first 4
  end
  test -n "$server"; or return
  switch "$words[2] "(math (count $words) + 1 - $first)
    case 'call 0'
      varwire call $server 2>/dev/null | ${FUNCTIONS}
    case 'set 1'
      varwire describe $server $words[$first] 2>/dev/null | ${LABELS}
    case ${OF_VARIABLES.split('|')
      .map((name) => `'${name} *'`)
      .join(' ')}
      varwire list $server $word 2>/dev/null | cut -f1
  end
end
complete -c varwire -n 'not __fish_use_subcommand' -a '(__varwire_words)'
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
