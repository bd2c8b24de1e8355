import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { Env } from '../config/env';
import { DomainError, ServiceUnavailable } from '../errors/domain-error';
import { pathOf, slotOfRequest } from '../http/slot-of-request';
import { type Cell, Cells } from './cells';
import { digestOf, HOP_HEADER, type Hop, Hops, WRONG_CELL_HEADER } from './hop';

const CONNECT_TIMEOUT_MS = 2_000;
/** Longer than any answer is held back. */
const ANSWER_TIMEOUT_MS = 60_000;
/** A body up to here is kept until its answer is there, so that it can be sent to another address. */
const KEPT_BYTES_MAX = 64 * 1_024;

/** Of one connection only, or made anew. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  HOP_HEADER,
]);

/** Whoever could not be reached has seen nothing of the request. */
const UNREACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

class InvalidHop extends DomainError {
  constructor() {
    super({
      code: 'forbidden',
      kind: 'forbidden',
      title: 'Forbidden',
      detail: `The header ${HOP_HEADER} is for cells among themselves: it is not signed with their secret.`,
    });
  }
}

class CellAway extends ServiceUnavailable {
  constructor({ name }: Pick<Cell, 'name'>, options?: ErrorOptions) {
    super(
      `The cell ${name}, which keeps this account, did not answer. Send the same request again, with the same ` +
        'Idempotency-Key: it takes effect once.',
      options,
    );
  }
}

class MovedMeanwhile extends ServiceUnavailable {
  constructor() {
    super('This cell does not keep the account any more. Send the same request again.');
  }
}

interface Asked {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer | NonNullable<Dispatcher.DispatchOptions['body']> | null;
  readonly hop: Omit<Hop, 'from' | 'epoch'>;
  readonly signal: AbortSignal;
}

