import { Injectable } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { Env } from '../../core/config/env';
import { AddressRefused, Connections } from './connections.service';
import { checkUrl } from './endpoint-url.batch';
import { BODY_BYTES_MAX, codeOf, controlOf, retryAfterSecondsOf, textOf } from './receiver-answer.batch';
import { signatureOf } from './signature.batch';
import type { AttemptCode, Attempted, Destination, Message } from './webhooks.types';

/** What an attempt has brought so far. */
interface Progress {
  response: Dispatcher.ResponseData | null;
  body: Buffer;
}

/** Posts one message once: signs it now, keeps to the addresses that are allowed, follows nothing. */
@Injectable()
export class WebhookSender {
  /** From the look-up of the name to the end of the answer. */
  timeoutMs = 15_000;

  constructor(
    private readonly env: Env,
    private readonly connections: Connections,
  ) {}

  /** Never throws. A receiver that is away, closed, or speaks something else is the same `connection_failed`. */
  async send(message: Message, { url, livemode }: Destination): Promise<Attempted> {
    const startedAt = performance.now();
    const allowPrivate = this.env.WEBHOOK_ALLOW_PRIVATE_NETWORKS && !livemode;
    const checked = checkUrl(url, { livemode, allowPrivate });
    const progress: Progress = { response: null, body: Buffer.alloc(0) };
    const code = checked.fault ?? (await this.post(message, checked.url, allowPrivate, progress));
    return { code, durationMs: Math.round(performance.now() - startedAt), ...factsOf(progress) };
  }

  private async post(
    message: Message,
    { origin, pathname, search }: URL,
    allowPrivate: boolean,
    progress: Progress,
  ): Promise<AttemptCode> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.timeoutMs);
    try {
      progress.response = await this.connections
        .to({ allowPrivate })
        .request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers: headersOf(message),
          body: message.body,
          signal: limit.signal,
        });
      await readBody(progress);
      return codeOf(progress.response.statusCode);
    } catch (error) {
      if (error instanceof AddressRefused) return 'address_refused';
      return limit.signal.aborted ? 'timeout' : 'connection_failed';
    } finally {
      clearTimeout(timer);
    }
  }
}

function headersOf({ id, type, body, secrets, attempt, traceparent }: Message): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Duka-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
    'webhook-event-type': type,
    'webhook-attempt': String(attempt),
    ...(traceparent !== null && { traceparent }),
  };
}

/** Ends early, and with it the connection, once there is more than is kept. */
async function readBody(progress: Progress): Promise<void> {
  const { body } = progress.response!;
  // The iterator no longer listens when a connection breaks after it was left.
  body.on('error', () => undefined);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    progress.body = Buffer.concat([progress.body, chunk]);
    if (progress.body.length > BODY_BYTES_MAX) return;
  }
}

function factsOf({ response, body }: Progress): Omit<Attempted, 'code' | 'durationMs'> {
  if (response === null) return { httpStatus: null, responseBody: null, retryAfterSeconds: null, control: null };
  return {
    httpStatus: response.statusCode,
    responseBody: textOf(body),
    retryAfterSeconds: retryAfterSecondsOf(response, Date.now()),
    control: controlOf(response),
  };
}
