import createClient, { type Client } from 'openapi-fetch';
import { isUnattended } from '../session/presence';
import { Problem } from './problem';
import type { components, paths } from './schema';
import { nameAccount } from './shown-account';

export type Mode = 'test' | 'live';
export type Schemas = components['schemas'];
export type PublicApi = Client<paths>;

/** Calls the routes of a document, with the session; a refusal is thrown. */
export function connect<Paths extends {}>(baseUrl: string, headers: Record<string, string> = {}): Client<Paths> {
  const client = createClient<Paths>({ baseUrl, headers });
  client.use({
    onRequest({ request }) {
      if (request.method === 'GET' && isUnattended()) request.headers.set('duka-unattended', '1');
      nameAccount(request);
    },
    async onResponse({ response }) {
      if (!response.ok) throw await Problem.of(response);
    },
  });
  return client;
}

const clients: Record<Mode, PublicApi> = {
  test: connect<paths>('/dashboard/api/test'),
  live: connect<paths>('/dashboard/api/live'),
};

/** The public API, every route of it, called with the session instead of a key. */
export const publicApi = (mode: Mode): PublicApi => clients[mode];

/** What a dry run would write; the page asks for none. */
interface DryRun {
  readonly ledger: readonly unknown[];
}

/**
 * The JSON of an answer; a refusal was thrown before. Lists can answer CSV too, but the page asks for that by links
 * only.
 */
export async function bodyOf<Body>(answer: Promise<{ data?: Body }>): Promise<Exclude<Body, string | DryRun>> {
  const { data } = await answer;
  return data as Exclude<Body, string | DryRun>;
}

/** One attempt of a person to move money. Pass the same one when the same attempt is sent again. */
export const attemptKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