/** Sends requests on to the cell that keeps their account, and asks other cells in the name of this one. */
@Injectable()
export class Forwarding implements OnApplicationShutdown {
  private readonly log = new Logger('cells');
  private readonly hops: Hops | null;
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    // A stream of events says nothing for long.
    bodyTimeout: 0,
  });

  constructor(
    { CELL_SECRET }: Env,
    private readonly cells: Cells,
  ) {
    this.hops = CELL_SECRET === undefined ? null : new Hops(CELL_SECRET);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** What the request says of itself; null: a client sent it, or there is one cell. */
  hopOf(request: FastifyRequest): Hop | null {
    const hop = this.hops?.of(request.raw);
    return hop === undefined || hop === 'invalid' ? null : hop;
  }

  /** Fastify `onRequest` hook, before the body is read: answers for the cell that keeps the account. */
  readonly forward = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
    const hop = this.hops!.of(request.raw);
    if (hop === 'invalid') throw new InvalidHop();
    if (hop !== undefined) return this.receive(request, reply, hop);
    const slot = slotOfRequest(request);
    const cell = slot === null ? undefined : this.cells.ownerOf(slot);
    if (slot === null || cell === undefined || cell === this.cells.here) return;
    return this.answerFor(cell, slot, request, reply);
  };

  /** One request from this cell to another. Throws `CellAway`, and what undici throws when no answer comes. */
  async ask(
    cell: Cell,
    { path, json, slot, requestId, timeoutMs }: AskOptions,
  ): Promise<{ status: number; body: unknown; isWrong: boolean }> {
    const body = Buffer.from(JSON.stringify(json));
    const answer = await this.send(cell, {
      method: 'POST',
      path,
      headers: ['content-type', 'application/json'],
      body,
      hop: { kind: 'ask', requestId, ip: '', slot, digest: digestOf(body) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      body: text === '' ? null : (JSON.parse(text) as unknown),
      isWrong: answer.headers[WRONG_CELL_HEADER] !== undefined,
    };
  }

  /** It was sent on by another cell: never once more, so that no request goes in a circle. */
  private async receive(request: FastifyRequest, reply: FastifyReply, hop: Hop): Promise<void> {
    if (hop.kind === 'forward') Object.defineProperty(request, 'ip', { value: hop.ip });
    if (hop.epoch > this.cells.epoch) await this.cells.refresh();
    if (this.cells.ownerOf(hop.slot) === this.cells.here) return;
    reply.header(WRONG_CELL_HEADER, String(this.cells.epoch));
    throw new MovedMeanwhile();
  }

  /** The same of a request whose body has been read. */
  async sendOn(slot: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (this.hopOf(request) !== null) throw new MovedMeanwhile();
    return this.answerFor(this.cells.ownerOf(slot)!, slot, request, reply);
  }

  private async answerFor(
    cell: Cell,
    slot: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const body = await bodyOf(request);
    const asked: Asked = {
      method: request.method,
      path: pathOf(request),
      headers: headersOn(request.raw, Buffer.isBuffer(body)),
      body,
      hop: { kind: 'forward', requestId: request.id, ip: request.ip, slot },
      signal: left.signal,
    };
    let answer = await this.sendPatiently(cell, asked);
    if (answer.headers[WRONG_CELL_HEADER] !== undefined) answer = await this.sendElsewhere(cell, asked, answer);
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !OF_THE_CONNECTION.has(name)) reply.header(name, value);
    return reply.code(answer.statusCode).send(answer.body);
  }

  /** The table was old: it is read again, and whoever keeps the slot now is asked. */
  private async sendElsewhere(
    before: Cell,
    asked: Asked,
    refusal: Dispatcher.ResponseData,
  ): Promise<Dispatcher.ResponseData> {
    await this.cells.refresh();
    const cell = this.cells.ownerOf(asked.hop.slot);
    const isRepeatable = asked.body === null || Buffer.isBuffer(asked.body);
    if (cell === undefined || cell.name === before.name || cell === this.cells.here || !isRepeatable) return refusal;
    await refusal.body.dump();
    return this.sendPatiently(cell, asked);
  }

  private async sendPatiently(cell: Cell, asked: Asked): Promise<Dispatcher.ResponseData> {
    try {
      return await this.send(cell, asked);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (!asked.signal.aborted) this.log.warn({ message: 'a cell did not answer', cell: cell.name, err: error });
      throw new CellAway(cell, { cause: error });
    }
  }

  /** To the first of its addresses that takes the connection. */
  private async send(
    { name, addresses }: Cell,
    { method, path, headers, body, hop, signal }: Asked,
  ): Promise<Dispatcher.ResponseData> {
    const said: Hop = { ...hop, from: this.cells.here!.name, epoch: this.cells.epoch };
    let last: unknown;
    for (const address of addresses) {
      try {
        return await this.agent.request({
          origin: address,
          path,
          method: method as Dispatcher.HttpMethod,
          headers: [...headers, HOP_HEADER, this.hops!.headerOf(said, method, path)],
          body,
          signal,
        });
      } catch (error) {
        last = error;
        const isRepeatable = body === null || Buffer.isBuffer(body);
        if (!isRepeatable || !UNREACHED.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
    throw new CellAway({ name }, { cause: last });
  }
}

export interface AskOptions {
  readonly path: string;
  readonly json: object;
  /** The slot that it is about. */
  readonly slot: string;
  readonly requestId: string;
  readonly timeoutMs: number;
}

/** As they came: of two with one name the cell makes what it makes of its clients'. */
function headersOn({ rawHeaders }: IncomingMessage, isWhole: boolean): string[] {
  const nameAt = (i: number): string => rawHeaders[i - (i % 2)]!.toLowerCase();
  return rawHeaders.filter((_, i) => !OF_THE_CONNECTION.has(nameAt(i)) && !(isWhole && nameAt(i) === 'content-length'));
}

/** Small ones whole, the others as they come. What was read already is bytes, or JSON that says the same. */
async function bodyOf({ raw, headers, body }: FastifyRequest): Promise<Asked['body']> {
  if (Buffer.isBuffer(body)) return body;
  if (body !== undefined && body !== null) return Buffer.from(JSON.stringify(body));
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (coding === undefined && (length === undefined || length === '0')) return null;
  if (coding !== undefined || Number(length) > KEPT_BYTES_MAX) return raw;
  const parts: Buffer[] = [];
  for await (const part of raw) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
