import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Carries what one cell says to another. Nobody else can make one. */
export const HOP_HEADER = 'duka-hop';
/** On an answer: the cell does not keep the slot, and its table is of this epoch. */
export const WRONG_CELL_HEADER = 'duka-wrong-cell';

/** What a client may send before a body: its address and the headers. */
export const HEADERS_BYTES_MAX = 16 * 1_024;
/** Longer than any hop: so much more than from a client a cell takes with a request. */
export const HOP_BYTES_MAX = 4 * 1_024;

/** What a request between cells says of itself. */
export interface Hop {
  /** `forward`: a client's request, as it came. `ask`: the cell itself asks. */
  readonly kind: 'forward' | 'ask';
  /** Name of the cell that sends it. */
  readonly from: string;
  /** Of the table of slots that it went by. */
  readonly epoch: number;
  /** Uuid of the request: one and the same in both cells. */
  readonly requestId: string;
  /** Address of the client. */
  readonly ip: string;
  /** The slot that it is about; `cell:<name>`: it is for that cell, whatever it keeps. */
  readonly slot: string;
  /** SHA-256 of the body, where the cell itself asks, or says who does. */
  readonly digest?: string;
  /** Of `forward`: who is signed in, as the cell of their session found. */
  readonly person?: object;
}

interface Signed extends Hop {
  readonly at: number;
  /** SHA-256 of what is asked: an address may be as long as all headers together. */
  readonly target: string;
}

/** Longer than a request is under way before it is read, and clocks differ. */
const VALID_MS = 60_000;

const HOP = Symbol('duka:hop');

type Received = IncomingMessage & { originalUrl?: string; [HOP]?: Hop | 'invalid' };

export const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url');

const targetOf = (method: string, url: string): string => digestOf(Buffer.from(`${method} ${url}`));

/** Signs what cells say to each other, and reads it. */
export class Hops {
  constructor(private readonly secret: string) {}

  headerOf(hop: Hop, method: string, url: string): string {
    const said = Buffer.from(
      JSON.stringify({ ...hop, at: Date.now(), target: targetOf(method, url) } satisfies Signed),
    );
    return `${said.toString('base64url')}.${this.sealOf(said)}`;
  }

  /** Undefined: a client sent it. Each request is read once. */
  of(request: IncomingMessage): Hop | 'invalid' | undefined {
    const received = request as Received;
    const header = received.headers[HOP_HEADER];
    if (header === undefined) return undefined;
    return (received[HOP] ??= this.read(String(header), received));
  }

  private read(header: string, { method, url, originalUrl = url }: Received): Hop | 'invalid' {
    const [said = '', seal = ''] = header.split('.');
    const bytes = Buffer.from(said, 'base64url');
    const [given, own] = [Buffer.from(seal), Buffer.from(this.sealOf(bytes))];
    if (given.length !== own.length || !timingSafeEqual(given, own)) return 'invalid';
    const { at, target, ...hop } = JSON.parse(bytes.toString()) as Signed;
    const isThis = target === targetOf(method!, originalUrl!) && Math.abs(Date.now() - at) < VALID_MS;
    return isThis ? hop : 'invalid';
  }

  private sealOf(said: Buffer): string {
    return createHmac('sha256', this.secret).update(said).digest('base64url');
  }
}
