import type { DataSource } from 'typeorm';
import { Env } from '../../src/core/config/env';
import { SecretBox } from '../../src/core/secrets/secret-box';
import { ProviderHttp } from '../../src/providers/http';
import type { Exchange, Journal } from '../../src/providers/journal';
import { Sessions } from '../../src/providers/sessions';

/** The way out for an adapter that is tested without a database: nothing is kept but what `exchanges` is given. */
export function outside(exchanges: Exchange[] = []): ProviderHttp {
  const journal = { note: (exchange: Exchange) => void exchanges.push(exchange) };
  const dataSource = { query: () => Promise.resolve([]) };
  const box = new SecretBox(Object.assign(new Env(), { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }));
  return new ProviderHttp(journal as unknown as Journal, new Sessions(dataSource as unknown as DataSource, box));
}
