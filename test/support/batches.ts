import { randomUUID } from 'node:crypto';
import type { Api } from './api';
import { until } from './recurring-probe';

/** Answers a batch that nobody works on any more. */
export async function ended(api: Api, id: string, statuses = ['completed', 'invalid', 'failed', 'cancelled']) {
  let batch: any;
  await until(async () => {
    batch = (await api.get(`/v4/batches/${id}`)).body;
    return statuses.includes(batch.status) && batch.counts.processing === 0;
  }, 60);
  return batch;
}

/** Posts a batch with a key of its own, and waits for its end. */
export async function carriedOut(api: Api, body: object) {
  const { status, body: batch } = await api.post('/v4/batches', body, { key: randomUUID() });
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(batch)}`);
  return ended(api, batch.id);
}

/** Airtime for so many phones, each with a reference that begins with `name`. */
export const topUps = (name: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => ({
    phone: `+23480312${String(i).padStart(5, '0')}`,
    network: 'mtn',
    amount: 10_000,
    reference: `${name}-${i}`,
    ...more,
  }));

export const itemsOf = (api: Api, id: string, query = '') => api.all(`/v4/batches/${id}/items?limit=100${query}`);

/** References of the account's transactions of a type, with how often each is there. */
export async function timesOf(api: Api, type: string): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const { reference } of await api.all(`/v4/transactions?type=${type}&limit=100`))
    times[reference] = (times[reference] ?? 0) + 1;
  return times;
}
