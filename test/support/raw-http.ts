import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './contract';

/** Sends bytes as they are and returns all that comes back until the connection closes. */
export function sendBytes(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')));
    socket
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('close', () => resolve(answer))
      .on('error', reject);
  });
}

/** A request as it goes over the wire: `fetch` corrects addresses, joins headers and has no bodies for GET. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** `localhost` when absent. */
  readonly host?: string;
}

export interface RawAnswer extends Answer {
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends a request that HTTP allows, however strange. Only `Host` and `Content-Length` are added. */
export function sendRequest(
  port: number,
  { method, path, headers = [], body, host = 'localhost' }: RawRequest,
): Promise<RawAnswer> {
  const hasBody = body !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(method);
  const length = hasBody ? [['Content-Length', String(Buffer.byteLength(body ?? ''))]] : [];
  return new Promise((resolve, reject) => {
    const all = [['Host', host], ...length, ...headers].flat();
    const request = httpRequest({ host: '127.0.0.1', port, method, path, agent, headers: all });
    request.on('response', (response) => void readAnswer(response).then(resolve, reject));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection in the moment in which it is used again: every client has to bear that.
      if (request.reusedSocket && error.code === 'ECONNRESET')
        resolve(sendRequest(port, { method, path, headers, body, host }));
      else reject(error);
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
  const isJson = /json/.test(headers.get('content-type') ?? '');
  return { status: response.statusCode!, headers, text, body: isJson && text ? JSON.parse(text) : text };
}
