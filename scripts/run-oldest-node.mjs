// Starts the built service on the oldest Node that package.json allows, signs a person up (a password is hashed), and stops it.
// Then on one that is too old: it must say so in a sentence.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TOO_OLD = '20.20.2';
const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const oldest = /\d+\.\d+\.\d+/.exec(engines.node)[0];
const folder = mkdtempSync(join(tmpdir(), 'duka-node-'));

try {
  await serves(nodeOf(oldest));
  const refused = spawnSync(nodeOf(TOO_OLD), argumentsOf('start'), { encoding: 'utf8' });
  if (refused.status !== 1 || !/^\nDuka needs Node .*\n\n$/.test(refused.stderr))
    throw new Error(`Node ${TOO_OLD} says: ${refused.stderr}`);
  console.log(`Node ${oldest} serves, Node ${TOO_OLD} is told why not.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The runtime alone, as npm publishes it for this machine. */
function nodeOf(version) {
  const prefix = join(folder, version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  execFileSync(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--no-save', '--prefix', prefix, `${name}@${version}`],
    { stdio: 'inherit' },
  );
  return join(prefix, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Of the script in package.json, flags included. */
function argumentsOf(script) {
  return scripts[script].split(' ').slice(1);
}

async function serves(node) {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0', DATABASE_URL: '', REDIS_URL: '' };
  const child = spawn(node, argumentsOf('start'), { env, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const url = await addressOf(child, join(env.DATA_DIR, 'sandbox.json'));
    const person = {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'a long walk by the quiet harbour',
      account_name: 'Shop',
    };
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${url}/dashboard/api/auth/sign-up`, {
      method: 'POST',
      headers,
      body: JSON.stringify(person),
    });
    if (!answer.ok) throw new Error(`signing up answers ${answer.status}: ${await answer.text()}`);
  } finally {
    const ended = once(child, 'exit');
    if (child.exitCode === null) child.kill('SIGTERM');
    if (child.exitCode === null) await ended;
  }
  if (child.exitCode !== 0) throw new Error(`the service ended with ${child.exitCode}`);
}

async function addressOf(child, file) {
  for (let tries = 0; tries < 1200; tries++) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    try {
      return JSON.parse(readFileSync(file, 'utf8')).base_url;
    } catch {
      await sleep(100);
    }
  }
  throw new Error('the service did not start');
}
