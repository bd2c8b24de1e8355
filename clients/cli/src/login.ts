import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { Duka, DukaConnectionError, DukaError } from '@duka/client';
import { type Common, print, readInput, say, sessionOf } from './command.js';
import { listed } from './output.js';
import {
  baseUrlOf,
  dropProfile,
  env,
  findProfile,
  keepProfile,
  requireName,
  requireSafe,
  VERSION,
} from './profiles.js';
import { Refused, Usage } from './refusals.js';

/** RFC 8628. */
interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
  readonly interval: number;
}

interface NewKey {
  readonly api_key: string;
  readonly expires_at: string;
}

const KEY = /^sk_(test|live)_[0-9A-Za-z]{38}$/;
/** By which the RFC has a device slow down. */
const SLOWER_SECONDS = 5;

async function post<T>(url: string, body: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `duka-cli/${VERSION}` },
      body: JSON.stringify(body),
      redirect: 'manual',
    });
  } catch (error) {
    throw new DukaConnectionError('No answer came.', null, { cause: error });
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new DukaError(response, answer as ConstructorParameters<typeof DukaError>[1]);
  return answer as T;
}

/** Asks until a person has decided, as often as the service wants to be asked. */
async function keyFor(baseUrl: string, { device_code, interval }: DeviceCode): Promise<NewKey> {
  for (let seconds = interval; ;) {
    await sleep(seconds * 1_000);
    try {
      return await post<NewKey>(`${baseUrl}/device/token`, { device_code });
    } catch (error) {
      if (error instanceof DukaError && error.code === 'slow_down') seconds += SLOWER_SECONDS;
      else if (
        !(error instanceof DukaConnectionError) &&
        (!(error instanceof DukaError) || error.code !== 'authorization_pending')
      )
        throw error;
    }
  }
}

async function byDevice(baseUrl: string, name: string): Promise<NewKey> {
  const code = await post<DeviceCode>(`${baseUrl}/device/code`, { name }).catch((error: unknown) => {
    if (error instanceof DukaError && error.status === 404)
      throw new Refused(
        'no_dashboard',
        'This service has no dashboard to log in at. Make a key, and use: duka login --api-key',
      );
    throw error;
  });
  say(`Open   ${code.verification_uri}\nEnter  ${code.user_code}\n`);
  say(`The code is good for ${Math.round(code.expires_in / 60)} minutes. Waiting …`);
  return keyFor(baseUrl, code);
}

async function byKey(baseUrl: string): Promise<NewKey> {
  if (process.stdin.isTTY) say('Paste the API key, then Enter and Ctrl-D:');
  const key = (await readInput()).trim();
  if (!KEY.test(key)) throw new Usage('That is no API key: it begins with sk_test_ or sk_live_.');
  requireSafe(key, baseUrl);
  return { api_key: key, expires_at: '' };
}

interface LoginOptions extends Common {
  readonly baseUrl?: string;
  readonly apiKey?: boolean;
  readonly name: string;
}

async function logIn(options: LoginOptions): Promise<void> {
  const { profile } = options;
  requireName(profile);
  const address = options.baseUrl ?? env.DUKA_BASE_URL ?? findProfile(profile)?.base_url;
  if (!address) throw new Usage('Where is the service? duka login --base-url https://api.example.com');
  const baseUrl = baseUrlOf(address);
  const { api_key, expires_at } = options.apiKey ? await byKey(baseUrl) : await byDevice(baseUrl, options.name);
  requireSafe(api_key, baseUrl);
  keepProfile(profile, { base_url: baseUrl, api_key, made_here: !options.apiKey, expires_at: expires_at || null });
  await showAccount(options, { baseUrl, apiKey: api_key, profile });
}

async function showAccount(
  common: Common,
  { baseUrl, apiKey, profile }: { baseUrl: string; apiKey: string; profile: string },
): Promise<void> {
  const key = `${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`;
  const expires = findProfile(profile)?.api_key === apiKey ? (findProfile(profile)?.expires_at ?? null) : null;
  const own = { profile, base_url: baseUrl, key, expires_at: expires };
  const { id, name, mode } = await new Duka({ apiKey, baseUrl }).account.get().catch((error: unknown) => {
    // A key with few scopes may not know whose it is, and is good all the same.
    if (DukaError.is(error, 'insufficient_scope')) return { id: null, name: null, mode: apiKey.slice(3, 7) };
    throw error;
  });
  const who = { account: name, account_id: id, mode, ...own };
  print(common, who, () => listed(who));
}

async function logOut(common: Common): Promise<void> {
  const { profile } = common;
  const kept = findProfile(profile);
  if (kept === null) throw new Refused('not_logged_in', `Nobody is logged in as the profile ${profile}.`);
  const revoked = kept.made_here && (await revoke(kept.base_url, kept.api_key));
  dropProfile(profile);
  const said = revoked
    ? 'Logged out; the key is revoked.'
    : `Logged out. The key was not revoked: do so under API keys at ${kept.base_url}/dashboard if nobody needs it.`;
  print(common, { logged_out: profile, revoked }, () => said);
}

/** Whether it is known to be revoked. Whoever logs out of a service that is gone is logged out all the same. */
async function revoke(baseUrl: string, token: string): Promise<boolean> {
  try {
    await post(`${baseUrl}/device/revoke`, { token });
    return true;
  } catch {
    return false;
  }
}

export function addLogin(program: Command): void {
  const login = program
    .command('login')
    .description('Get an API key for this machine: you confirm a code at the dashboard.')
    .option('--base-url <url>', 'where the service is; remembered')
    .option('--api-key', 'take a key that you have from stdin instead')
    .option('--name <text>', 'what the key is called', `duka on ${hostname()}`.slice(0, 100));
  login.action(() => logIn(login.optsWithGlobals()));
  const logout = program
    .command('logout')
    .description('Forget the key of the profile, and revoke it if `duka login` made it.');
  logout.action(() => logOut(logout.optsWithGlobals()));
  const whoami = program.command('whoami').description('Say which key is used, and whose it is.');
  whoami.action(() => showAccount(whoami.optsWithGlobals(), sessionOf(whoami).access));
}
