import { Client } from 'pg';
import { call } from './bank';
import { writeHistory } from './history';
import type { Listening, Service } from './service';

export const DASHBOARD_MEASUREMENTS = ['dashboardList', 'dashboardFind', 'dashboardHome'] as const;
export type DashboardMeasurement = (typeof DASHBOARD_MEASUREMENTS)[number];

const TRANSACTIONS = 1_000_000;
const MONTH_MS = 30 * 24 * 3_600_000;
const REQUESTS = 300;
const AT_ONCE = 2;
const SHARE = 0.95;
const HEADERS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** What somebody waits for who looks at an account that made a million transactions in a month. Each: p95 in milliseconds. */
export class DashboardMeasurements implements Record<DashboardMeasurement, () => Promise<number>> {
  private constructor(
    private readonly api: Listening,
    private readonly cookie: string,
    /** Of the list, from its beginning to far behind. */
    private readonly pages: readonly string[],
  ) {}

  static async prepare(service: Service): Promise<DashboardMeasurements> {
    const client = new Client({ connectionString: service.database.url });
    client.on('error', () => undefined);
    await client.connect();
    const api = await service.startApi();
    const { cookie, accountId } = await signUp(api);
    const made = await fetch(`http://127.0.0.1:${api.port}/dashboard/api/keys`, {
      method: 'POST',
      headers: { ...HEADERS, cookie },
      body: JSON.stringify({ name: 'Bench', livemode: false }),
    });
    const { secret: key } = (await made.json()) as { secret: string };
    const {
      data: [wallet],
    } = await call<{ data: [{ id: string }] }>(api.port, key, '/v4/wallets');
    const pages = await writeHistory(
      client,
      api.port,
      { accountId, key, wallet: wallet.id },
      { type: 'airtime_purchase', count: TRANSACTIONS, spacingMs: MONTH_MS / TRANSACTIONS },
    );
    await client.end();
    return new DashboardMeasurements(api, cookie, [
      ...pages,
      '/v4/transactions?limit=20',
      '/v4/transactions?limit=20&status=failed',
      '/v4/transactions?limit=20&status=successful',
    ]);
  }

  dashboardList(): Promise<number> {
    return this.p95((i) => `/test${this.pages[i % this.pages.length]!}`);
  }

  /** In turn by a part of a number, an amount, how an id begins, and a word that nothing has. */
  dashboardFind(): Promise<number> {
    const texts = (i: number) => [
      `803${String(i * 3_331)
        .padStart(7, '0')
        .slice(-7)}`,
      '1.00',
      'txn_01',
      'nobody',
    ];
    return this.p95((i) => `/search?mode=test&q=${encodeURIComponent(texts(i)[i % 4]!)}`);
  }

  dashboardHome(): Promise<number> {
    return this.p95(() => '/overview?livemode=false');
  }

  private async p95(pathOf: (i: number) => string): Promise<number> {
    const times: number[] = [];
    const loop = async (first: number): Promise<void> => {
      for (let i = first; i < REQUESTS; i += AT_ONCE) {
        const startedAt = performance.now();
        const answer = await fetch(`http://127.0.0.1:${this.api.port}/dashboard/api${pathOf(i)}`, {
          headers: { ...HEADERS, cookie: this.cookie },
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${pathOf(i)}: ${answer.status} ${text}`);
        times.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => loop(first)));
    return times.toSorted((a, b) => a - b)[Math.ceil(times.length * SHARE) - 1]!;
  }
}

async function signUp({ port }: Listening): Promise<{ cookie: string; accountId: string }> {
  const person = { name: 'Ada', email: 'ada@example.com', password: 'purple otters juggle tea', account_name: 'Bench' };
  const answer = await fetch(`http://127.0.0.1:${port}/dashboard/api/auth/sign-up`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(person),
  });
  if (answer.status !== 201) throw new Error(`nobody could sign up: ${answer.status} ${await answer.text()}`);
  const { account } = (await answer.json()) as { account: { id: string } };
  return { cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]!, accountId: account.id };
}
