import { cardholder } from './support/cardholder';
import { Duka, type TestAccount } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';

let duka: Duka;
let account: TestAccount;
let receiver: Receiver;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  account = await duka.account();
  receiver = await Receiver.of(duka, account, { inFlightMax: 50 } as object);
  // The first two attempts fail.
  receiver.reply = ({ headers }) => ({ status: Number(headers['webhook-attempt']) < 3 ? 500 : 200 });
});
afterAll(async () => {
  await receiver.close();
  await duka.stop();
});

const made = async (path: string, body?: object, headers?: Record<string, string>): Promise<any> => {
  const answer = await account.api.post(path, body, { headers });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** What happens, so that each type of event but those of the platform's catalogue comes up, and each object goes on changing after it. */
async function story(): Promise<{ wallets: string[]; card: string; authorization: string }> {
  const [{ id: wallet }] = (await account.api.get('/v4/wallets')).body.data;
  await made(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 1_000_000 });
  const buy = (scenario: string): Promise<any> =>
    made(
      '/v4/airtime/purchase',
      { phone: '+2348031234567', amount: 10_000, allow_duplicate: true },
      { 'x-sandbox-scenario': scenario },
    );
  await buy('outcome=delivered; then=reversed; delay=1m');
  await buy('outcome=timeout; then=failed; delay=1m');
  await buy('outcome=failed');
  for (const outcomes of [['successful', 'reversed'], ['failed'], ['cancelled']]) {
    const { id } = await made('/api/v1/payments', { amount: 100_000, currency: 'NGN' });
    for (const status of outcomes)
      await made(
        ...((status === 'cancelled'
          ? [`/api/v1/payments/${id}/cancel`, {}]
          : [`/v4/sandbox/payments/${id}/complete`, { status }]) as [string, object]),
      );
  }
  const second = await made('/v4/wallets', { currency: 'NGN', label: 'second', low_balance_threshold: 500 });
  await made('/v4/wallets/transfer', { from_wallet: wallet, to_wallet: second.id, amount: 1_000 });
  await made('/v4/wallets/transfer', { from_wallet: second.id, to_wallet: wallet, amount: 1_000 });
  for (const deed of ['freeze', 'unfreeze', 'close']) await made(`/v4/wallets/${second.id}/${deed}`, {});
  const dollars = await account.api.wallet(100_000, 'USD');
  const card = await made('/v4/cards/issue', {
    customer: cardholder(),
    currency: 'USD',
    amount: 5_000,
    funding_wallet_id: dollars,
  });
  await made(`/v4/cards/${card.id}/fund`, { amount: 1_000 });
  await made(`/v4/cards/${card.id}/withdraw`, { amount: 500 });
  const play = (kind: string, more: object = {}): Promise<any> =>
    made(`/v4/sandbox/cards/${card.id}/simulate`, {
      kind,
      ...(kind === 'authorization' && { merchant: { name: 'Books', mcc: '5942', country: 'US' } }),
      ...more,
    });
  const authorization = await play('authorization', { amount: 1_000 });
  await play('clearing', { card_transaction_id: authorization.id, amount: 600 });
  await play('authorization', { amount: 1_000_000 });
  for (const deed of ['freeze', 'unfreeze']) await made(`/v4/cards/${card.id}/${deed}`, {});
  const { id: endpoint } = await made('/v4/webhooks', { url: 'http://127.0.0.1:9/events', events: ['card.expired'] });
  await made(`/v4/webhooks/${endpoint}/disable`, {});
  return { wallets: [wallet, dollars], card: card.id, authorization: authorization.id };
}

const TYPES = [
  'card.frozen',
  'card.funded',
  'card.issued',
  'card.transaction.authorized',
  'card.transaction.declined',
  'card.transaction.settled',
  'card.unfrozen',
  'card.withdrawn',
  'payment.cancelled',
  'payment.failed',
  'payment.reversed',
  'payment.successful',
  'transaction.failed',
  'transaction.processing',
  'transaction.reversed',
  'transaction.successful',
  'transfer.successful',
  'wallet.closed',
  'wallet.created',
  'wallet.credited',
  'wallet.frozen',
  'wallet.low_balance',
  'wallet.unfrozen',
  'wallet.updated',
  'webhook_endpoint.disabled',
];

const attempted = (id: string): number => receiver.received.filter(({ body }) => body.id === id).length;
const typesSeen = (): Set<string> => new Set(receiver.received.map(({ body }) => body.type as string));
const seen = (): string[] => [...new Set(receiver.received.map(({ body }) => body.id as string))];
const shown = async (id: string): Promise<string> => JSON.stringify((await account.api.get(`/v4/events/${id}`)).body);

it('an event has the same bytes at each attempt and on its own route, whatever becomes of its object', async () => {
  const { wallets, card, authorization } = await story();
  const change = async (label: string): Promise<void> => {
    for (const id of wallets)
      expect((await account.api.patch(`/v4/wallets/${id}`, { label, metadata: { label } })).status).toBe(200);
    expect((await account.api.patch(`/v4/cards/${card}`, { label, metadata: { label } })).status).toBe(200);
  };
  await change('one');
  // Events become deliveries in the order of their commits: the last change is known when all before it are.
  await until(() => typesSeen().has('wallet.updated'));
  await until(async () => (await receiver.deliveries()).every(({ attempts }: { attempts: number }) => attempts >= 1));
  const first = seen();
  const [bytes, routes] = [new Map<string, string>(), new Map<string, string>()];
  for (const { body, text } of receiver.received) bytes.set(body.id, text);
  for (const id of first) routes.set(id, await shown(id));
  for (const id of first) expect(JSON.parse(routes.get(id)!)).toEqual(JSON.parse(bytes.get(id)!));

  // Purchases are taken back, the hold of the card is cleared, money moves.
  await made('/v4/sandbox/clock/advance', { seconds: 90 });
  await change('two');
  await made(`/v4/sandbox/cards/${card}/simulate`, { kind: 'void', card_transaction_id: authorization });
  await made(`/v4/cards/${card}/terminate`, {});
  await until(() => first.every((id) => attempted(id) >= 2));
  await change('three');
  await made('/v4/sandbox/clock/advance', { seconds: 600 });
  await until(() => first.every((id) => attempted(id) >= 3));

  for (const { body, text, headers } of receiver.received.filter(({ body: { id } }) => first.includes(id))) {
    expect([body.type, headers['webhook-attempt'], text]).toEqual([
      body.type,
      headers['webhook-attempt'],
      bytes.get(body.id),
    ]);
  }
  for (const id of first) expect(await shown(id)).toBe(routes.get(id));
  await until(() => TYPES.every((type) => typesSeen().has(type)));
});
