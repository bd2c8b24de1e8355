import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallbackRequest } from '../../../src/providers/answers';
import { type Company, signed } from '../../pretended/stripe/company';
import { count } from '../cards/wire';
import type { Callbacks } from './callbacks';

interface Heard {
  readonly status: number;
  readonly body: unknown;
}

interface Event {
  readonly type: string;
  readonly data: { readonly object: { readonly id: string } };
}

/** Of a hundred questions and events so many do not arrive, and of so many the answer does not. */
const [LOST, UNHEARD] = [8, 8];
/** Of a hundred events that were heard so many come again. */
const REPEATED = 30;
const RESEND_MS = 250;
const ROUNDS_MAX = 20;
const ROUND_MS = 1_000;

/** How what Stripe sends arrives: late, again, in another order, and a question perhaps never. */
export class StripeEvents {
  /** What was sent, by what became of it. */
  readonly done = new Map<string, number>();
  /** Authorizations that were approved by us, whether Stripe heard so or not. */
  readonly promised = new Set<string>();
  private waiting: string[] = [];
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly company: Company,
    private readonly callbacks: Callbacks,
  ) {
    company.hear = (callback) => this.hear(callback);
  }

  start(): void {
    this.timer = setInterval(() => void this.resend(1), RESEND_MS);
  }

  /** Until each was heard; says what was not. */
  async end(): Promise<string[]> {
    clearInterval(this.timer);
    let left: string[] = [];
    for (let round = 0; round < ROUNDS_MAX; round++) {
      left = await this.resend(this.waiting.length);
      if (this.waiting.length === 0) return [];
      await sleep(ROUND_MS);
    }
    return left;
  }

  private async hear({ body }: CallbackRequest): Promise<Heard | null> {
    const text = body.toString();
    const { type, data } = JSON.parse(text) as Event;
    const isQuestion = type === 'issuing_authorization.request';
    if (happens(LOST)) return this.lose(text, isQuestion);
    const answer = await this.send(text);
    const isLost = happens(UNHEARD);
    if (isLost) count(this.done, isQuestion ? 'answer to a question lost' : 'answer to an event lost');
    if (isQuestion) {
      if ((answer?.body as { approved?: boolean } | null)?.approved) this.promised.add(data.object.id);
      return isLost ? null : answer;
    }
    if (answer?.status !== 200 || isLost || happens(REPEATED)) this.waiting.push(text);
    return answer;
  }

  /** A question comes once; an event comes again. */
  private lose(text: string, isQuestion: boolean): null {
    count(this.done, isQuestion ? 'question lost' : 'event lost');
    if (!isQuestion) this.waiting.push(text);
    return null;
  }

  /** Any so many of those that wait, all at once; says what was not heard. */
  private async resend(many: number): Promise<string[]> {
    const taken = Array.from({ length: Math.min(many, this.waiting.length) }, () => {
      return this.waiting.splice(randomInt(this.waiting.length), 1)[0]!;
    });
    const left = await Promise.all(
      taken.map(async (text) => {
        count(this.done, 'sent again');
        const answer = await this.send(text);
        if (answer?.status === 200) return [];
        this.waiting.push(text);
        return [`${(JSON.parse(text) as Event).type} was answered ${answer?.status}: ${JSON.stringify(answer?.body)}:`];
      }),
    );
    return left.flat();
  }

  private async send(text: string): Promise<Heard | null> {
    const { body, headers } = signed(text, this.company.webhookSecret, Math.floor(Date.now() / 1_000));
    const request = { body, headers: { 'content-type': 'application/json', ...headers } };
    const answer = await this.callbacks.post('cards/stripe', request);
    if (answer === null) return null;
    // An answer without its version is none to Stripe.
    const isAnswer = answer.status !== 200 || answer.headers.has('stripe-version');
    return { status: isAnswer ? answer.status : 500, body: await answer.json().catch(() => null) };
  }
}

const happens = (percent: number): boolean => randomInt(100) < percent;
