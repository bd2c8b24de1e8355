import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Duka } from '@duka/client';
import { Refused, Usage } from './refusals.js';

/** What is kept of a login. */
export interface Profile {
  readonly base_url: string;
  readonly api_key: string;
  /** By `duka login` itself, for this machine: `duka logout` revokes it. */
  readonly made_here: boolean;
  readonly expires_at: string | null;
}

/** Which key is used, and where. */
export interface Access {
  readonly profile: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly isLive: boolean;
}

export const env = process.env;
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const folder = (): string => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'duka');
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** JSON that this program keeps; null: there is none. */
export function readKept<T>(name: string): T | null {
  const path = join(folder(), name);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    throw new Refused('config_unreadable', `${path} is not JSON. Correct or remove it.`);
  }
}

/** Whole or not at all, for nobody but its owner. */
export function keep(name: string, content: object): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  chmodSync(folder(), 0o700);
  const path = join(folder(), name);
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

const CONFIG = 'config.json';
const profiles = (): Map<string, Profile> =>
  new Map(Object.entries(readKept<{ profiles: Record<string, Profile> }>(CONFIG)?.profiles ?? {}));
const keepProfiles = (all: Map<string, Profile>): void => keep(CONFIG, { profiles: Object.fromEntries(all) });

export const findProfile = (name: string): Profile | null => profiles().get(name) ?? null;
export const keepProfile = (name: string, profile: Profile): void => keepProfiles(profiles().set(name, profile));

export function dropProfile(name: string): void {
  const all = profiles();
  all.delete(name);
  keepProfiles(all);
}

export function requireName(profile: string): void {
  if (!/^[\w-][\w.-]{0,63}$/.test(profile))
    throw new Usage('The name of a profile has 1 to 64 letters, digits, ".", "_" or "-".');
}

/** An address of a service, without a trailing slash. */
export function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Usage(`${text} is no address such as https://api.example.com`);
  return url.href.replace(/\/+$/, '');
}

const isLiveKey = (key: string): boolean => key.startsWith('sk_live_');

/** Keys of real money go over TLS, or stay on this machine. */
export function requireSafe(key: string, baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (isLiveKey(key) && protocol !== 'https:' && !LOCAL.has(hostname))
    throw new Usage('A live key is not sent over plain http: use https.');
}

/** DUKA_API_KEY and DUKA_BASE_URL win over the profile. */
export function accessOf(name: string): Access {
  requireName(name);
  const profile = findProfile(name);
  const apiKey = env.DUKA_API_KEY ?? profile?.api_key;
  const address = env.DUKA_BASE_URL ?? profile?.base_url;
  if (!apiKey || !address)
    throw new Refused(
      'not_logged_in',
      apiKey
        ? 'Where is the service? Set DUKA_BASE_URL beside DUKA_API_KEY.'
        : `Nobody is logged in as the profile ${name}. Run: duka login`,
    );
  const baseUrl = baseUrlOf(address);
  requireSafe(apiKey, baseUrl);
  if (!env.DUKA_API_KEY && baseUrl !== profile!.base_url)
    throw new Usage(
      `The key of the profile ${name} is for ${profile!.base_url}. Set DUKA_API_KEY beside DUKA_BASE_URL.`,
    );
  return { profile: name, apiKey, baseUrl, isLive: isLiveKey(apiKey) };
}

export const clientOf = ({ apiKey, baseUrl }: Access): Duka => new Duka({ apiKey, baseUrl });
