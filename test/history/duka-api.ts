import type { Answer, Ask, EntrySeen, EventSeen, Kind, TransactionSeen, TransferSeen, WalletSeen } from './form';

// What a history says, in the words of the public API and back. The checker knows nothing of it.

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

const get = (path: string): Request => ({ method: 'GET', path });
const post = (path: string, body: object = {}): Request => ({ method: 'POST', path, body });

/** Rows of a page: of a walk through all of it, and of a look at the newest entries. */
const [PAGE, LOOK] = [100, 10];

export function requestOf(kind: Kind, ask: Ask, key: string, cursor?: string): Request {
  const reference = { reference: key };
  const page = `limit=${PAGE}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
  const amount = Number(ask.amount);
  switch (kind) {
    case 'open':
      return post('/v4/wallets', { currency: ask.currency });
    case 'change':
      return { method: 'PATCH', path: `/v4/wallets/${ask.wallet}`, body: { label: ask.what } };
    case 'credit':
      return post(`/v4/sandbox/wallets/${ask.wallet}/credit`, { amount, ...reference });
    case 'transfer':
      return post('/v4/wallets/transfer', { from_wallet: ask.from, to_wallet: ask.to, amount, ...reference });
    case 'purchase':
      return post('/v4/airtime/purchase', {
        wallet_id: ask.wallet,
        amount,
        phone: ask.what,
        network: 'mtn',
        ...reference,
      });
    case 'settle':
      return post(`/v4/sandbox/transactions/${ask.transaction}/settle`, { status: ask.status });
    case 'wallet':
      return get(`/v4/wallets/${ask.wallet}`);
    case 'wallets':
      return get(`/v4/wallets?${page}`);
    case 'entries':
      return get(`/v4/wallets/${ask.wallet}/entries?${ask.walk === undefined ? `limit=${LOOK}` : page}`);
    case 'transactions':
      return get(`/v4/transactions?wallet_id=${ask.wallet}&${page}`);
    case 'transaction':
      return get(`/v4/transactions/${ask.transaction}`);
    case 'statement':
      // Also what a clock that was ahead has written.
      return get(`/v4/wallets/${ask.wallet}/statement?to=2099-01-01`);
    case 'holds':
      return get(`/v4/wallets/${ask.wallet}/holds`);
    case 'lookup':
      return get(`/v4/idempotency/${ask.of}`);
    case 'events':
      return get(`/v4/events?order=asc&limit=${PAGE}${cursor === undefined ? '' : `&after=${cursor}`}`);
  }
}

export function answerOf(kind: Kind, body: any): Answer {
  const more = body.has_more;
  switch (kind) {
    case 'open':
    case 'change':
    case 'wallet':
      return { wallet: walletOf(body) };
    case 'credit':
    case 'purchase':
    case 'settle':
    case 'transaction':
      return { transaction: transactionOf(body) };
    case 'transfer':
      return { transfer: transferOf(body) };
    case 'wallets':
      return { wallets: body.data.map(walletOf), more };
    case 'entries':
      return { entries: body.data.map(entryOf), more };
    case 'transactions':
      return { transactions: body.data.map(transactionOf), more };
    case 'statement':
      return { opening: String(body.opening), closing: String(body.closing), lines: body.data.map(lineOf) };
    case 'holds':
      return { held: String(body.held), holds: body.data.map(holdOf), more };
    case 'lookup':
      return { seen: body.status !== 'not_seen', ...objectOf(body.resource) };
    case 'events':
      return { events: body.data.map(eventOf).filter((event: EventSeen | null) => event !== null), more };
  }
}

const walletOf = ({ id, balance, version, credit_limit: limit }: any): WalletSeen => ({
  id,
  available: String(balance.available),
  held: String(balance.held),
  ledger: String(balance.ledger),
  version,
  ...(limit > 0 && { limit: String(limit) }),
});

function transactionOf(body: any): TransactionSeen {
  const { id, type, direction, wallet_id: wallet, amount, total, status, version, balance_after: after } = body;
  return {
    id,
    wallet,
    moves: direction === 'credit' ? 'in' : type === 'transfer_out' ? 'out' : 'hold',
    amount: String(amount),
    total: String(total),
    status,
    version,
    reference: body.reference ?? body.details.sender_reference ?? null,
    after: after === null ? null : String(after),
    ...(body.reverses && { reverses: body.reverses }),
  };
}

const transferOf = ({ id, from_wallet: from, to_wallet: to, amount, fee, status, ...more }: any): TransferSeen => ({
  id,
  from,
  to,
  amount: String(amount),
  fee: String(fee),
  status,
  debit: more.transactions.debit,
  credit: more.transactions.credit,
  reference: more.reference,
});

const entryOf = ({ sequence, bucket, amount, balance_after: after, transaction_id: transaction }: any): EntrySeen => ({
  sequence,
  bucket,
  amount: String(amount),
  after: String(after),
  transaction,
});

const lineOf = (line: any) => ({
  transaction: line.transaction_id,
  in: String(line.in),
  out: String(line.out),
  balance: String(line.balance),
});

const holdOf = ({ transaction_id: transaction, amount }: any) => ({ transaction, amount: String(amount) });

function objectOf(body: any): Pick<Answer, 'transaction' | 'transfer'> {
  if (body?.object === 'transaction') return { transaction: transactionOf(body) };
  return body?.object === 'transfer' ? { transfer: transferOf(body) } : {};
}

/** Null: about something that no order of a history makes. */
export function eventOf({ id, type, data }: any): EventSeen | null {
  const { object } = data;
  if (type === 'wallet.credited') {
    const { transaction_id: transaction, amount } = object;
    return { id, type, credited: { ...walletOf(object), transaction, amount: String(amount) } };
  }
  const about = objectOf(object);
  return about.transaction === undefined && about.transfer === undefined ? null : { id, type, ...about };
}
