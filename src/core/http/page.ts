import type { FastifyReply } from 'fastify';

/**
 * Sends a page for people. It loads nothing but our own style sheet, runs no script, is framed by nobody, and its address,
 * which may be a secret, is told to nobody. `formOrigins`: where its forms may lead beside this service, through redirects too.
 */
export function sendPage(reply: FastifyReply, page: string, formOrigins: readonly string[] = []): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `form-action ${["'self'", ...formOrigins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  void reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .send(page);
}

/** To another address, to be read with GET. */
export const seeOther = (reply: FastifyReply, url: string): void =>
  void reply.header('referrer-policy', 'no-referrer').redirect(url, 303);
