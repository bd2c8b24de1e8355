import { Strikes } from '../cards/strikes';
import { Pace } from '../purchases/pace';
import { Callbacks } from './callbacks';
import { Cards } from './cards';
import { Failures } from './failures';
import { Mischief } from './mischief';
import { Orders } from './orders';
import { Payments } from './payments';
import { lookAgain, settle, settleElsewhere } from './settling';
import { SIZE } from './sizes';
import type { Stage } from './stage';
import { StripeEvents } from './stripe-events';

/** How long everything takes to come in, for each kill. */
const KILL_MS = 5_000;

/** What clients, companies and killers do. */
export class Play {
  readonly callbacks: Callbacks;
  readonly failures: Failures;
  readonly mischief: Mischief;
  readonly events: StripeEvents;
  readonly orders: Orders;
  readonly payments: Payments;
  readonly cards: Cards;
  readonly strikes: Strikes;
  private readonly paces: readonly [orders: Pace, payments: Pace, cards: Pace];

  constructor(private readonly stage: Stage) {
    const { market, fleet, wire, client, customer, purses } = stage;
    const durationMs = (SIZE.kills + 2 * SIZE.postgresKills) * KILL_MS;
    const paceOf = (many: number): Pace => new Pace(many, durationMs);
    this.paces = [paceOf(SIZE.orders), paceOf(SIZE.payments), paceOf(SIZE.cards)];
    const [orderPace, paymentPace, cardPace] = this.paces;
    const { desks, gateways, stripe, companies } = market;
    this.callbacks = new Callbacks(fleet.urls);
    this.failures = new Failures(companies, this.callbacks);
    this.mischief = new Mischief(desks, this.callbacks);
    this.events = new StripeEvents(stripe, this.callbacks);
    this.orders = new Orders(client, purses.orders.wallet, SIZE.orders, orderPace);
    const asked = { wallet: purses.payments.wallet, payments: SIZE.payments, pace: paymentPace };
    this.payments = new Payments(client, this.callbacks, gateways, asked);
    const issued = { wallet: purses.cards.wallet, customer, cards: SIZE.cards, pace: cardPace };
    this.cards = new Cards(client, stripe, issued);
    const kills = { operations: SIZE.orders, apiKills: SIZE.kills, postgresKills: SIZE.postgresKills };
    this.strikes = new Strikes({ fleet, wire, clients: this.orders }, kills);
  }

  /** Until everything has ended; says what has not. */
  async run(): Promise<string[]> {
    this.failures.start();
    this.mischief.start();
    this.events.start();
    const killing = this.strikes.run().finally(() => {
      for (const pace of this.paces) pace.areKillsOver = true;
    });
    await Promise.all([this.orders.run(), this.payments.run(), this.cards.run(), killing]);
    this.failures.end();
    await this.mischief.end();
    return this.settle();
  }

  private async settle(): Promise<string[]> {
    const { db } = this.stage;
    const [unheard, elsewhere, waiting] = await Promise.all([
      this.events.end(),
      settleElsewhere(db),
      settle(db, this.orders),
    ]);
    await this.mischief.remind();
    return [...unheard, ...elsewhere, ...waiting, ...(await lookAgain(db)), ...(await settle(db, this.orders))];
  }
}
