import { Inject, Injectable } from '@nestjs/common';
import { type Of, secret, Settings, url } from '../../../core/config/settings';
import { readJson } from '../../../providers/read-json';
import type { GatewayOrder } from '../../../modules/payments/gateway';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const PAYLINK = Settings.of('paylink', {
  url: url({ about: 'Address of the imaginary gateway of the example (https://api.paylink.example.com/v1/).' }),
  key: secret({ about: 'Its key.' }),
  callbackSecret: secret({ about: 'What it signs callbacks with.' }),
});

/** What the gateway answers: the status, and the JSON or, where there is none, null. */
export interface PaylinkAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Speaks the protocol of an imaginary gateway. Knows nothing of what its answers mean. */
@Injectable()
export class PaylinkClient {
  constructor(@Inject(PAYLINK) readonly settings: Of<typeof PAYLINK>) {}

  /** The gateway opens one order per reference: a repetition is answered like the first request. */
  open(
    { reference, amount, currency, description, returnUrl }: GatewayOrder,
    signal: AbortSignal,
  ): Promise<PaylinkAnswer> {
    return this.ask('POST', 'orders', signal, {
      reference,
      amount: amount.toString(),
      currency,
      description,
      return_url: returnUrl,
    });
  }

  find({ reference }: GatewayOrder, signal: AbortSignal): Promise<PaylinkAnswer> {
    return this.ask('GET', `orders/${encodeURIComponent(reference)}`, signal);
  }

  private async ask(method: string, path: string, signal: AbortSignal, body?: object): Promise<PaylinkAnswer> {
    const headers = {
      authorization: `Bearer ${this.settings.key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(new URL(path, this.settings.url), {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal,
      redirect: 'error',
    });
    return { status: response.status, body: await readJson(response) };
  }
}
