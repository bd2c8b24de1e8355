// npm run release [-- --dry-run]: makes a version of what the files of .changeset say. Changelog and manifests, the packages of the
// clients, the bill of materials and sums in release/, a commit and a signed tag (--unsigned: an annotated one). Pushes and
// publishes nothing: docs/releases.md. --module=… and --docs-url=… put what is yours in the place of placeholders.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const isDry = process.argv.includes('--dry-run');
const OUTPUT = 'release';
/** Where else the version stands. */
const MANIFESTS = [
  ['clients/typescript/package.json', /("version": ")[^"]+/],
  ['clients/cli/package.json', /("version": ")[^"]+/],
  ['clients/mcp/package.json', /("version": ")[^"]+/],
  ['clients/python/pyproject.toml', /(^version = ")[^"]+/m],
  ['deploy/helm/duka/Chart.yaml', /(^version: ).+/m],
  ['deploy/helm/duka/Chart.yaml', /(^appVersion: ).+/m],
];

/** What whoever publishes chooses: where it stands, and where else it is named. Once chosen, it stays. */
const CHOSEN = [
  {
    option: '--module',
    file: 'clients/go/go.mod',
    value: /^module (\S+)$/m,
    named: ['docs/sdk-go.md', 'test/support'],
  },
  { option: '--docs-url', file: 'deploy/prometheus/alerts.yml', value: /runbook_url: (\S+)\/docs\//, named: [] },
];

const run = (file, args, options = {}) =>
  execFileSync(file, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
const git = (...args) => run('git', args).trim();
const changeset = (...args) => run(process.execPath, ['node_modules/@changesets/cli/bin.js', ...args]);
const read = (file) => readFileSync(file, 'utf8');

function refuse(why) {
  console.error(why);
  process.exit(1);
}

/** Version and summaries of what is to be released. The first release is the version that package.json has. */
function planned() {
  const file = join(git('rev-parse', '--absolute-git-dir'), 'changeset-status.json');
  // Compared with nothing: all files of .changeset count, on whatever branch.
  changeset('status', `--output=${file}`);
  const { releases, changesets } = JSON.parse(read(file));
  rmSync(file);
  const { version } = JSON.parse(read('package.json'));
  const isFirst = git('tag', '--list', 'v*') === '';
  if (!isFirst && releases.length === 0) refuse('Nothing to release: no change was described (npx changeset).');
  return {
    isFirst,
    version: isFirst ? version : releases[0].newVersion,
    notes: changesets.map(({ summary }) => summary),
  };
}

/** The changelog with a section for `version`: what stood under Unreleased, and the notes of the changes. */
function changelogWith(version, notes) {
  const text = read('CHANGELOG.md');
  const [, head, unreleased = '', rest] =
    /^([\s\S]*?)(?:## \[Unreleased\]\n([\s\S]*?))?((?:^## \[\d[\s\S]*)?)$(?![\s\S])/m.exec(text);
  const date = new Date().toISOString().slice(0, 10);
  const listed = notes.map((note) => `- ${note.trim().replaceAll('\n', '\n  ')}`).join('\n');
  const body = [unreleased.trim(), listed].filter(Boolean).join('\n\n');
  return `${head.trimEnd()}\n\n## [${version}] - ${date}\n\n${body}\n${rest ? `\n${rest}` : ''}`;
}

/** Puts what was chosen in the place of what stood there; says what is a placeholder still. */
function choose({ option, file, value, named }) {
  if (!existsSync(file)) return;
  const [, before] = value.exec(read(file));
  const chosen = process.argv.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1) ?? before;
  if (chosen.includes('duka.example')) console.log(`${file} has the placeholder ${chosen}: ${option}=…`);
  if (chosen === before) return;
  for (const one of git('grep', '--files-with-matches', '--fixed-strings', before, '--', file, ...named).split('\n'))
    writeFileSync(one, read(one).replaceAll(before, chosen));
}

/** What is published, and what it is made of. */
function packageAll(version) {
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT);
  for (const name of ['typescript', 'cli', 'mcp'].filter((client) => existsSync(`clients/${client}/package.json`)))
    run('npm', ['pack', `./clients/${name}`, `--pack-destination=${OUTPUT}`, '--silent'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const materials = run('npm', ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx']);
  writeFileSync(join(OUTPUT, `duka-${version}.cdx.json`), materials);
  const sums = readdirSync(OUTPUT).map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(OUTPUT, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(OUTPUT, 'SHA256SUMS'), sums.join(''));
}

if (git('status', '--porcelain') !== '') refuse('There are changes that are not committed.');
const { isFirst, version, notes } = planned();
console.log(`${version}:\n${notes.map((note) => `- ${note}`).join('\n')}`);
if (isDry) process.exit();

writeFileSync('CHANGELOG.md', changelogWith(version, notes));
if (isFirst)
  for (const name of readdirSync('.changeset').filter((file) => file.endsWith('.md'))) rmSync(join('.changeset', name));
else changeset('version');
for (const [file, version_] of MANIFESTS.filter(([name]) => existsSync(name)))
  writeFileSync(file, read(file).replace(version_, `$1${version}`));
CHOSEN.forEach(choose);
// Clients tell the service which they are.
for (const client of readdirSync('clients').filter((name) => existsSync(`clients/${name}/generate.mjs`)))
  run(process.execPath, [`clients/${client}/generate.mjs`]);
// The lock file names the version, too.
run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
packageAll(version);
git('add', '--all');
git('commit', '--message', `release: ${version}`);
git(
  'tag',
  process.argv.includes('--unsigned') ? '--annotate' : '--sign',
  `v${version}`,
  '--message',
  `Duka ${version}`,
);
console.log(`Made v${version} and ${OUTPUT}/. Look at it (git show), then: git push --follow-tags`);
