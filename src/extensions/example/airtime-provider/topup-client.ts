import { Inject, Injectable } from '@nestjs/common';
import { list, type Of, secret, Settings, url } from '../../../core/config/settings';
import { readJson } from '../../../providers/read-json';
import type { Currency } from '../../../core/money/currencies';
import type { AirtimeItem } from '../../../modules/airtime/airtime.provider';
import { type Order, ProviderOutage } from '../../../modules/purchases/purchases.provider';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const TOPUP = Settings.of('topup', {
  url: url({ about: 'Address of the imaginary top-up service of the example (https://topups.example.com/v1/).' }),
  key: secret({ about: 'Its key.' }),
  countries: list({ default: 'NG', about: 'Where it sells, ISO 3166-1 alpha-2, with commas between.' }),
});

/** What the service answers: the status, and the JSON or, where there is none, null. */
export interface TopupAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Speaks the protocol of an imaginary top-up service. Knows nothing of what its answers mean. */
@Injectable()
export class TopupClient {
  constructor(@Inject(TOPUP) readonly settings: Of<typeof TOPUP>) {}

  /** The service sells once per reference: a repetition is answered like the first request. */
  sell({ reference, amount, currency, item }: Order<AirtimeItem>, signal: AbortSignal): Promise<TopupAnswer> {
    const body = {
      reference,
      msisdn: item.phone,
      network: item.network,
      country: item.country,
      amount: amount.toString(),
      currency,
    };
    return this.ask('POST', 'topups', signal, body);
  }

  find({ reference }: Order<AirtimeItem>, signal: AbortSignal): Promise<TopupAnswer> {
    return this.ask('GET', `topups/${encodeURIComponent(reference)}`, signal);
  }

  float(currency: Currency, signal: AbortSignal): Promise<TopupAnswer> {
    return this.ask('GET', `float?currency=${currency}`, signal);
  }

  private async ask(method: string, path: string, signal: AbortSignal, body?: object): Promise<TopupAnswer> {
    const headers = {
      authorization: `Bearer ${this.settings.key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const request = { method, headers, body: body && JSON.stringify(body), signal, redirect: 'error' } as const;
    const response = await fetch(new URL(path, this.settings.url), request).catch((error: unknown) => {
      throw isRefusedConnection(error)
        ? new ProviderOutage('the top-up service accepts no connections', { cause: error })
        : error;
    });
    return { status: response.status, body: await readJson(response) };
  }
}

const isRefusedConnection = (error: unknown): boolean =>
  (error as { cause?: { code?: unknown } } | null)?.cause?.code === 'ECONNREFUSED';
