import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { ReadPipeline } from '../../core/database/pipeline';
import { DomainError, FieldRefused, found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { Presents, type Viewer } from '../../core/resources/resources';
import { fieldsOf, unknownOf, type UnknownOutcome } from '../../providers/answers';
import { Client } from '../../providers/client';
import { ProviderUnavailable, Routes } from '../../providers/routes';
import { Bank, type BankFilters, BankResolution, type OfferedBank } from './bank.entity';
import { BankResolutionDto } from './payout.dto';
import type { BankAccount, NameResult, PayoutProvider } from './payouts.provider';
import { SANDBOX_ACCOUNTS } from './providers/sandbox/sandbox.provider';

const GOOD_FOR_MS = 15 * 60_000;
const ANSWER_WITHIN_MS = 10_000;
const NAME_MAX = 200;
const TEST_NUMBER = new RegExp(SANDBOX_ACCOUNTS.pattern);

const SELECT_BANK = {
  name: 'select_bank',
  text: `SELECT code, name, country, currency, kind, account_pattern AS "accountPattern", enabled
           FROM banks WHERE code = $1`,
};

/** The last that was said of an account: owner, mode, bank, number. */
const SELECT_NAME = {
  name: 'select_bank_account_name',
  text: `SELECT account_name AS "accountName", expires_at AS "expiresAt" FROM bank_resolutions
          WHERE account_id = $1 AND livemode = $2 AND bank_code = $3 AND account_number = $4
          ORDER BY id DESC LIMIT 1`,
};

/** Where money can be sent, and whose accounts are there. */
@Injectable()
export class BanksService {
  constructor(
    @InjectRepository(Bank) private readonly banks: Repository<Bank>,
    @InjectRepository(BankResolution) private readonly resolutions: Repository<BankResolution>,
    private readonly reads: ReadPipeline,
    private readonly routes: Routes,
    private readonly client: Client,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  /** By code, behind the code `after`. */
  async list(viewer: Viewer, { country, q }: BankFilters, after: string | null, take: number): Promise<OfferedBank[]> {
    const query = this.banks
      .createQueryBuilder('b')
      .where({ ...(country && { country }), ...(after && { code: MoreThan(after) }) })
      .orderBy('b.code')
      .take(take);
    if (q) query.andWhere('(strpos(lower(b.name), lower(:q)) > 0 OR b.code = :q)', { q });
    return Promise.all((await query.getMany()).map((bank) => this.offer(viewer, bank)));
  }

  /** The bank of an account that may exist. Throws `NotFound`, `InvalidAccountNumber`. */
  async requireFor({ livemode }: Viewer, { bankCode, accountNumber }: BankAccount, param: string): Promise<Bank> {
    const { rows } = await this.reads.query<Bank>(SELECT_BANK, [bankCode]);
    const bank = found(rows[0], 'bank', param === '' ? '/bank_code' : `${param}/code`);
    if (!new RegExp(bank.accountPattern).test(accountNumber))
      throw new InvalidAccountNumber(param, `An account number at ${bank.name} has the form ${bank.accountPattern}.`);
    if (livemode && TEST_NUMBER.test(accountNumber))
      throw new InvalidAccountNumber(param, `${accountNumber} is a test number: it exists in test mode only.`);
    return bank;
  }

  /**
   * Asks the bank whose account it is. Throws `NotFound`, `InvalidAccountNumber`, `AccountNotFound`,
   * `ProviderUnavailable`, `IdempotencyKeyReused`.
   */
  async resolve(caller: Caller, asked: BankAccount, request: RequestClaim): Promise<Made<BankResolution>> {
    const { accountId, livemode } = caller;
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: null,
      resource: 'res',
      resourceId: newIdOf(accountId),
    } as const;
    // The bank is asked outside of the transaction that claims the key: a repetition must not ask it again.
    const seen = await this.idempotency.replayOf(claim);
    if (seen) return { made: await this.require(caller, seen.resourceId), replayedBy: seen.by };
    const bank = await this.requireFor(caller, asked, '');
    const resolution = { ...(await this.ask(caller, bank, asked, '')), id: claim.resourceId };
    const replay = await this.idempotency.once(claim, async (tx) => void (await tx.insert(BankResolution, resolution)));
    return {
      made: replay ? await this.require(caller, replay.resourceId) : resolution,
      replayedBy: replay?.by ?? null,
    };
  }

  /** The caller's resolution. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<BankResolution> {
    return found(
      id === null ? null : await this.resolutions.findOneBy({ accountId, livemode, id }),
      'bank account resolution',
    );
  }

  @Presents('res', 'payouts:read')
  async present(viewer: Viewer, id: string): Promise<BankResolutionDto> {
    return BankResolutionDto.of(await this.require(viewer, id));
  }

  /** Whose account it is: as it was said a moment ago, else the bank is asked now, and kept. Throws as `resolve`. */
  async nameOf(viewer: Viewer, bank: Bank, account: BankAccount, isKept: boolean): Promise<string> {
    const { accountId, livemode } = viewer;
    const { bankCode, accountNumber } = account;
    const said = [accountId, livemode, bankCode, accountNumber];
    const [known] = (await this.reads.query<Pick<BankResolution, 'accountName' | 'expiresAt'>>(SELECT_NAME, said)).rows;
    if (known && known.expiresAt > (await this.clock.now(viewer))) return known.accountName;
    const resolution = await this.ask(viewer, bank, account, '/bank');
    if (isKept) await this.resolutions.insert(resolution);
    return resolution.accountName;
  }

  private async offer(viewer: Viewer, bank: Bank): Promise<OfferedBank> {
    const wanted = { ...viewer, product: 'payout', network: bank.code } as const;
    return { ...bank, available: bank.enabled && (await this.routes.isAvailable(wanted)) };
  }

  /** One provider after the other, until one reaches the bank: a question may be repeated. */
  private async ask(viewer: Viewer, bank: Bank, asked: BankAccount, param: string): Promise<BankResolution> {
    const { accountId, livemode } = viewer;
    const { bankCode, accountNumber } = asked;
    const wanted = { accountId, livemode, product: 'payout', network: bank.code } as const;
    for (const { name: provider } of bank.enabled ? await this.routes.inOrder(wanted) : []) {
      const result = await this.client.ask<PayoutProvider, NameResult | UnknownOutcome>(
        { ...wanted, provider, id: bank.code },
        {
          call: 'resolve',
          ask: (adapter, signal) => adapter.resolve({ bankCode, accountNumber, livemode }, signal),
          parse: asNameResult,
          timeoutMs: ANSWER_WITHIN_MS,
        },
      );
      if (result.outcome === 'not_found') throw new AccountNotFound(bank.name, param);
      if (result.outcome !== 'found') continue;
      const expiresAt = new Date((await this.clock.now(viewer)).getTime() + GOOD_FOR_MS);
      const { accountName } = result;
      return { accountId, livemode, id: newIdOf(accountId), bankCode, accountNumber, accountName, provider, expiresAt };
    }
    throw new ProviderUnavailable(`${bank.name} cannot be reached`);
  }
}

/** What an adapter returned: anything that is not one of the answers is `unknown`. */
function asNameResult(value: unknown): NameResult | UnknownOutcome {
  const given = fieldsOf(value);
  const { outcome, accountName } = given;
  const isName = typeof accountName === 'string' && accountName.length > 0 && accountName.length <= NAME_MAX;
  if (outcome === 'found' && isName && !accountName.includes('\0')) return { outcome, accountName };
  return outcome === 'not_found' || outcome === 'unavailable' ? { outcome } : unknownOf(given);
}

class InvalidAccountNumber extends FieldRefused {
  constructor(param: string, detail: string) {
    super(`${param}/account_number`, detail, { code: 'invalid_account_number', title: 'Invalid account number' });
  }
}

class AccountNotFound extends DomainError {
  constructor(bankName: string, param: string) {
    super({
      code: 'account_not_found',
      kind: 'unprocessable',
      title: 'Bank account not found',
      param: `${param}/account_number`,
      detail: `${bankName} has no such account.`,
    });
  }
}
