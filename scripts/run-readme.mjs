// Does what the README tells a newcomer to do: starts the service in an empty folder, runs the commands of its
// blocks marked ```sh run and those of the pages below, stops it with Ctrl-C, and starts it once more on the data that it left.
// What it prints must be what the README shows, each line up to its `…`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// How long to wait, not how fast it must be: what it takes is printed.
const START_SECONDS_MAX = 120;
const STOP_SECONDS_MAX = 15;
const GUIDES = [
  'walk',
  'operating',
  'conversions',
  'payouts',
  'refunds',
  'batches',
  'statements',
  'card-authorization',
  'card-transactions',
  'disputes',
  'virtual-accounts',
];

const dataDir = mkdtempSync(join(tmpdir(), 'duka-readme-'));
const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;

const commands = readmeCommands();
const shown = readmeBanner();
await session('first start', () => runShell(commands));
await session('second start', () => {});
rmSync(dataDir, { recursive: true });
console.log('The README holds.');

/** The marked blocks as one script, moved from the addresses and folders of the pages to those of this run. */
function readmeCommands() {
  return ['README.md', ...GUIDES.map((name) => `docs/${name}.md`)]
    .flatMap((page) => {
      const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block]) => block);
      if (blocks.length === 0) throw new Error(`${page} has no block marked \`\`\`sh run`);
      return blocks;
    })
    .join('\n')
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):3000/g, baseUrl)
    .replaceAll(/(?:\.\/)?\.data\//g, `${dataDir}/`);
}

/** What the README says that the service prints, as it must be in this run. */
function readmeBanner() {
  const [, block] = /^```\n( {2}Duka sandbox.*?)^```$/ms.exec(readFileSync('README.md', 'utf8'));
  const moved = block.replaceAll('http://127.0.0.1:3000', baseUrl).replace('.data', dataDir);
  return moved.split('\n').map((line) => line.replace(/….*/, ''));
}

/** One `npm start`, from ready to gone. */
async function session(name, work) {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    // A group of its own, as a terminal gives it: Ctrl-C reaches npm and the service at once.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    process.stdout.write(chunk);
  });
  try {
    await ready(child);
    report(`${name}: ready`, began);
    await work();
  } finally {
    await stop(child, name);
  }
  const missing = shown.filter((line) => !printed.includes(line));
  if (missing.length > 0) throw new Error(`the README shows what is not printed:\n${missing.join('\n')}`);
}

async function ready(child) {
  const deadline = Date.now() + START_SECONDS_MAX * 1000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error('the service did not become ready');
}

async function runShell(script) {
  const shell = spawn('bash', ['-euxo', 'pipefail', '-c', script], {
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: dataDir },
  });
  const [status] = await once(shell, 'exit');
  if (status !== 0) throw new Error(`the commands of the README ended with ${status}`);
}

async function stop(child, name) {
  const began = performance.now();
  const ended = once(child, 'exit');
  if (child.exitCode === null && child.signalCode === null) {
    process.kill(-child.pid, 'SIGINT');
    await Promise.race([ended, sleep(2 * STOP_SECONDS_MAX * 1000, null, { ref: false })]);
  }
  await noneLeft(child.pid);
  report(`${name}: stopped, nothing left over`, began);
}

/** The database has a session of its own: it shows by its data folder, the rest by the group. */
async function noneLeft(group) {
  const deadline = Date.now() + STOP_SECONDS_MAX * 1000;
  for (;;) {
    const rows = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
    const left = rows.filter(
      (row) => !/^\s*\d+\s+Z/.test(row) && (row.includes(dataDir) || Number.parseInt(row, 10) === group),
    );
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`still running:\n${left.join('\n')}`);
    await sleep(100);
  }
}

function report(what, began) {
  console.log(`${what} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  return free;
}
