import type { ServerResponse } from 'node:http';
import { type Heard, Pretended, send } from '../pretended';

/** What it answers a request for rates with, instead of them; `barred`: any request. */
type Mood = 'nonsense' | 'restricted' | 'away' | 'barred' | null;

/** Open Exchange Rates on a port of this machine: the newest rates, and how much of the plan is used. */
export class Company extends Pretended {
  /** 32 hexadecimal characters, as theirs are. */
  appId = '0123456789abcdef0123456789abcdef';
  /** As they stand in its answer, relative to one US dollar. */
  rates: Record<string, string> = {
    EUR: '0.923402',
    GBP: '0.789012',
    GHS: '15.433',
    KES: '129.25',
    NGN: '1550.25',
    RWF: '1310',
    TZS: '2630.5',
    UGX: '3705.112',
    USD: '1',
    XAF: '605.71',
    XOF: '605.71',
    ZAR: '18.191544',
    ZMW: '26.04',
  };
  /** Seconds since 1970; null: now, to the full minute before. */
  timestamp: number | null = null;
  mood: Mood = null;
  /** Requests that count, and how many there may be: -1 is without end. */
  requests = 0;
  quota = 1_000;

  get settings(): Record<string, string> {
    return { OPENEXCHANGERATES_URL: this.url, OPENEXCHANGERATES_APP_ID: this.appId };
  }

  protected answer(heard: Heard, response: ServerResponse): void {
    const { path, query, headers } = heard;
    const name = path.replace(/^\/(?:api\/)?/, '');
    // Where both are given the one of the address counts.
    const given = query.get('app_id') ?? /^Token (\w+)$/.exec(headers.authorization ?? '')?.[1];
    if (name !== 'latest.json' && name !== 'usage.json') return fail(response, 404, 'not_found');
    if (given === undefined) return fail(response, 401, 'missing_app_id');
    if (given !== this.appId) return fail(response, 401, 'invalid_app_id');
    if (this.mood === 'barred') return fail(response, 403, 'access_restricted');
    if (name === 'usage.json') return send(response, 200, this.usage());
    if (this.mood === 'away') return void response.socket?.destroy();
    if (this.mood === 'nonsense') return send(response, 200, '<html><body>1550.25</body></html>');
    if (this.mood === 'restricted' || (this.quota >= 0 && this.requests >= this.quota))
      return fail(response, 429, 'access_restricted');
    if (query.has('base') && query.get('base') !== 'USD') return fail(response, 429, 'not_allowed');
    this.requests++;
    send(response, 200, this.latest());
  }

  /** Numbers as they are written: JSON has no other way to say 1550.25 to the letter. */
  private latest(): string {
    const timestamp = this.timestamp ?? Math.floor(Date.now() / 60_000) * 60;
    const rates = Object.entries(this.rates).map(([currency, rate]) => `    "${currency}": ${rate}`);
    return `{
  "disclaimer": "Usage subject to terms: https://openexchangerates.org/terms",
  "license": "https://openexchangerates.org/license",
  "timestamp": ${timestamp},
  "base": "USD",
  "rates": {\n${rates.join(',\n')}\n  }\n}`;
  }

  private usage(): object {
    const { appId: app_id, requests, quota } = this;
    const remaining = quota < 0 ? -1 : Math.max(quota - requests, 0);
    return {
      status: 200,
      data: {
        app_id,
        status: this.mood === 'restricted' ? 'access_restricted' : 'active',
        plan: {
          name: 'Free',
          quota: `${quota} requests / month`,
          update_frequency: 'hourly',
          features: { base: false, symbols: true, experimental: true, 'time-series': false, convert: false },
        },
        usage: {
          requests,
          requests_quota: quota,
          requests_remaining: remaining,
          days_elapsed: 16,
          days_remaining: 14,
          daily_average: 0,
        },
      },
    };
  }
}

function fail(response: ServerResponse, status: number, message: string): void {
  send(response, status, { error: true, status, message, description: `Pretended: ${message}.` });
}
