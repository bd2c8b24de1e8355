import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retryChanged } from '../../core/database/unit-of-work';
import { KeptElsewhere } from '../../core/cells/cells';
import { Wakers } from '../../core/clock/clock';
import { NotFound } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { Recurring } from '../../core/queue/recurring-jobs';
import { type CallbackRequest, heard } from '../../providers/answers';
import { checkDelayMs, needsPerson } from '../../providers/client';
import type { Look } from '../../providers/requeries';
import { Registry } from '../../providers/registry';
import { Routes } from '../../providers/routes';
import { asArrivalCallback, BankClient, keyOfAccountReference, maskNumber, shownName } from './bank-client';
import type { Deposit } from './deposit.entity';
import { type Came, DepositSettlement } from './deposit-settlement';
import { DepositStore, type Teller } from './deposit-store';
import { VirtualAccountRun } from './virtual-account-run';
import type {
  Arrival,
  ConfirmedArrival,
  ConfirmResult,
  ListQuestion,
  VirtualAccountProvider,
} from './virtual-accounts.provider';

/** Who is asked, or told. */
interface Asked {
  readonly name: string;
  readonly livemode: boolean;
}

const PRODUCT = 'virtual_accounts';
const DAY_MS = 24 * 3_600_000;
/** What a bank books later is found by a later list. */
const OVERLAP_MS = 7 * DAY_MS;

/** Only alarms: what the provider says later still counts. */
const NOT_CONFIRMED = 'the provider does not confirm it';
const NOT_GIVEN_BACK = 'the bank does not give it back';
const ALARMS: ReadonlySet<string> = new Set([NOT_CONFIRMED, NOT_GIVEN_BACK]);

const SELECT_SWEPT = `SELECT swept_until AS until FROM deposit_sweeps WHERE provider = $1 AND livemode = $2`;
const NOTE_SWEPT = `
  INSERT INTO deposit_sweeps (provider, livemode, swept_until) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT deposit_sweeps_pkey DO UPDATE SET swept_until = excluded.swept_until`;

const shown = ({ amount, currency }: Pick<Arrival, 'amount' | 'currency'>): string => `${currency} ${amount}`;

const isWhatCame = ({ amount, currency }: Deposit, found: ConfirmedArrival): boolean =>
  amount === found.amount && currency === found.currency;

/** What is kept of the payer's number is its end; nothing arrives tomorrow. */
const cameOf = ({ amount, currency, payer, fee, sessionId, arrivedAt }: ConfirmedArrival, now: Date): Came => ({
  amount,
  currency,
  payer: {
    name: shownName(payer.name),
    bank: payer.bank && shownName(payer.bank),
    account_number_masked: payer.accountNumber && maskNumber(payer.accountNumber),
  },
  providerFee: fee ?? null,
  sessionId,
  arrivedAt: arrivedAt < now ? arrivedAt : now,
});

/**
 * What becomes of transfers to virtual accounts. Whoever tells of one is not believed: it is recorded, and the provider
 * is asked. Only its definite word moves money; a clock never does.
 */
@Injectable()
export class DepositRun implements OnModuleInit {
  private readonly log = new Logger('deposits');

  constructor(
    private readonly registry: Registry,
    private readonly routes: Routes,
    private readonly dataSource: DataSource,
    private readonly bank: BankClient,
    private readonly accounts: VirtualAccountRun,
    private readonly store: DepositStore,
    private readonly settlement: DepositSettlement,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.store.include((key) => this.look(key, 1));
    this.wakers.include((accountId) => this.sweepTest(accountId));
  }

  /**
   * Takes what a provider says by itself. Returns once it is stored: whatever happens then, the provider is asked until
   * it answers. Throws `NotFound` for an unknown provider, `ForgedCallback`.
   */
  async receive(name: string, request: CallbackRequest): Promise<void> {
    const provider = this.registry.find<VirtualAccountProvider>(PRODUCT, name);
    if (provider === null) throw new NotFound('provider');
    const result = await heard(name, () => provider.adapter.verify(request), asArrivalCallback);
    if (result !== null) await this.take({ name, livemode: provider.mode === 'live' }, result.arrival, 'callback');
  }

  /** Asks every provider for what no callback told of. Run twice, it finds nothing the second time. */
  @Recurring({ name: 'deposits.sweep', everyMs: DAY_MS })
  async sweep(): Promise<void> {
    const routes = (await this.routes.list()).filter(({ product }) => product === PRODUCT);
    const names = new Map(routes.map((route) => [`${route.provider}/${route.livemode}`, route]));
    for (const { provider: name, livemode } of names.values()) {
      const startedAt = new Date();
      const [swept]: { until: Date }[] = await this.dataSource.query(SELECT_SWEPT, [name, livemode]);
      const since = new Date((swept?.until ?? startedAt).getTime() - OVERLAP_MS);
      const isWhole = await this.readList({ name, livemode }, { livemode, accountId: null, since });
      if (isWhole) await this.dataSource.query(NOTE_SWEPT, [name, livemode, startedAt]);
    }
  }

  /** Looks at a deposit now, whenever it is due. Throws `NotFound`. */
  look(key: Key, counts: Look['counts'] = 0): Promise<Deposit> {
    return retryChanged(async () => this.lookAt(await this.store.load(key), counts));
  }

  /** What the clock of an account's test mode brought. */
  private async sweepTest(accountId: string): Promise<void> {
    const question = { livemode: false, accountId, since: new Date(0) };
    const routes = (await this.routes.list()).filter((route) => route.product === PRODUCT && !route.livemode);
    for (const name of new Set(routes.map(({ provider }) => provider)))
      await this.readList({ name, livemode: false }, question);
  }

