import { DataSource } from 'typeorm';
import { decodeId } from '../../src/core/http/ids';
import { Relay } from '../../src/modules/webhooks/relay.service';
import type { Api } from './api';
import type { Duka } from './duka';
import { until } from './recurring-probe';

/** Nobody listens there. */
export const HOOK_URL = 'http://127.0.0.1:9/hooks';

/** An endpoint as its creation answers. */
export async function createEndpoint(api: Api, fields: object = {}): Promise<any> {
  return (await api.post('/v4/webhooks', { url: HOOK_URL, events: ['*'], ...fields })).body;
}

/** All events become deliveries. An open transaction of another database, such as of another test, holds the relay up for a while. */
export async function relayNow(duka: Duka): Promise<void> {
  const isDone = `SELECT NOT EXISTS (SELECT 1 FROM events e JOIN relay_position r ON r.name = 'webhooks' AND e.xact >= r.xact) AS done`;
  await until(async () => {
    await duka.get<Relay>(Relay).relayNow();
    return (await duka.get<DataSource>(DataSource).query(isDone))[0].done;
  });
}

/** The newest event of the account: of a wallet that is made now. */
export async function happen(api: Api): Promise<string> {
  await api.wallet();
  return (await api.get('/v4/events?type=wallet.created&limit=1')).body.data[0].id;
}

/** As if the attempts of a delivery had come to this. `at`: by the clock of the account. */
export async function settle(duka: Duka, deliveryId: string, status: string, at = new Date()): Promise<void> {
  const text = 'UPDATE webhook_deliveries SET status = $2, next_attempt_at = NULL, completed_at = $3 WHERE id = $1';
  await duka.get<DataSource>(DataSource).query(text, [decodeId('dlv', deliveryId), status, at]);
}
