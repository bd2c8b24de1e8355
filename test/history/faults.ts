import type { Reason } from './contradiction';
import type { Mutable } from './mutable';

/** What a faulty service would have shown, planted into a recorded history, and what the checker must say of it. */
export const FAULTS: Record<string, { reason: Reason; plant: (history: Mutable) => void }> = {
  'a commit that was acknowledged is lost': { reason: 'lost-effect', plant: (h) => forget(h) },
  'an effect is doubled': {
    reason: 'doubled-effect',
    plant: (h) => h.post(h.last.from, 'available', -1, { transaction: h.last.debit }),
  },
  'a read is stale': {
    reason: 'stale-read',
    plant: (h) => {
      const { from: wallet, heard } = h.last;
      h.insert(heard, 'behind', { kind: 'wallet', ask: { wallet } }, ok({ wallet: h.walletBefore(wallet) }));
    },
  },
  'somebody does not read what they wrote': {
    reason: 'own-write-lost',
    plant: (h) => {
      const { from: wallet, heard } = h.last;
      const reader = { client: 'closer', kind: 'wallet', ask: { wallet } } as const;
      h.insert(heard, 'behind', reader, ok({ wallet: h.walletBefore(wallet) }));
    },
  },
  'somebody reads something older than before': {
    reason: 'non-monotonic-read',
    plant: (h) => {
      const [wallet, end] = [otherWallet(h), h.lines.at(-1)];
      h.insert(end, 'before', { kind: 'wallet', ask: { wallet } }, ok({ wallet: h.wallet(wallet) }));
      h.insert(end, 'before', { kind: 'wallet', ask: { wallet } }, ok({ wallet: h.walletBefore(wallet) }));
    },
  },
  'a request is refused and takes place': {
    reason: 'refused-yet-applied',
    plant: (h) => {
      const { heard } = h.last;
      Object.assign(heard, { heard: 402, code: 'insufficient_funds' });
      delete heard.answer;
    },
  },
  'money is made in a snapshot': {
    reason: 'money-made',
    plant: (h) => {
      const [seen] = h.read('wallets').answer.wallets;
      Object.assign(seen, { available: plus(seen.available, 100), ledger: plus(seen.ledger, 100) });
    },
  },
  'a snapshot has one side of a transfer': {
    reason: 'money-made',
    plant: (h) => {
      const { sent, to } = h.last;
      const before = h.walletBefore(to);
      const wallets = h.read('wallets').answer.wallets.map((seen: any) => (seen.id === to ? before : seen));
      // It began before the transfer did, and was answered with it: each side alone may be in it.
      h.insert(sent, 'before', { kind: 'wallets', ask: {} }, ok({ wallets, more: false }));
      const at = h.lines.indexOf(sent);
      const [heard] = h.lines.splice(at - 1, 1);
      h.lines.splice(at, 0, Object.assign(heard, { at: sent.at }));
    },
  },
  'an event is lost': {
    reason: 'event-lost',
    plant: (h) => {
      const { id } = h.last;
      h.dropEvents(({ transfer }) => transfer?.id === id);
    },
  },
  'an event of an arrival is lost': {
    reason: 'event-lost',
    plant: (h) => {
      const { credit } = h.last;
      h.dropEvents(({ credited }) => credited?.transaction === credit);
    },
  },
  'an event tells what was not': {
    reason: 'event-for-nothing',
    plant: (h) => {
      const events = lastEvents(h);
      const { transfer } = events.find((event) => event.transfer);
      const about = { ...transfer, id: 'trf_x', debit: 'txn_x', credit: 'txn_y', reference: null };
      events.push({ id: 'evt_x', type: 'transfer.successful', transfer: about });
    },
  },
  'an event tells what was refused': {
    reason: 'event-for-nothing',
    plant: (h) => {
      const { heard } = h.last;
      Object.assign(heard, { heard: 402, code: 'insufficient_funds' });
      forget(h, false);
      delete heard.answer;
    },
  },
  'an event tells something else': {
    reason: 'event-differs',
    plant: (h) => {
      const { id } = h.last;
      for (const { transfer } of lastEvents(h)) if (transfer?.id === id) transfer.amount = '2';
    },
  },
  'two followers are told in another order': {
    reason: 'event-order',
    plant: (h) => {
      const first = [...h.answersTo('events')].find(({ answer }) => answer.events.length > 1)!;
      first.answer.events.reverse();
    },
  },
  'a key that is used twice has two effects': {
    reason: 'key-two-effects',
    plant: (h) => {
      const { from, to } = h.last;
      again(h);
      h.post(from, 'available', -1, { transaction: 'txn_x' });
      h.post(to, 'available', 1, { transaction: 'txn_y' });
    },
  },
  'the answer to a key changes': { reason: 'key-answer-changed', plant: (h) => again(h) },
  'the answer to a key becomes a refusal': {
    reason: 'key-answer-changed',
    plant: (h) => {
      const { sent, heard } = h.last;
      const { sent: kind, ask, key } = sent;
      h.insert(heard, 'behind', { kind, ask, key }, { heard: 402, code: 'insufficient_funds' });
    },
  },
  'another request under a used key is carried out': {
    reason: 'other-body-answered',
    plant: (h) => {
      const { sent, heard } = h.last;
      const { sent: kind, ask, key } = sent;
      const transfer = { ...heard.answer.transfer, amount: '2' };
      h.insert(heard, 'behind', { kind, ask: { ...ask, amount: '2' }, key }, ok({ transfer }));
    },
  },
  'a wallet has less than nothing': {
    reason: 'balance-negative',
    plant: (h) => {
      const { from, to, heard } = h.last;
      const amount = Number(h.wallet(from).available) + 5;
      const made = { id: 'trf_x', from, to, amount: `${amount}`, fee: '0', debit: 'txn_x', credit: 'txn_y' };
      const transfer = { ...made, status: 'successful', reference: 'key-x' };
      const order = { kind: 'transfer', ask: { from, to, amount: `${amount}` }, key: 'key-x' } as const;
      h.insert(heard, 'behind', order, ok({ transfer }));
      h.post(from, 'available', -amount, { transaction: 'txn_x' });
      h.post(to, 'available', amount, { transaction: 'txn_y' });
    },
  },
  'held money comes back twice': {
    reason: 'released-twice',
    plant: (h) => {
      const { id, wallet, total } = givenBack(h);
      h.post(wallet, 'held', -Number(total), { transaction: id });
      h.post(wallet, 'available', Number(total), { transaction: id });
    },
  },
  'a transfer is debited and not credited': {
    reason: 'half-transfer',
    plant: (h) => h.takeBack(h.last.to, { transaction: h.last.credit }),
  },
  'an entry is missing': {
    reason: 'entry-gap',
    plant: (h) => void h.read('entries', h.last.from).answer.entries.splice(1, 1),
  },
  'an entry is listed twice': {
    reason: 'entry-doubled',
    plant: (h) => {
      const { entries } = h.read('entries', h.last.from).answer;
      entries.splice(1, 0, entries[1]);
    },
  },
  'an entry does not continue the balance': {
    reason: 'entry-sum',
    plant: (h) => {
      const [entry] = h.read('entries', h.last.from).answer.entries;
      entry.after = plus(entry.after, 7);
    },
  },
  'an entry becomes another one': {
    reason: 'entry-changed',
    plant: (h) => {
      const { sent, answer } = h.read('entries', h.last.from);
      const entries = structuredClone(answer.entries).slice(0, 3);
      entries[0].amount = '-2';
      h.insert(
        h.lines.at(-1),
        'before',
        { kind: 'entries', ask: { wallet: sent.ask.wallet } },
        ok({ entries, more: true }),
      );
    },
  },
  'something is seen before it was asked for': {
    reason: 'time-travel',
    plant: (h) => {
      const { from: wallet, sent } = h.last;
      h.insert(sent, 'before', { kind: 'wallet', ask: { wallet } }, ok({ wallet: h.wallet(wallet) }));
    },
  },
  'what came later is booked before': {
    reason: 'against-time',
    plant: (h) => {
      const { entries } = h.read('entries', h.last.to).answer;
      const at = entries.findIndex(({ bucket }: any, i: number) => i > 0 && bucket === 'available');
      // The last one takes the number of that one; those between move up.
      const [last] = entries.splice(0, 1);
      entries.splice(at, 0, last);
      const numbers = entries.length;
      const top = entries.reduce((most: number, { sequence }: any) => Math.max(most, sequence), 0);
      const before: Record<string, number> = {};
      for (let i = numbers - 1; i >= 0; i--) {
        const entry = entries[i];
        const known = before[entry.bucket];
        if (known !== undefined) entry.after = `${known + Number(entry.amount)}`;
        before[entry.bucket] = Number(entry.after);
        entry.sequence = top - i;
      }
    },
  },
  'what was sold is given back': {
    reason: 'ended-otherwise',
    plant: (h) => {
      const row = sold(h);
      const now = { ...row, status: 'failed' };
      h.insert(
        h.lines.at(-1),
        'before',
        { kind: 'transaction', ask: { transaction: row.id } },
        ok({ transaction: now }),
      );
    },
  },
  'what was answered as sold is given back in the books': {
    reason: 'ended-otherwise',
    plant: (h) => {
      const { id, wallet, total } = sold(h);
      h.post(wallet, 'available', Number(total), { transaction: id });
    },
  },
  'what has ended is under way again': {
    reason: 'went-back',
    plant: (h) => {
      const row = sold(h);
      const transaction = { ...row, status: 'processing', version: 1 };
      h.insert(h.lines.at(-1), 'before', { kind: 'transaction', ask: { transaction: row.id } }, ok({ transaction }));
    },
  },
  'an unknown effect is seen, and then not': {
    reason: 'seen-then-unseen',
    plant: (h) => {
      const { sent, heard, transfer } = { ...h.last, transfer: h.last.heard.answer.transfer };
      forget(h);
      delete heard.answer;
      delete heard.heard;
      heard.lost = 'ECONNRESET';
      const ask = { of: sent.key };
      h.insert(heard, 'behind', { client: 'one', kind: 'lookup', ask }, ok({ seen: true, transfer }));
      h.insert(h.lines.at(-1), 'before', { client: 'two', kind: 'lookup', ask }, ok({ seen: false }));
    },
  },
  'something happens that nobody asked for': {
    reason: 'unasked-effect',
    plant: (h) => h.post(h.last.to, 'available', 500, { transaction: 'txn_x' }),
  },
  'a listing shows another amount': {
    reason: 'content-differs',
    plant: (h) => {
      const [row] = h.read('transactions', h.last.to).answer.transactions;
      row.total = '2';
    },
  },
};

