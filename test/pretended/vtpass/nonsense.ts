import type { ServerResponse } from 'node:http';

type Answer = Readonly<Record<string, unknown>>;
type Nonsense = (response: ServerResponse, answer: Answer) => void;

const says =
  (status: number, body: (answer: Answer) => unknown): Nonsense =>
  (response, answer) => {
    const text = body(answer);
    response.writeHead(status).end(typeof text === 'string' ? text : JSON.stringify(text));
  };

const without = (answer: Answer, ...names: string[]): Answer =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)));

/** The answer with another transaction in it. */
const withTransaction = (answer: Answer, change: (transaction: Answer) => unknown): Answer => {
  const { transactions } = answer.content as { transactions: Answer };
  return { ...answer, content: { transactions: change(transactions) } };
};

/** Answers that prove nothing. */
export const NONSENSE: readonly Nonsense[] = [
  says(200, () => ''),
  says(200, () => '<html><body>TRANSACTION SUCCESSFUL</body></html>'),
  says(200, () => 'null'),
  says(200, () => '[]'),
  says(200, () => '"Invalid Credentials."'),
  says(200, (answer) => JSON.stringify(answer).slice(0, -1)),
  says(200, (answer) => [answer]),
  says(200, (answer) => ({ ...answer, requestId: 'somebody-elses' })),
  says(200, (answer) => without(answer, 'requestId')),
  says(200, (answer) => without(answer, 'code')),
  says(200, (answer) => ({ ...answer, code: 0 })),
  says(200, (answer) => ({ ...answer, code: '001' })),
  says(200, (answer) => ({ ...answer, code: '020' })),
  says(200, (answer) => ({ ...answer, code: '044' })),
  says(200, (answer) => ({ ...answer, code: '040' })),
  says(200, (answer) => ({ ...answer, code: 'toString' })),
  says(200, (answer) => ({ ...answer, code: '777' })),
  says(200, () => ({ code: '083', response_description: 'SYSTEM ERROR' })),
  says(200, () => ({ code: '089', response_description: 'REQUEST IS PROCESSING, PLEASE WAIT' })),
  says(200, () => ({ code: '000', response_description: 'TRANSACTION SUCCESSFUL' })),
  says(200, (answer) => without(answer, 'content')),
  says(200, (answer) => withTransaction(answer, () => null)),
  says(200, (answer) => withTransaction(answer, (one) => [one])),
  says(200, (answer) => withTransaction(answer, (one) => without(one, 'status'))),
  says(200, (answer) => withTransaction(answer, (one) => ({ ...one, status: 'DELIVERED?' }))),
  says(200, (answer) => withTransaction(answer, (one) => ({ ...one, status: 'resolved' }))),
  says(200, (answer) => withTransaction(answer, (one) => without(one, 'transactionId'))),
  says(200, (answer) => withTransaction(answer, (one) => ({ ...one, transactionId: '' }))),
  says(200, (answer) => withTransaction(answer, (one) => ({ ...one, transactionId: 17 }))),
  says(200, (answer) => withTransaction(answer, (one) => ({ ...one, total_amount: '-5' }))),
  says(200, (answer) => withTransaction(answer, (one) => ({ ...one, total_amount: '9'.repeat(40) }))),
  says(202, (answer) => answer),
  says(401, (answer) => answer),
  says(400, () => ({ code: '016', response_description: 'TRANSACTION FAILED' })),
  says(404, () => 'Not found'),
  says(404, () => ({ code: '015', response_description: 'INVALID REQUEST ID' })),
  says(500, (answer) => answer),
  says(500, () => ({ code: '083', content: { errors: [] } })),
  says(502, () => ({ code: '015', response_description: 'INVALID REQUEST ID' })),
  says(200, () => ({ code: '015', requestId: 'somebody-elses' })),
  says(200, () => ({ code: '016', requestId: 'somebody-elses' })),
  says(200, () => ({ response_description: 'INVALID REQUEST ID' })),
  says(200, (answer) => `${JSON.stringify(answer)}${' '.repeat(70_000)}`),
  (response) =>
    void response.writeHead(200, { 'content-length': 500 }).write('{"code":"000"', () => response.destroy()),
  (response) => void response.socket?.destroy(),
  (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
  (response) => void response.writeHead(307, { location: '/api/elsewhere' }).end(),
  (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
];
