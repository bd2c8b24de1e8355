import { Inject, Injectable } from '@nestjs/common';
import { type Of, secret, Settings, url } from '../../../core/config/settings';
import { readJson } from '../../../providers/read-json';
import type { CardOrder, CardRef, IssuerState } from '../../../modules/cards/card-issuer';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const CARDLAB = Settings.of('cardlab', {
  url: url({ about: 'Address of the imaginary card issuer of the example (https://issuer.example.com/v1/).' }),
  key: secret({ about: 'Its key.' }),
});

/** What the issuer answers: the status, and the JSON or, where there is none, null. */
export interface IssuerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Speaks the protocol of an imaginary issuer. Knows nothing of what its answers mean. */
@Injectable()
export class IssuerClient {
  constructor(@Inject(CARDLAB) private readonly settings: Of<typeof CARDLAB>) {}

  /** The issuer makes one card per reference: a repetition is answered like the first request. */
  order({ reference, brand, nameOnCard, cardholder }: CardOrder, signal: AbortSignal): Promise<IssuerAnswer> {
    const { identity, address, ...person } = cardholder;
    return this.ask('POST', 'cards', signal, {
      reference,
      brand,
      name: nameOnCard,
      person,
      address,
      document: identity,
    });
  }

  find({ reference }: CardRef, signal: AbortSignal): Promise<IssuerAnswer> {
    return this.ask('GET', `cards/${encodeURIComponent(reference)}`, signal);
  }

  setState({ reference }: CardRef, state: IssuerState, signal: AbortSignal): Promise<IssuerAnswer> {
    return this.ask('PUT', `cards/${encodeURIComponent(reference)}/state`, signal, { state });
  }

  /** A page of theirs that shows the card once. */
  page({ reference }: CardRef, signal: AbortSignal): Promise<IssuerAnswer> {
    return this.ask('POST', `cards/${encodeURIComponent(reference)}/page`, signal, {});
  }

  private async ask(method: string, path: string, signal: AbortSignal, body?: object): Promise<IssuerAnswer> {
    const headers = {
      authorization: `Bearer ${this.settings.key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const request = { method, headers, body: body && JSON.stringify(body), signal, redirect: 'error' } as const;
    const response = await fetch(new URL(path, this.settings.url), request);
    return { status: response.status, body: await readJson(response) };
  }
}
