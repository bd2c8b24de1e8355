import { Injectable } from '@nestjs/common';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { InsufficientScope } from '../../core/errors/insufficient-scope';
import { NotFound } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, type IdPrefix } from '../../core/http/ids';
import { Resources } from '../../core/resources/resources';
import { TransactionsService } from '../transactions/transactions.service';

type Seeker = Pick<Caller, 'accountId' | 'livemode' | 'scopes'>;

export interface Hit {
  readonly id: string;
  /** `transaction`, `wallet`, … as in the field `object`. */
  readonly type: string;
}

const HITS_MAX = 20;
const ID = /^([a-z]{3,4})_[0-9a-z]{26}$/;
/** Where a number without a country is looked for. */
const COUNTRY = 'NG';

/** Finds things by what people have in hand: an id, their own reference, a phone or meter number. */
@Injectable()
export class SearchService {
  constructor(
    private readonly resources: Resources,
    private readonly transactions: TransactionsService,
  ) {}

  async find(seeker: Seeker, text: string): Promise<Hit[]> {
    const named = await this.findById(seeker, text);
    if (named !== null || text.includes('\0')) return named === null ? [] : [named];
    if (!this.resources.isReadable(seeker, 'txn')) return [];
    const phone = parsePhoneNumberFromString(text, COUNTRY)?.number;
    const recipients = [...new Set([text, ...(phone === undefined ? [] : [phone as string])])];
    const found = await Promise.all([
      this.transactions.list(seeker, { reference: text }, null, HITS_MAX),
      ...recipients.map((recipient) => this.transactions.list(seeker, { recipient }, null, HITS_MAX)),
    ]);
    const ids = [...new Set(found.flat().map(({ id }) => id))].sort().reverse();
    return ids.slice(0, HITS_MAX).map((id) => ({ id: encodeId('txn', id), type: 'transaction' }));
  }

  private async findById(seeker: Seeker, text: string): Promise<Hit | null> {
    const prefix = ID.exec(text)?.[1] as IdPrefix | undefined;
    const id = prefix === undefined ? null : decodeId(prefix, text);
    if (id === null || !this.resources.isReadable(seeker, prefix!) || !this.resources.isPresented(prefix!)) return null;
    try {
      const { object } = (await this.resources.present(seeker, prefix!, id)) as { object: string };
      return { id: text, type: object };
    } catch (error) {
      if (error instanceof NotFound || error instanceof InsufficientScope) return null;
      throw error;
    }
  }
}
