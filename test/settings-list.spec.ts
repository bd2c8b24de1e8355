import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { listSettings, withTeamSection } from '../src/cli/env';
import { Env, loadEnv, SECRET_SETTINGS } from '../src/core/config/env';
import { integer, secret, Settings, url } from '../src/core/config/settings';
import '../src/extensions/extensions.module';

const example = readFileSync('.env.example', 'utf8');

interface Shown {
  readonly name: string;
  readonly [fact: string]: unknown;
}
const shown = (name: string): Shown =>
  (listSettings().json as { settings: Shown[] }).settings.find((setting) => setting.name === name)!;

it('.env.example names every setting of the teams: npm run duka -- env --write makes it so', () => {
  expect(withTeamSection(example)).toBe(example);
});

it('.env.example can be copied as it is: no team has set anything up', () => {
  const source = { ...parseEnv(example), SECRETS_KEY: Buffer.alloc(32).toString('base64') };
  expect(() => loadEnv({}, source)).not.toThrow();
});

describe('duka env', () => {
  const before = { ...process.env };
  beforeAll(() => {
    Settings.of('listed', { url: url({ about: 'Where it is.' }), key: secret(), retries: integer({ default: '3' }) });
  });
  afterEach(() => {
    process.env = { ...before };
  });

  it('lists what the service and the teams can be told, where it comes from, and no secret', () => {
    Object.assign(process.env, {
      PORT: '4000',
      DATABASE_URL: 'postgres://root:hunter2@db/duka',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      LISTED_URL: 'https://x.example.com/',
      LISTED_KEY: 'hunter2',
    });
    const { text, json, failed } = listSettings();
    expect(failed).toBe(false);
    expect(text + JSON.stringify(json)).not.toMatch(/hunter2|BwcHBw/);
    expect((json as { settings: Shown[] }).settings.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(new Env()), 'LISTED_URL', 'LISTED_KEY', 'LISTED_RETRIES']),
    );
    expect([shown('PORT'), shown('HOST'), shown('REDIS_URL')]).toEqual([
      { name: 'PORT', team: null, value: '4000', from: 'environment', default: '3000', secret: false },
      { name: 'HOST', team: null, value: '127.0.0.1', from: 'default', default: '127.0.0.1', secret: false },
      { name: 'REDIS_URL', team: null, value: null, from: null, default: null, secret: true },
    ]);
    expect([shown('DATABASE_URL'), shown('LISTED_KEY'), shown('LISTED_RETRIES')]).toMatchObject([
      { team: null, value: '********', from: 'environment', secret: true },
      { team: 'listed', value: '********', from: 'environment', secret: true },
      { team: 'listed', value: '3', from: 'default', secret: false },
    ]);
  });

  it('fails, and says every fault, when a process would not start', () => {
    Object.assign(process.env, { PORT: 'http', LISTED_URL: 'https://x.example.com/' });
    expect(listSettings()).toMatchObject({
      failed: true,
      text: expect.stringContaining('LISTED_KEY must be set, as LISTED_URL is'),
      json: { faults: [expect.stringContaining('PORT'), 'LISTED_KEY must be set, as LISTED_URL is'] },
    });
  });

  it('writes what teams can be told behind the settings of the service, as often as it is asked', () => {
    const written = withTeamSection(example);
    expect(written).toContain('\n# Where it is.\nLISTED_URL=\n\n# It must be text without line breaks.\nLISTED_KEY=\n');
    expect(written).toContain('\nLISTED_RETRIES=3\n');
    expect(withTeamSection(written)).toBe(written);
  });

  it('knows which settings are secret by their names, too', () => {
    const secretive = Object.keys(new Env()).filter((name) => /KEY|TOKEN|PASSWORD|_URL$/.test(name));
    expect(secretive.filter((name) => !SECRET_SETTINGS.has(name))).toEqual(['PUBLIC_URL']);
  });
});
