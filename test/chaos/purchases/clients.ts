import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../service';
import type { Fleet } from './fleet';
import type { Member } from './member';
import { isAskedTwice, keyOf, requestOf } from './orders';
import type { Pace } from './pace';

const CLIENTS = 16;
const PAUSE_MS = 25;
const RESEND_MS = 150;
const ANSWER_MAX_MS = 30_000;
const IMPATIENCE_MAX_MS = 40;
const REQUERY_ROUNDS = 3;
/** Of so many orders, one: hangs up before the answer; is sent twice at once; is sent again at the end. */
const [IMPATIENT, DOUBLED, FORGETFUL] = [9, 25, 10];
const FINAL = ['successful', 'failed'];

interface Answer {
  readonly status: number;
  readonly isReplay: boolean;
  readonly body: { readonly id?: string; readonly status?: string; readonly code?: string; readonly detail?: string };
}

/** Clients that buy, remember what they were told, and send again with the same key whatever got no answer. */
export class Clients {
  /** What each order was told: ids of its purchase, and final states. */
  readonly told = new Map<number, { readonly ids: Set<string>; readonly ends: Set<string> }>();
  /** Answers that must not be, by what they were. */
  readonly faults = new Map<string, number>();
  begun = 0;
  /** Of purchases, resent ones included. */
  requests = 0;
  resent = 0;
  /** Requests without an answer: the connection was torn, or the client hung up. */
  unanswered = 0;
  /** Had taken effect without an answer. */
  replayed = 0;
  /** Times that a requery was asked for twice at once. */
  twins = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly orders: number,
    private readonly pace: Pace,
  ) {}

  /** Resolves when every order has its answer. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.work()));
  }

  /** Sends some orders again: nothing may happen but their answer. */
  async remind(): Promise<void> {
    for (let index = 0; index < this.orders; index += FORGETFUL) {
      this.resent++;
      await this.settle(index);
    }
  }

  private async work(): Promise<void> {
    while (this.begun < this.orders) {
      if (this.begun < this.pace.allowance) await this.buy(this.begun++);
      else await sleep(PAUSE_MS);
    }
  }

  private async buy(index: number): Promise<void> {
    const twin = index % DOUBLED === 0 ? this.settle(index) : null;
    const answer = await this.settle(index, index % IMPATIENT === 0 ? randomInt(1, IMPATIENCE_MAX_MS) : ANSWER_MAX_MS);
    await twin;
    if (isAskedTwice(index) && answer.body.id && !FINAL.includes(answer.body.status!)) await this.ask(answer.body.id);
  }

  /** Until there is an answer. */
  private async settle(index: number, patienceMs = ANSWER_MAX_MS): Promise<Answer> {
    for (let patience = patienceMs; ; patience = ANSWER_MAX_MS, this.resent++) {
      try {
        const answer = await this.send(index, patience);
        if (answer.status !== 503 && answer.body.code !== 'request_in_progress') {
          this.note(index, answer);
          return answer;
        }
      } catch {
        this.unanswered++;
      }
      await sleep(RESEND_MS * (0.5 + Math.random()));
    }
  }

  private async send(index: number, patienceMs: number): Promise<Answer> {
    this.requests++;
    const { path, body: order } = requestOf(index);
    const response = await this.fleet.request(this.anyApi(), path, {
      headers: { 'idempotency-key': keyOf(index), prefer: 'wait=2' },
      body: order,
      signal: AbortSignal.timeout(patienceMs),
    });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, isReplay: response.headers.has('idempotent-replayed'), body };
  }

  private note(index: number, { status, isReplay, body }: Answer): void {
    if ((status !== 201 && status !== 202) || !body.id)
      return this.complain(`purchase: ${status} ${body.code}: ${body.detail}`);
    if (isReplay) this.replayed++;
    const told = this.told.get(index) ?? { ids: new Set(), ends: new Set() };
    this.told.set(index, told);
    told.ids.add(body.id);
    if ((status === 201) !== FINAL.includes(body.status!))
      this.complain(`purchase: ${status} with status ${body.status}`);
    if (status === 201) told.ends.add(body.status!);
  }

  /** Requeries of a running purchase, each at two processes at once. */
  private async ask(id: string): Promise<void> {
    for (let round = 0; round < REQUERY_ROUNDS; round++) {
      this.twins++;
      const states = await Promise.all(this.fleet.apis.map((api) => this.requery(api, id)));
      if (states.some((state) => FINAL.includes(state))) return;
      await sleep(randomInt(PAUSE_MS, 10 * PAUSE_MS));
    }
  }

  private async requery(api: Member, id: string): Promise<string> {
    try {
      const response = await this.fleet.request(api, `/v4/transactions/${id}/requery`);
      const { status = '', code, detail } = (await response.json()) as Answer['body'];
      // Final already: there is nothing to ask.
      if (code === 'invalid_state_transition') return 'successful';
      if (response.status !== 200 && response.status !== 503)
        this.complain(`requery: ${response.status} ${code}: ${detail}`);
      return response.status === 200 ? status : '';
    } catch (error) {
      return codeOf(error);
    }
  }

  private anyApi(): Member {
    return this.fleet.apis[randomInt(this.fleet.apis.length)]!;
  }

  private complain(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
  }
}
