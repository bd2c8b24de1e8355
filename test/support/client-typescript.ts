import type { Call, Message, Told, Tried } from './client-runner';

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const camelKeys = (fields: object): any =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]));
const snakeKeys = (fields: object): any =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** The package, in this process. */
export class TypeScriptClient implements Tried {
  constructor(private readonly client: any) {}

  async call({ client, resource, name, arguments: sent, options: given, take }: Call): Promise<Told> {
    const duka = new this.client.Duka(camelKeys(client));
    const { abortAfterMs, ...options } = camelKeys(given);
    if (abortAfterMs) options.signal = AbortSignal.timeout(abortAfterMs);
    try {
      const answer = duka[camel(resource)][camel(name)](...sent.map((one) => one ?? undefined), options);
      if (take === 'page') return { got: await answer.page() };
      if (take === 'answer') return { got: await answer };
      const rows: unknown[] = [];
      for await (const row of answer) rows.push(row);
      return { got: rows };
    } catch (error) {
      return { failed: this.failureOf(error) };
    }
  }

  async verify({ body, headers, secrets, tolerance_seconds: toleranceSeconds }: Message): Promise<Told> {
    const forms = [headers, new Headers(headers), { ...headers, 'Webhook-Id': headers['webhook-id'] }];
    const all: Told[] = [];
    for (const [index, form] of forms.entries()) {
      const raw = index === 0 ? body : new TextEncoder().encode(body);
      const verified = this.client.verifyWebhook(raw, form, secrets.length > 1 ? secrets : secrets[0], {
        toleranceSeconds,
      });
      all.push(
        await verified.then(
          (got: any) => ({ got }),
          ({ name, reason }: any) => ({ failed: { name, reason } }),
        ),
      );
    }
    for (const told of all) expect(told).toEqual(all[0]);
    return all[0]!;
  }

  async order(events: any[], sequence: number[]): Promise<Told> {
    const order = new this.client.EventOrder();
    const copies = new Map<string, unknown>();
    const got = sequence.map((at) => {
      const { object } = events[at].data;
      const isNewer = this.client.isNewer(copies.get(object.id), events[at]);
      if (isNewer) copies.set(object.id, object);
      return [order.accept(events[at]), isNewer];
    });
    return { got };
  }

  private failureOf(error: any): Record<string, any> {
    const { DukaConnectionError, DukaError, DukaTimeoutError } = this.client;
    const kinds = [
      error instanceof DukaError && 'api',
      error instanceof DukaTimeoutError && 'timeout',
      error instanceof DukaConnectionError && !(error instanceof DukaTimeoutError) && 'connection',
      // The reason of the caller's signal.
      error.name === 'TimeoutError' && 'aborted',
    ].filter(Boolean);
    return { ...snakeKeys(error), message: error.message, kind: kinds.join() };
  }
}