const ok = (answer: any) => ({ heard: 200, answer });

const plus = (amount: string, more: number): string => `${Number(amount) + more}`;

/** As if the last transfer had never been, from its answer on. */
function forget(h: Mutable, withEvents = true): void {
  const { id, from, to, debit, credit } = h.last;
  const parts = [debit, credit];
  h.takeBack(from, { transaction: debit });
  h.takeBack(to, { transaction: credit });
  if (withEvents)
    h.dropEvents(
      ({ transfer, transaction, credited }) =>
        transfer?.id === id || parts.includes(transaction?.id) || parts.includes(credited?.transaction),
    );
}

/** The last transfer is sent once more, and makes another one. */
function again(h: Mutable): void {
  const { sent, heard } = h.last;
  const { sent: kind, ask, key } = sent;
  const transfer = { ...heard.answer.transfer, id: 'trf_x', debit: 'txn_x', credit: 'txn_y' };
  h.insert(heard, 'behind', { kind, ask, key }, ok({ transfer }));
}

const otherWallet = (h: Mutable): string =>
  h.read('wallets').answer.wallets.find(({ id }: any) => id !== h.last.from && id !== h.last.to && isUsed(h, id)).id;

const isUsed = (h: Mutable, id: string): boolean =>
  [...h.closing()].some(({ sent, answer }) => sent.ask.wallet === id && (answer.entries?.length ?? 0) > 0);

const lastEvents = (h: Mutable): any[] => [...h.answersTo('events')].at(-1)!.answer.events;

function* rows(h: Mutable): Generator<any> {
  for (const { answer } of h.closing()) yield* answer.transactions ?? [];
}

const sold = (h: Mutable): any => [...rows(h)].find(({ moves, status }) => moves === 'hold' && status === 'successful');

/** A purchase that came to nothing, where its wallet holds as much for others. */
const givenBack = (h: Mutable): any =>
  [...rows(h)].find(
    ({ moves, status, wallet, total }) =>
      moves === 'hold' && status === 'failed' && Number(h.wallet(wallet).held) >= Number(total),
  );
