import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error';
import type { Caller } from './caller';

const LIVEMODE = Symbol('duka:dashboard-livemode');

interface Marked extends Pick<IncomingMessage, 'url'> {
  [LIVEMODE]?: boolean;
}

const PUBLIC_API = /^\/dashboard\/api\/(test|live)(\/(?:v4|api\/v1)\/.*)$/s;
/** Where the dashboard's own routes lie. */
export const DASHBOARD = '/dashboard/api/';

/**
 * Fastify `rewriteUrl`: under `/dashboard/api/{test|live}` lies the whole public API, for people with a session. The
 * request goes on as if it had been sent to the public address, with a mark that no client can make.
 */
export function rewriteUrl(raw: Marked): string {
  const url = raw.url ?? '/';
  const [, mode, path] = PUBLIC_API.exec(url) ?? [];
  if (path === undefined) return url;
  raw[LIVEMODE] = mode === 'live';
  return path;
}

/** The mode that the address named, of a request for the public API that came through the dashboard; else undefined. */
export const dashboardLivemode = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean | undefined =>
  (raw as Marked)[LIVEMODE];

/** Whether a request is a person's at the dashboard: by the route that was found, not by how its address is spelled. */
export const isForSession = (request: Pick<FastifyRequest, 'raw' | 'routeOptions'>): boolean =>
  dashboardLivemode(request) !== undefined || request.routeOptions.url?.startsWith(DASHBOARD) === true;

/** Knows people by their sessions. Throws unless the request may go on; without a caller on routes that are open. */
export type Doorkeeper = (context: ExecutionContext, isOpen: boolean) => Promise<Caller | undefined>;

/** Who sends a request, by its session; null without a good one. */
type PersonReader = (request: FastifyRequest) => Promise<object | null>;

/** The one place where requests with a session are let in, by whoever knows sessions. Closed as long as nobody does. */
@Injectable()
export class SessionDoor {
  private keeper: Doorkeeper | null = null;
  private reader: PersonReader = async () => null;

  /** Called once, by the module that knows sessions. `reader`: before the control cell is told who it is. */
  keptBy(keeper: Doorkeeper, reader: PersonReader): void {
    this.keeper = keeper;
    this.reader = reader;
  }

  personOf(request: FastifyRequest): Promise<object | null> {
    return this.reader(request);
  }

  admit(context: ExecutionContext, isOpen: boolean): Promise<Caller | undefined> {
    if (this.keeper === null) throw new Error('nobody keeps the door of the dashboard');
    return this.keeper(context, isOpen);
  }
}

/** There is no session, or it has ended. */
export class NotSignedIn extends DomainError {
  constructor() {
    super({
      code: 'not_signed_in',
      kind: 'unauthenticated',
      title: 'Not signed in',
      detail: 'There is no session, or it has ended. Log in.',
    });
  }
}

/** Throws unless it is known who sends a request. */
type Recognizer = (request: FastifyRequest) => Promise<void>;

/** Large bodies are read of who is known, and nobody else's: anybody could fill the memory with them. */
@Injectable()
export class LargeBodyDoor {
  private recognizer: Recognizer = () => Promise.reject(new Error('nobody keeps the door of large bodies'));

  /** Called once, by the guard that knows keys. */
  keptBy(recognizer: Recognizer): void {
    this.recognizer = recognizer;
  }

  /** Fastify `preParsing` hook, before the body is read. */
  readonly requireKnown = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      await this.recognizer(request);
    } catch (error) {
      // What of the body is still on its way is not waited for.
      reply.header('connection', 'close');
      throw error;
    }
  };
}

/** Addresses for operators of the platform, which the process of `platform.ts` alone serves. */
export const PLATFORM_PATH = '/v4/platform/';

/** Who sends a request with a key of the platform. */
export interface OperatorCaller {
  /** The log-in that the key belongs to. */
  readonly userId: string;
  readonly email: string;
  readonly ip: string | null;
}

/** Whether a request is an operator's: by the route that was found, not by how its address is spelled. */
export const isForPlatform = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.url?.startsWith(PLATFORM_PATH) === true;

/** Null: the key opens nothing. */
type KeyReader = (secret: string) => Promise<Omit<OperatorCaller, 'ip'> | null>;

/** The one place where keys of the platform are believed, by whoever knows them. Closed as long as nobody does. */
@Injectable()
export class PlatformDoor {
  private reader: KeyReader = async () => null;

  keptBy(reader: KeyReader): void {
    this.reader = reader;
  }

  async admit(secret: string, ip: string): Promise<OperatorCaller | null> {
    const operator = await this.reader(secret);
    return operator && { ...operator, ip };
  }
}

/** The operator whose key it is. Only on routes below `PLATFORM_PATH`. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorCaller =>
    context.switchToHttp().getRequest<{ operator: OperatorCaller }>().operator,
);
