import { hash } from 'node:crypto';
import type { Books } from './books';
import type { Call, Findings } from './contradiction';
import { type Effects, type Leg, TOLD } from './effects';
import type { EventSeen } from './form';

const ENDS = new Set(['transaction.successful', 'transaction.failed', 'transaction.cancelled', 'transaction.reversed']);

export type Channel = keyof typeof TOLD;
const CHANNELS = Object.keys(TOLD) as Channel[];

/** An event: a digest of what it says, who was told it first, and what it is about. */
interface Told {
  readonly digest: string;
  readonly call: Call;
  feed: boolean;
  webhooks: boolean;
  readonly arrival: { readonly id: string; readonly amount: string; readonly wallet: string } | undefined;
  /** The transaction that it tells to have ended. */
  readonly ended: string | null;
  readonly transfer: string | null;
}

/** What was told, by webhooks and to those who follow the feed. */
export class Events {
  private readonly told = new Map<string, Told>();
  private readonly feeds = new Map<string, { order: string[]; places: Map<string, number> }>();
  /** Where in the feed each reader is. */
  private readonly readers = new Map<string, number>();
  constructor(
    private readonly findings: Findings,
    private readonly effects: Effects,
    private readonly books: Books,
  ) {}

  sawFeed(reader: string, events: readonly EventSeen[], call: Call): void {
    for (const event of events) {
      this.follow(reader, event, call);
      this.saw(event, 'feed', call);
    }
  }

  /** Whoever follows from the beginning sees what everybody sees, one after the other. */
  private follow(reader: string, { id }: EventSeen, call: Call): void {
    let feed = this.feeds.get(call.account);
    if (feed === undefined) this.feeds.set(call.account, (feed = { order: [], places: new Map() }));
    const name = `${call.account} ${reader}`;
    const place = this.readers.get(name) ?? 0;
    this.readers.set(name, place + 1);
    if (feed.order[place] === id) return;
    if (place === feed.order.length && !feed.places.has(id)) {
      feed.places.set(id, place);
      feed.order.push(id);
    } else {
      const other = feed.order[place] ?? 'nothing';
      this.findings.add(
        'event-order',
        `${reader} is told ${id} as number ${place}, where ${other} was told before.`,
        call,
      );
      this.readers.set(name, (feed.places.get(id) ?? place) + 1);
    }
  }

  saw(event: EventSeen, channel: Channel, call: Call): void {
    const digest = hash('sha1', JSON.stringify(event), 'base64');
    const known = this.told.get(event.id);
    if (known?.digest === digest) {
      known[channel] = true;
      return;
    }
    if (known !== undefined)
      this.findings.add('event-differs', `${event.id} said something else before.`, known.call, call);
    const { transaction, transfer, credited } = event;
    const arrival = credited && { id: credited.transaction, amount: credited.amount, wallet: credited.id };
    const ended = transaction && ENDS.has(event.type) ? transaction.id : null;
    const transferId = transfer?.id ?? null;
    const told: Told = { digest, call, feed: false, webhooks: false, arrival, ended, transfer: transferId };
    told[channel] = true;
    this.told.set(event.id, told);
    if (transaction) this.effects.sawTransaction(transaction, call, 'event');
    if (transfer) this.effects.sawTransfer(transfer, call, 'event');
    if (credited) this.books.sawWallet(credited, call);
    const status = (transaction ?? transfer)?.status;
    if (status !== undefined) this.checkStatus(event, status, call);
  }

  private checkStatus({ id, type }: EventSeen, status: string, call: Call): void {
    const told = type.slice(type.indexOf('.') + 1);
    if (['successful', 'failed', 'cancelled', 'reversed', 'processing'].includes(told) && told !== status)
      this.findings.add('event-differs', `${id} is ${type} about something that is ${status}.`, call);
  }

  /** Once all is read. `whole`: what was waited for. */
  conclude(whole: readonly Channel[], end: Call): void {
    for (const told of this.told.values()) {
      if (told.arrival) this.checkArrival(told, told.arrival);
      for (const channel of CHANNELS) if (told[channel]) this.mark(told, channel);
    }
    for (const channel of whole) for (const leg of this.effects.legs.values()) this.checkTold(leg, channel, end);
  }

  private checkArrival({ call }: Told, { id, amount, wallet }: NonNullable<Told['arrival']>): void {
    const leg = this.effects.legs.get(id);
    const what = `${amount} is told to have arrived in ${wallet} by ${id}`;
    if (leg === undefined) this.findings.add('event-for-nothing', `${what}, of which nobody else tells.`, call);
    else if (leg.total !== amount || leg.wallet !== wallet || leg.moves !== 'in')
      this.findings.add('event-differs', `${what}, which is ${leg.text}.`, leg.known, call);
  }

  private mark({ arrival, ended, transfer }: Told, channel: Channel): void {
    const { legs, transfers } = this.effects;
    const bits = TOLD[channel];
    const tell = (id: string | null | undefined, bit: number): void => {
      const leg = legs.get(id ?? '');
      if (leg !== undefined) leg.told |= bit;
    };
    tell(arrival?.id, bits.arrival);
    tell(ended, bits.transaction);
    if (transfer !== null) tell(transfers.get(transfer)!.seen.debit, bits.transfer);
  }

  private checkTold(leg: Leg, channel: Channel, end: Call): void {
    if (leg.ended === null || leg.reverses !== null || !leg.isShown) return;
    const { transaction, transfer, arrival } = TOLD[channel];
    const wanted = { in: arrival, out: transfer, hold: transaction }[leg.moves];
    if ((leg.told & wanted) === 0)
      this.findings.add(
        'event-lost',
        `${leg.text} is ${leg.latest!.status}, and no event of the ${channel} tells it.`,
        leg.known,
        end,
      );
  }
}
