import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startProbe } from '../../../test/support/http-probe';
import { answer, type AnswerTraits, sendTraits } from './answer';

describe('the status of an answer', () => {
  it.each<[AnswerTraits, number, boolean]>([
    [{}, 201, false],
    [{ running: true }, 202, false],
    [{ dryRun: true }, 200, false],
    [{ replayedBy: 'key' }, 201, true],
    [{ replayedBy: 'key', running: true }, 202, true],
    [{ replayedBy: 'reference' }, 200, true],
    [{ replayedBy: 'reference', running: true }, 200, true],
  ])('for %j is %d', (traits, status, isReplayed) => {
    const reply = { header: jest.fn(), code: jest.fn() };
    const done = jest.fn();
    const body = answer({ id: 'trf_1' }, traits);
    sendTraits({} as never, reply as never, body, done);
    expect(reply.code).toHaveBeenCalledWith(status);
    expect(reply.header.mock.calls).toEqual(isReplayed ? [['idempotent-replayed', 'true']] : []);
    expect(done).toHaveBeenCalledWith(null, body);
    expect(JSON.stringify(body)).toBe('{"id":"trf_1"}');
  });

  it.each([null, undefined, {}, []])('of %j is left to the route', (body) => {
    const reply = { header: jest.fn(), code: jest.fn() };
    sendTraits({} as never, reply as never, body, jest.fn());
    expect(reply.code).not.toHaveBeenCalled();
  });
});

describe('over HTTP', () => {
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => ({ app, url } = await startProbe()));
  afterAll(() => app.close());

  const transfer = (more: object) =>
    fetch(`${url}/probe/transfers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from_wallet: 'wal_1', to_wallet: 'wal_2', amount: 1, ...more }),
    });

  it.each([
    [{}, 201, null],
    [{ running: true }, 202, null],
    [{ replayed: true }, 201, 'true'],
    [{ dry_run: true }, 200, null],
  ])('%j answers %d', async (more, status, replayed) => {
    const response = await transfer(more);
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([status, replayed]);
    expect(await response.json()).toMatchObject({ id: 'trf_1', amount: 1 });
  });

  it('fingerprints the body as it was sent', async () => {
    const claim = async (body: string, headers: object = {}) =>
      (
        await fetch(`${url}/probe/claim/1`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        })
      ).json() as Promise<{ key: string; fingerprint: string }>;
    const [one, same, other] = await Promise.all([
      claim('{"a":1,"b":1.0}'),
      claim('{ "b":1, "a":1 }'),
      claim('{"a":1}', { 'idempotency-key': '"k1"' }),
    ]);
    expect(one.fingerprint).toBe(same.fingerprint);
    expect(other).toMatchObject({ key: 'k1', fingerprint: expect.not.stringMatching(one.fingerprint) });
  });
});
