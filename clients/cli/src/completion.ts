import { type Command, Option } from 'commander';

interface Word {
  /** What comes before, by spaces: `` or `wallets`. */
  readonly path: string;
  readonly name: string;
  readonly about: string;
}

const aboutOf = (command: Command): string => (command.summary() || command.description()).split('\n')[0]!;
const flagsOf = (command: Command): Option[] => command.options.filter(({ long }) => long);

/** Every command and every option. */
function wordsOf(program: Command): { commands: Word[]; options: Word[] } {
  const [commands, options]: [Word[], Word[]] = [[], []];
  const walk = (command: Command, path: string): void => {
    for (const { long, description } of flagsOf(command)) options.push({ path, name: long!, about: description });
    for (const child of command.commands) {
      commands.push({ path, name: child.name(), about: aboutOf(child) });
      walk(child, `${path} ${child.name()}`.trim());
    }
  };
  walk(program, '');
  return { commands, options };
}

const namesBy = (words: readonly Word[]): [string, string][] =>
  [...Map.groupBy(words, ({ path }) => path)].map(([path, of]) => [path, of.map(({ name }) => name).join(' ')]);

/** What both shells do: the path is the first two words that are no options; then options once a dash is typed. */
function cases({ commands, options }: ReturnType<typeof wordsOf>): string {
  const everywhere = options.filter(({ path }) => path === '').map(({ name }) => name);
  const own = new Map(namesBy(options));
  const children = new Map(namesBy(commands));
  const paths = ['', ...commands.map(({ path, name }) => `${path} ${name}`.trim())];
  const lines = paths.map((path) => {
    const flags = [...new Set([...(own.get(path)?.split(' ') ?? []), ...everywhere])].join(' ');
    return `    '${path}') commands='${children.get(path) ?? ''}' options='${flags}' ;;`;
  });
  return `  case "$place" in\n${lines.join('\n')}\n  esac`;
}

const bash = (words: ReturnType<typeof wordsOf>): string => `_duka() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' commands='' options='' at word count=0
  for ((at = 1; at < COMP_CWORD && count < 2; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == -* ]] || { place="\${place:+$place }$word"; count=$((count + 1)); }
  done
${cases(words)}
  [[ $current == -* ]] && commands="$options"
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
}
complete -o default -F _duka duka
`;

const zsh = (words: ReturnType<typeof wordsOf>): string => `#compdef duka
_duka() {
  local place='' commands='' options='' word
  for word in \${\${words[2,CURRENT-1]:#-*}[1,2]}; do place="\${place:+$place }$word"; done
${cases(words)}
  [[ $words[CURRENT] == -* ]] && commands="$options"
  if [[ -n $commands ]]; then compadd -- \${=commands}; else _files; fi
}
compdef _duka duka
`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish({ commands, options }: ReturnType<typeof wordsOf>): string {
  const condition = (path: string): string => {
    const [first, second] = path.split(' ');
    if (!first) return '__fish_use_subcommand';
    const seen = `__fish_seen_subcommand_from ${first}`;
    return second ? `${seen}; and __fish_seen_subcommand_from ${second}` : seen;
  };
  const children = (path: string): string =>
    commands
      .filter((word) => word.path === path)
      .map(({ name }) => name)
      .join(' ');
  const ofCommand = ({ path, name, about }: Word): string => {
    const until = path === '' ? '' : `; and not __fish_seen_subcommand_from ${children(path)}`;
    return `complete -c duka -f -n ${quoted(condition(path) + until)} -a ${name} -d ${quoted(about)}`;
  };
  const ofOption = ({ path, name, about }: Word): string =>
    `complete -c duka ${path === '' ? '' : `-n ${quoted(condition(path))} `}-l ${name.slice(2)} -d ${quoted(about.split('\n')[0]!)}`;
  return [...commands.map(ofCommand), ...options.map(ofOption), ''].join('\n');
}

const SHELLS = { bash, zsh, fish };

export function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .description('Print what makes your shell complete commands and options: source <(duka completion bash)');
  for (const [shell, write] of Object.entries(SHELLS))
    command
      .command(shell)
      .summary(`for ${shell}`)
      .action(() => {
        process.stdout.write(write(wordsOf(program)));
      });
}
