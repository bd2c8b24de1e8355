import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { parseJsonBody } from '../../src/core/http/body-parsers';
import { startProbe } from '../support/http-probe';
import { sendRequest } from '../support/raw-http';

describe('a body that is packed', () => {
  let app: NestFastifyApplication;
  let port: number;
  beforeAll(async () => ({ app, port } = await startProbe()));
  afterAll(() => app.close());

  it.each(['gzip', 'br', 'x-nonsense', 'gzip, identity'])('as %s is refused', async (encoding) => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', encoding],
    ] as const;
    expect(await sendRequest(port, { method: 'POST', path: '/probe/claim/1', headers, body: '{}' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  it('as itself is not', async () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'identity'],
    ] as const;
    expect((await sendRequest(port, { method: 'POST', path: '/probe/claim/1', headers, body: '{}' })).status).toBe(201);
  });
});

describe('a number', () => {
  const parse = (number: string) => parseJsonBody(Buffer.from(`{"amount":${number}}`));
  it.each([
    '4.9999999999999999999',
    '5.00000000000000000001',
    '0.49999999999999999999e1',
    '49999999999999999999e-19',
    '1.0000000000000001',
  ])('%s that would be rounded is refused', (number) => expect(() => parse(number)).toThrow('rounded'));
  it.each(['5', '5.0', '1.5', '0.000000000000000000001', '9007199254740993', '1e20'])(
    '%s is left to the rule of its field',
    (number) => expect(parse(number)).toEqual({ amount: Number(number) }),
  );
  it('in a text is text', () =>
    expect(parseJsonBody(Buffer.from('{"a":"4.9999999999999999999 \\" 1.00000000000000000001"}'))).toEqual({
      a: '4.9999999999999999999 " 1.00000000000000000001',
    }));
});