  /** False: the list has more that could not be read, or kept. */
  private async readList(by: Asked, question: Omit<ListQuestion, 'cursor'>): Promise<boolean> {
    let isWhole = true;
    for (let cursor: string | null = null; ;) {
      const page = await this.bank.list(by.name, { ...question, cursor });
      if (page.outcome !== 'listed') return false;
      for (const arrival of page.arrivals) {
        await this.take(by, arrival, 'list').catch((error: unknown) => {
          // Cells with one account at the provider are each shown what arrived for all.
          if (error instanceof KeptElsewhere) return;
          isWhole = false;
          this.log.error({ message: 'an arrival could not be kept', reference: arrival.providerReference, err: error });
        });
      }
      if (page.next === null || page.next === cursor) return isWhole;
      cursor = page.next;
    }
  }

  /** Keeps an arrival, and asks what is true of it. */
  private async take({ name, livemode }: Asked, arrival: Arrival, teller: Teller): Promise<void> {
    const key = keyOfAccountReference(arrival.account);
    const account = key && (await this.accounts.find({ ...key, livemode }));
    // Answered all the same: the provider would repeat it for ever.
    if (account?.provider !== name)
      return this.log.error({ message: 'a transfer is to no account of its provider', provider: name });
    const deposit = await this.store.note(account, arrival, teller);
    if (deposit === null) return;
    await this.look(deposit).catch((error: unknown) => {
      this.log.error({
        message: 'a deposit could not be looked at; the sweeper will',
        deposit: deposit.id,
        err: error,
      });
    });
  }

  private async lookAt(deposit: Deposit, counts: Look['counts']): Promise<Deposit> {
    const result = await this.bank.find(deposit);
    await this.store.answered(deposit, result);
    if (deposit.review !== null && !ALARMS.has(deposit.review)) return this.rest(deposit);
    const look = { now: await this.store.now(deposit), counts };
    if (result.outcome === 'received') return this.received(deposit, result, look);
    if (result.outcome === 'returned') return this.returned(deposit, result, look.now);
    return this.wait(deposit, result.outcome, look);
  }

  /** The provider has the money. */
  private async received(deposit: Deposit, result: ConfirmedArrival, look: Look): Promise<Deposit> {
    const { status, amount, review } = deposit;
    const isKnown = isWhatCame(deposit, result);
    if (isKnown && status === 'credited') return this.rest(deposit);
    if (isKnown && status === 'to_be_returned') {
      // Once a person is asked, who may have it credited, the bank is asked for it no more.
      const isForPerson = review !== null || needsPerson(nextOf(deposit, look).checks);
      if (!isForPerson) await this.bank.giveBack(deposit);
      return this.goOn(deposit, look);
    }
    const isNew = status === 'received' && (amount === null || isKnown);
    if (isNew) return this.settlement.settle({ ...deposit, review: null }, cameOf(result, look.now), result.account);
    return this.contradicted(deposit, `the provider now says that it has ${shown(result)}`, cameOf(result, look.now));
  }

  /** The provider had the money, and gave it back to the payer. */
  private async returned(deposit: Deposit, result: ConfirmedArrival, now: Date): Promise<Deposit> {
    const came = cameOf(result, now);
    const { status, amount } = deposit;
    if (status === 'returned' && isWhatCame(deposit, result)) return this.rest(deposit);
    const isExpected = status === 'to_be_returned' || status === 'received';
    if (isExpected && (amount === null || isWhatCame(deposit, result)))
      return this.store.step(deposit, { ...came, status: 'returned', review: null, nextCheckAt: null, checks: 0 });
    return this.contradicted(deposit, `the provider now says that it gave ${shown(result)} back`, came);
  }

  /** What was confirmed before stays. */
  private contradicted(deposit: Deposit, says: string, came: Came): Promise<Deposit> {
    const patch = deposit.amount === null ? came : {};
    return this.settlement.flag(deposit, `${deposit.status} before, and ${says}`, { patch });
  }

  private wait(deposit: Deposit, outcome: ConfirmResult['outcome'], look: Look): Promise<Deposit> {
    const { status, checks } = deposit;
    const isOpen = status === 'received' || status === 'to_be_returned';
    if (!isOpen && outcome === 'not_known' && status !== 'failed')
      return this.settlement.flag(deposit, `${status} before, and the provider now knows nothing of it`);
    if (!isOpen)
      return outcome === 'unknown' && !needsPerson(checks) ? this.askAgain(deposit, look) : this.rest(deposit);
    return this.goOn(deposit, look);
  }

  /** Asks again; after all the questions of the list a person is asked, too. */
  private goOn(deposit: Deposit, look: Look): Promise<Deposit> {
    const next = nextOf(deposit, look);
    if (!needsPerson(next.checks) || deposit.review !== null) return this.askAgain(deposit, look);
    const reason = deposit.status === 'received' ? NOT_CONFIRMED : NOT_GIVEN_BACK;
    return this.settlement.flag(deposit, reason, { patch: next });
  }

  private askAgain(deposit: Deposit, look: Look): Promise<Deposit> {
    // That somebody asks again is no change of it.
    return this.store.step(deposit, { ...nextOf(deposit, look), updatedAt: deposit.updatedAt });
  }

  /** Nothing is left to be asked. */
  private async rest(deposit: Deposit): Promise<Deposit> {
    return deposit.nextCheckAt === null
      ? deposit
      : this.store.step(deposit, { nextCheckAt: null, updatedAt: deposit.updatedAt });
  }
}

const nextOf = ({ checks }: Deposit, { now, counts }: Look) => ({
  checks: checks + counts,
  nextCheckAt: new Date(now.getTime() + checkDelayMs(checks)),
});
