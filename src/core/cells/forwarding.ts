import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { errorCodes, type FastifyReply, type FastifyRequest, type preParsingAsyncHookHandler } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { Env } from '../config/env';
import { DomainError, found, HeadersTooLarge, NotFound, ServiceUnavailable } from '../errors/domain-error';
import { isForPlatform, SessionDoor } from '../http/doors';
import { pathOf, slotOfRequest } from '../http/slot-of-request';
import { within } from '../process/work-under-way';
import { type Cell, Cells, KeptElsewhere } from './cells';
import { ControlCell } from './control-cell';
import { digestOf, HEADERS_BYTES_MAX, HOP_HEADER, type Hop, Hops, WRONG_CELL_HEADER } from './hop';

/** The cell that an operator asks. */
const CELL_HEADER = 'duka-cell';
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

/** Of somebody who is signed in elsewhere, and whose request is vouched for as it is. */
class TooLargeToVouchFor extends DomainError {
  constructor() {
    super({ code: 'payload_too_large', kind: 'too_large', title: 'Payload too large', detail: 'Send 64 KiB at most.' });
  }
}

export class CellAway extends ServiceUnavailable {
  constructor({ name }: Pick<Cell, 'name'>, options?: ErrorOptions) {
    super(
      `The cell ${name}, which this is about, did not answer. Send the same request again, with the same ` +
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
    private readonly control: ControlCell,
    private readonly door: SessionDoor,
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

  /** Fastify `preParsing` hook, before the body is read: answers for the cell that keeps the account. */
  readonly forward = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
    const hop = this.hops!.of(request.raw);
    if (hop === 'invalid') throw new InvalidHop();
    if (hop === undefined) {
      requireUsualHeaders(request.raw);
      // Keys of operators open their own cell, and others open nothing there.
      if (isForPlatform(request)) return;
    } else await this.receive(request, reply, hop);
    const { inControlCell } = request.routeOptions.config as { inControlCell?: 'anybody' | 'person' };
    if (inControlCell === 'anybody') return this.control.isHere ? undefined : this.toControl(request, reply);
    const slot = slotOfRequest(request);
    const cell = hop !== undefined || slot === null ? undefined : this.cells.ownerOf(slot);
    if (cell !== undefined && slot !== null && cell !== this.cells.here)
      return this.answerFor(cell, { slot }, request, reply);
    if (inControlCell === undefined || this.control.isHere) return;
    const person = await this.door.personOf(request);
    if (person !== null) return this.toControl(request, reply, person);
  };

  /** Fastify `preParsing` hook: of whoever is vouched for, this is what they said. */
  readonly requireDigest = async (
    request: FastifyRequest,
    _: FastifyReply,
    body: RequestPayload,
  ): Promise<RequestPayload> => {
    const hop = this.hopOf(request);
    if (hop?.person === undefined) return body;
    const bytes = await wholeOf(body);
    if (bytes === null || digestOf(bytes) !== hop.digest) throw new InvalidHop();
    return Object.assign(Readable.from(bytes), { receivedEncodedLength: bytes.length });
  };

  /** What another cell asks, of a route that takes raw bodies. Nobody else is told that there is anything. */
  askedOf(request: FastifyRequest, body: Buffer): unknown {
    const hop = this.hopOf(request);
    if (hop?.kind !== 'ask' || !Buffer.isBuffer(body) || hop.digest !== digestOf(body)) throw new NotFound('address');
    return JSON.parse(body.toString());
  }

  /** One request from this cell to another. Throws `CellAway`, and what undici throws when no answer comes. */
  async ask(
    cell: Cell,
    { path, json, slot = placeOf(cell), requestId, timeoutMs }: AskOptions,
  ): Promise<{ status: number; body: unknown; isWrong: boolean }> {
    const body = Buffer.from(JSON.stringify(json));
    return within(timeoutMs, async (signal) => {
      const answer = await this.send(cell, {
        method: 'POST',
        path,
        headers: ['content-type', 'application/json'],
        body,
        hop: { kind: 'ask', requestId, ip: '', slot, digest: digestOf(body) },
        signal,
      });
      const text = await answer.body.text();
      return {
        status: answer.statusCode,
        body: text === '' ? null : (JSON.parse(text) as unknown),
        isWrong: answer.headers[WRONG_CELL_HEADER] !== undefined,
      };
    });
  }

  /** It was sent on by another cell: never once more, so that no request goes in a circle. */
  private async receive(request: FastifyRequest, reply: FastifyReply, hop: Hop): Promise<void> {
    if (hop.kind === 'forward') Object.defineProperty(request, 'ip', { value: hop.ip });
    if (hop.epoch > this.cells.epoch) await this.cells.refresh();
    if (this.ownerOf(hop.slot) === this.cells.here) return;
    reply.header(WRONG_CELL_HEADER, String(this.cells.epoch));
    throw new MovedMeanwhile();
  }

  /** The same of a request whose body has been read. */
  async sendOn(
    { slot, person }: Pick<KeptElsewhere, 'slot' | 'person'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (this.hopOf(request) !== null) throw new MovedMeanwhile();
    return this.answerFor(found(this.ownerOf(slot) ?? null, 'cell'), { slot, person }, request, reply);
  }

  /** Whoever is let in here may have another cell answer, by its name. Throws `KeptElsewhere`. */
  requireAsked({ headers }: FastifyRequest, person: object): void {
    const name = headers[CELL_HEADER];
    const { here } = this.cells;
    if (typeof name === 'string' && here !== null && name !== here.name)
      throw new KeptElsewhere(placeOf({ name }), person);
  }

  /** A slot or the place of a cell, as a hop has it. */
  private ownerOf(place: string): Cell | undefined {
    return place.startsWith(OF_CELL)
      ? this.cells.all.find((cell) => placeOf(cell) === place)
      : this.cells.ownerOf(place);
  }

  private toControl(request: FastifyRequest, reply: FastifyReply, person?: object): Promise<FastifyReply> {
    const cell = this.control.require();
    return this.answerFor(cell, { slot: placeOf(cell), person }, request, reply);
  }

  private async answerFor(
    cell: Cell,
    { slot, person }: Pick<Hop, 'slot' | 'person'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    requireRoom(request, reply);
    const body = await bodyOf(request);
    const isWhole = body === null || Buffer.isBuffer(body);
    if (person !== undefined && !isWhole) throw new TooLargeToVouchFor();
    const vouched = person !== undefined && isWhole ? { person, digest: digestOf(body ?? Buffer.alloc(0)) } : {};
    const asked: Asked = {
      method: request.method,
      path: pathOf(request),
      headers: headersOn(request.raw, Buffer.isBuffer(body)),
      body,
      hop: { kind: 'forward', requestId: request.id, ip: request.ip, slot, ...vouched },
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
    const cell = this.ownerOf(asked.hop.slot);
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
  /** The slot that it is about; absent: it is for the cell, whatever that keeps. */
  readonly slot?: string;
  readonly requestId: string;
  readonly timeoutMs: number;
}

const OF_CELL = 'cell:';

/** What a hop has instead of a slot when it is for a cell. */
const placeOf = ({ name }: Pick<Cell, 'name'>): string => OF_CELL + name;

type RequestPayload = NonNullable<Parameters<preParsingAsyncHookHandler>[2]>;

/** Null: it is longer than what is kept. */
async function wholeOf(body: RequestPayload): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > KEPT_BYTES_MAX) return null;
  }
  return Buffer.concat(parts);
}

/** Node takes as much more as a hop may have; a client has no more than where there is one cell. */
function requireUsualHeaders({ url = '', rawHeaders }: IncomingMessage): void {
  if (url.length + rawHeaders.join('').length > HEADERS_BYTES_MAX) throw new HeadersTooLarge();
}

/** Whoever refuses a body while it is still being sent may not be heard: what is too long is not sent on. */
function requireRoom({ method, headers, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  if (method === 'GET' || method === 'HEAD' || !(Number(headers['content-length']) > routeOptions.bodyLimit!)) return;
  reply.header('connection', 'close');
  throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
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
  // Never longer than it says.
  return wholeOf(raw);
}
