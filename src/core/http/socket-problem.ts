import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { describeSocketFailure } from './failures';
import { encodeId, newId } from './ids';
import type { Problems } from './problems';

/** Answers bytes that are not HTTP, or came too slowly, and closes the connection. */
export function answerSocket(problems: Problems, { code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = encodeId('req', newId());
  const { status, headers, body } = problems.render(describeSocketFailure(code), requestId);
  const lines = Object.entries({
    ...headers,
    'request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}
