import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJsonBody } from './json-body';

/** How the body of a route is read. Routes that say nothing take JSON. */
type BodyForm = 'json' | 'form' | 'raw';

/** The route takes the form of an HTML page, as an object of texts. */
export const TakesForm = () => RouteConfig({ body: 'form' satisfies BodyForm });

/** The route takes the bytes as they came, JSON or a form, for whoever checks their signature: a `Buffer`. */
export const TakesRaw = () => RouteConfig({ body: 'raw' satisfies BodyForm });

type Done = (error: Error | null, body?: object) => void;

/** Makes JSON, forms and raw bytes the only bodies of the service. */
export function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const add = (type: string, own: BodyForm, parse: (bytes: Buffer) => object | undefined) =>
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done: Done) => {
      // Nobody unpacks it: what is signed, compared or stored would be something else than was meant.
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return done(unsupported());
      const wanted = formOf(request);
      if (wanted === 'raw') return done(null, bytes);
      return wanted === own ? read(parse, bytes, done) : done(unsupported());
    });
  add('application/json', 'json', parseJsonBody);
  add('application/x-www-form-urlencoded', 'form', (bytes) =>
    Object.fromEntries(new URLSearchParams(bytes.toString())),
  );
}

const formOf = ({ routeOptions }: FastifyRequest): BodyForm =>
  (routeOptions.config as { body?: BodyForm }).body ?? 'json';

function read(parse: (bytes: Buffer) => object | undefined, bytes: Buffer, done: Done): void {
  let body: object | undefined;
  try {
    body = parse(bytes);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

/** As Fastify refuses a type that it does not know. */
const unsupported = (): Error =>
  Object.assign(new Error('unsupported media type'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 });
