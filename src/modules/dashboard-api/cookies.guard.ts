import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Env } from '../../core/config/env';
import { publicUrl } from '../../core/http/public-url';
import { isToken } from './tokens.batch';

const LIFETIME_SECONDS = 12 * 3_600;
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** The cookie of a session: for TLS only, but on the developer's own machine, since browsers keep no `Secure` cookie from plain HTTP. */
@Injectable()
export class CookiesGuard {
  private readonly isPublished: boolean;

  constructor(env: Env) {
    // What a request says of its host is what a proxy made of it: where the service is published counts more.
    this.isPublished = publicUrl(env).startsWith('https:');
  }

  /** The token of the session cookie; null without one that could be ours. */
  read(request: FastifyRequest): string | null {
    const start = `${this.nameFor(request)}=`;
    const values = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(start));
    return values.map((pair) => pair.slice(start.length)).find(isToken) ?? null;
  }

  /** Hands the token to the browser, or takes it away. */
  write(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
    const life = token === null ? 0 : LIFETIME_SECONDS;
    const secure = this.isPlain(request) ? '' : ' Secure;';
    reply.header(
      'set-cookie',
      `${this.nameFor(request)}=${token ?? ''}; Path=/; Max-Age=${life};${secure} HttpOnly; SameSite=Lax`,
    );
  }

  private nameFor(request: FastifyRequest): string {
    return this.isPlain(request) ? 'session' : '__Host-session';
  }

  private isPlain({ protocol, host }: FastifyRequest): boolean {
    return !this.isPublished && protocol === 'http' && LOCAL.test(host);
  }
}
