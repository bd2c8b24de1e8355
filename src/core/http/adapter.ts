import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../config/env';
import { describeFailure } from './failures';
import { newId } from './ids';
import { Problems } from './problems';
import { beginRequest } from './request-context';
import type { RequestObserver } from './request-observer';
import { rewriteUrl } from './session-door';
import { answerSocket } from './socket-problem';

const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for connections that are over these times. */
const TIMEOUT_CHECK_MS = 1000;
// An idempotency key of 255 characters, each of them percent-encoded.
const PARAM_LENGTH_MAX = 3 * 255;

/** Fastify with the limits of this service; what it refuses by itself is answered as a problem, too. */
export function createAdapter(env: Env, observer: RequestObserver): FastifyAdapter {
  const problems = new Problems(env);
  const proxies = env.TRUST_PROXY.split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    trustProxy: proxies.length > 0 ? proxies : false,
    // A client on a kept connection would be refused in every rolling restart.
    return503OnClosing: false,
    genReqId: newId,
    rewriteUrl,
    clientErrorHandler: (error, socket) => answerSocket(problems, error, socket),
    // The router refuses an address before any hook has run.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      beginRequest(request, reply, observer.headers);
      problems.send(reply, describeFailure(error));
      observer.record(request, reply);
    },
  });
}
