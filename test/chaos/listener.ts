import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lifetime } from '../../src/core/process/lifetime';

/** A partner's server, which takes every event that it is sent. Returns its address. */
export async function listenForEvents<Event extends object>(
  lifetime: Lifetime,
  take: (event: Event) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      take(JSON.parse(text) as Event);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await lifetime.own(Promise.resolve(), async () => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
