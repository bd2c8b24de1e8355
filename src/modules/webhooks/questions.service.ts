import { Injectable } from '@nestjs/common';
import type { Key } from '../../core/http/caller';
import { type Attempted, WebhookSender } from './delivery/webhook-sender.service';
import { EndpointSecretsService, type NewSecret } from './endpoint-secrets.service';
import { UrlPolicy } from './endpoints/url-policy.service';

/** Who is asked: an address that its account registered. `secret`: sealed for its id. */
export interface Asked extends Key {
  readonly url: string;
  readonly secret: Buffer;
}

export interface Question {
  /** Public id of what it is about. */
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly body: string;
  readonly timeoutMs: number;
}

/** Asks addresses of accounts something, and waits for what they say: signed, guarded and limited as webhooks are. */
@Injectable()
export class WebhookQuestions {
  constructor(
    private readonly sender: WebhookSender,
    private readonly secrets: EndpointSecretsService,
    private readonly urls: UrlPolicy,
  ) {}

  /** Throws `InvalidEndpointUrl`. */
  check(url: string, livemode: boolean): Promise<void> {
    return this.urls.check(url, livemode);
  }

  newSecret(id: string): NewSecret {
    return this.secrets.make(id);
  }

  /** Never throws. */
  async ask(asked: Asked, { timeoutMs, ...question }: Question): Promise<Attempted> {
    const secrets = await this.secrets.signingKeys({ ...asked, previousSecret: null, previousUntil: null });
    return this.sender.send({ ...question, secrets, attempt: 1, traceparent: null }, asked, timeoutMs);
  }
}
