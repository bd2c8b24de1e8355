import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Env } from '../src/core/config/env';
import { rotateSecrets, SEALED_TABLES } from '../src/core/secrets/rotation';
import { SecretBox } from '../src/core/secrets/secret-box';
import { newOwner } from './support/dashboard';
import { Duka, type TestAccount } from './support/duka';

const fresh = (): string => randomBytes(32).toString('base64');

describe('SECRETS_KEY', () => {
  let duka: Duka;
  let shop: TestAccount;
  const [first, second] = [fresh(), fresh()];
  let cursor: string;

  /** Every box of the database, opened with the keys of the running process. */
  async function opened(): Promise<number> {
    const box = duka.get<SecretBox>(SecretBox);
    let count = 0;
    for (const { table, key, columns } of SEALED_TABLES) {
      for (const row of await duka.asOwner(`SELECT * FROM ${table}`)) {
        for (const sealed of columns.map((column) => row[column] as Buffer | null).filter((value) => value !== null)) {
          box.open(sealed, row[key.at(-1)!] as string);
          count++;
        }
      }
    }
    return count;
  }

  function restartWith(keys: Pick<Env, 'SECRETS_KEY' | 'SECRETS_KEYS'>): Promise<void> {
    Object.assign(duka.env, keys);
    return duka.restart();
  }

  beforeAll(async () => {
    duka = await Duka.start({ SECRETS_KEY: first, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
    shop = await duka.account();
    const { body: hook } = await shop.api.post('/v4/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] });
    expect(hook).toMatchObject({ object: 'webhook_endpoint' });
    for (const name of ['Ada', 'Bola']) await shop.api.post('/v4/wallets', { currency: 'NGN', label: name });
    cursor = (await shop.api.get('/v4/wallets?limit=1')).body.next_cursor;
    const owner = await newOwner(duka);
    await owner.stepUp();
    expect((await owner.post('/totp/setup', {})).body).toMatchObject({ secret: expect.any(String) });
  });

  afterAll(() => duka.stop());

  it('is noticed at the start when it is another one', async () => {
    expect(await opened()).toBeGreaterThanOrEqual(3);
    duka.env.SECRETS_KEY = second;
    await expect(duka.twin()).rejects.toThrow('SECRETS_KEY is not the key');
    duka.env.SECRETS_KEY = first;
    await (await duka.twin()).app.close();
  });

  it('rotates: both open, then all is sealed with the new one, then the old one opens nothing', async () => {
    await restartWith({ SECRETS_KEY: second, SECRETS_KEYS: `${second},${first}` });
    const boxes = await opened();
    expect((await shop.api.get(`/v4/wallets?limit=1&cursor=${cursor}`)).status).toBe(200);

    const owner = await new DataSource({ type: 'postgres', url: duka.env.DATABASE_URL! }).initialize();
    const rotated = await rotateSecrets(owner, duka.get<SecretBox>(SecretBox));
    expect(rotated.reduce((sum, table) => sum + table.rotated, 0)).toBe(boxes);
    expect(
      (await rotateSecrets(owner, duka.get<SecretBox>(SecretBox))).map(({ rotated: again, unopened }) => [
        again,
        unopened,
      ]),
    ).toEqual(SEALED_TABLES.map(() => [0, 0]));

    await restartWith({ SECRETS_KEY: second, SECRETS_KEYS: undefined });
    expect(await opened()).toBe(boxes);
    const stranger = new SecretBox({ ...duka.env, SECRETS_KEY: fresh() });
    expect((await rotateSecrets(owner, stranger)).reduce((sum, { unopened }) => sum + unopened, 0)).toBe(boxes);
    await owner.destroy();
  });

  it('opens what was sealed before boxes named their key', () => {
    const box = new SecretBox({
      ...duka.env,
      SECRETS_KEY: second,
      SECRETS_KEYS: `${second},${Buffer.alloc(32, 7).toString('base64')}`,
    });
    expect(box.open(Buffer.from(OLD_BOX, 'hex'), 'owner')).toBe('a secret');
    expect(box.isCurrent(Buffer.from(OLD_BOX, 'hex'))).toBe(false);
    expect(() => box.open(Buffer.from(OLD_BOX, 'hex'), 'other')).toThrow();
  });
});

/** Of version 1, under a key of 32 sevens. */
const OLD_BOX = '014ba7fd723ea4dbf85eedb98bcca9980dcac250c0f4cee7effad4082c2295110c117f5093';
