import { connect } from 'node:net';

/** Sends bytes as they are and returns all that comes back until the connection closes. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => (answer += chunk.toString())).on('close', () => resolve(answer)).on('error', reject);
  });
}
